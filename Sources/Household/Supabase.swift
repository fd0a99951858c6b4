// SPDX-License-Identifier: Apache-2.0
import Core
import Curl
import Fetching
import Posix
import Streams
import Text

/// The reason why a run failed, in words for people; unsent records wait.
public struct SyncError: Error, Equatable {
    public let message: String
    /// The pause that the server asks for.
    public var afterSeconds = 0
    /// The status of the server's answer; 0 without one.
    var status = 0
    /// True if the answer was longer than the limit.
    var isTooLong = false
    /// True if no speaker answers: it starts, or restarts.
    public var isSpeakerAway = false

    public init(message: String) { self.message = message }
}

/// A project of Supabase, as far as a household needs it: GoTrue for the account, PostgREST for the records. Each request blocks until its
/// answer. Its messages contain neither keys nor the server's words.
public final class Supabase {
    private static let mostAnswerBytes = 1 << 20
    private static let mostMilliseconds = 60_000
    private static let authorities = "/etc/ssl/certs"

    private let library: CurlLibrary
    private let userAgent: String
    /// The file for changes of the account; "" for none.
    private let path: String
    private var hasRefreshed = false
    public private(set) var account: Account

    /// - Throws: if libcurl is missing or unusable.
    public init(_ account: Account, path: String, userAgent: String) throws(SyncError) {
        self.account = account
        self.path = path
        self.userAgent = userAgent
        do throws(CurlError) { library = try CurlLibrary() } catch {
            throw SyncError(message: "libcurl cannot be used (apt install libcurl4): " + error.message)
        }
    }

    /// Starts a run, which renews the token at most once. A process that stays for hours needs several.
    func beginRun() { hasRefreshed = false }

    // MARK: Who asks

    /// Signs in with typed words. Writes nothing yet.
    public func signIn(email: String, password: String) throws(SyncError) {
        try signIn("password", "{\"email\":\(email.json),\"password\":\(password.json)}") {
            $0 == 400 ? "the server knows no such e-mail address with this password" : nil
        }
        hasRefreshed = true
    }

    /// Asks for the household of the account, which gets one if it has none.
    public func findHousehold() throws(SyncError) {
        let answer = try ask("/rest/v1/rpc/nightstand_household", body: Array("{}".utf8), headers: [])
        guard let household = try Supabase.fields(answer).value(""), Account.isHousehold(household) else {
            throw SyncError(message: "the server names no household: was board/supabase/schema.sql run there?")
        }
        account.household = household
    }

    /// Ends this device's sign-in; that of others stays.
    public func signOut() throws(SyncError) {
        _ = try ask("/auth/v1/logout?scope=local", body: Array("{}".utf8), headers: [])
    }

    private func refresh() throws(SyncError) {
        hasRefreshed = true
        try signIn("refresh_token", "{\"refresh_token\":\(account.refresh.json)}") {
            (400...403).contains($0)
                ? "the sign-in is no longer valid: nightstand household join \(account.url) signs in anew" : nil
        }
        // The earlier token is void from now on. So the new one is saved before its first use.
        do throws(PosixError) { try account.write(path) } catch { throw SyncError(message: error.message) }
    }

    private func signIn(_ grant: String, _ body: String, _ words: (Int) -> String?) throws(SyncError) {
        let answer = try send("/auth/v1/token?grant_type=" + grant, body: Array(body.utf8), headers: [])
        if (400...499).contains(answer.status), let words = SignInRefusal.words(answer.body) {
            throw SyncError(message: words)
        }
        if let words = words(answer.status) { throw SyncError(message: words) }
        try check(answer)
        let fields = try Supabase.fields(answer)
        guard let access = fields.value("access_token"), let refresh = fields.value("refresh_token"),
            Account.isWord(access), Account.isWord(refresh)
        else { throw SyncError(message: "the server signs nobody in: is its address right?") }
        account.access = access
        account.refresh = refresh
    }

    private static func fields(_ answer: Answer) throws(SyncError) -> FieldReader {
        do throws(JSONError) { return try FieldReader.read(answer.body) } catch { throw noJSON }
    }

    private static var noJSON: SyncError {
        SyncError(message: "the server's answer is none of Supabase's, or cut off: is the address right?")
    }

    // MARK: Records

    /// Returns the rows with changes after a revision, in their order.
    func rows(after revision: Int64, limit: Int) throws(SyncError) -> RowPage {
        let answer = try ask(
            "/rest/v1/nightstand_record?select=kind,key,value,time,device,name,revision&household=eq."
                + account.household + "&revision=gt.\(revision)&order=revision.asc&limit=\(limit)",
            body: nil, headers: [])
        do throws(JSONError) { return try RowPage(answer.body) } catch { throw Supabase.noJSON }
    }

    /// Sends rows. The server keeps a later record.
    func put(_ rows: ArraySlice<Row>) throws(SyncError) {
        var body: [UInt8] = [UInt8(ascii: "[")]
        for row in rows {
            if body.count > 1 { body.append(UInt8(ascii: ",")) }
            body += Array("{\"household\":\"\(account.household)\",".utf8)
            body += row.text.utf8.dropFirst()
        }
        body.append(UInt8(ascii: "]"))
        _ = try ask(
            "/rest/v1/nightstand_record?on_conflict=household,kind,key", body: body,
            headers: ["Prefer: resolution=merge-duplicates,return=minimal"])
    }

    // MARK: Requests

    private struct Answer {
        var status = 0
        var retryAfterSeconds: Int?
        var body: [UInt8] = []
    }

    /// Sends a request with the account's token, and again with a new token if the old one is refused.
    private func ask(_ path: String, body: [UInt8]?, headers: [String]) throws(SyncError) -> Answer {
        if account.access.isEmpty && !hasRefreshed { try refresh() }
        var answer = try send(path, body: body, headers: headers + ["Authorization: Bearer " + account.access])
        if answer.status == 401 && !hasRefreshed {
            try refresh()
            answer = try send(path, body: body, headers: headers + ["Authorization: Bearer " + account.access])
        }
        try check(answer)
        return answer
    }

    private func check(_ answer: Answer) throws(SyncError) {
        if (200...299).contains(answer.status) { return }
        let words =
            switch answer.status {
            case 401, 403:
                "the server refuses who asks (\(answer.status)): is the key right, and who is of the household?"
            case 404: "the server has nothing of Nightstand (404): was board/supabase/schema.sql run there?"
            case 429: "the server asks to be left alone for a while (429)"
            case 500...599: "the server is in trouble (\(answer.status))"
            default: "the server answers \(answer.status)"
            }
        var error = SyncError(message: words)
        error.status = answer.status
        error.afterSeconds = answer.retryAfterSeconds ?? 0
        throw error
    }

    private func send(_ path: String, body: [UInt8]?, headers: [String]) throws(SyncError) -> Answer {
        if let problem = Account.problem(account.url) { throw SyncError(message: "\(account.url): \(problem)") }
        let host = StreamAddress.host(account.url)
        let transfer: Transfer
        do throws(CurlError) {
            transfer = try Transfer(
                library, url: account.url + path, range: "",
                requestHeaders: headers + [
                    "apikey: " + account.key, "Content-Type: application/json", "Accept: application/json", "Expect:",
                ], userAgent: userAgent, credentials: "", authorities: Supabase.authorities)
        } catch { throw SyncError(message: error.message) }
        transfer.stayThere()
        transfer.acceptPacked()
        if let body { transfer.post(body) }
        var head = ResponseHead()
        var received: [UInt8] = []
        var isTooLong = false
        transfer.takeHeader = { head.take($0) }
        transfer.takeBody = { piece in
            isTooLong = received.count + piece.count > Supabase.mostAnswerBytes
            if isTooLong { return .stop }
            received.append(contentsOf: piece)
            return .taken
        }
        library.add(transfer)
        let deadline = MonotonicTime.now.adding(milliseconds: Supabase.mostMilliseconds)
        while true {
            if let (_, end) = library.performTransfers().first {
                if isTooLong {
                    var error = SyncError(message: "the server answers with more than was asked for")
                    error.isTooLong = true
                    throw error
                }
                if end.cause != .complete { throw SyncError(message: end.trouble(at: host).message) }
                return Answer(status: head.status, retryAfterSeconds: head.retryAfterSeconds, body: received)
            }
            let left = deadline.milliseconds(since: .now)
            if left <= 0 {
                library.remove(transfer)
                throw SyncError(message: "\(host) does not come to an end of its answer")
            }
            library.wait(for: [], milliseconds: Int(left))
        }
    }
}
