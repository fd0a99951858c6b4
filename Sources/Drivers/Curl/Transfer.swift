// SPDX-License-Identifier: Apache-2.0
import CCurl
import Posix

/// One request to a server, and its answer as it comes. The thread of its `CurlLibrary`.
public final class Transfer {
    public enum Verdict {
        case taken
        /// Offered again after `resume`.
        case notNow
        /// Ends the transfer.
        case stop
    }

    /// Episodes pass six and more counters on their way.
    public static let mostRedirections = 20

    let easy: UnsafeMutableRawPointer
    private let library: CurlLibrary
    private var headers: UnsafeMutablePointer<ns_curl_slist>?
    private var aliases: UnsafeMutablePointer<ns_curl_slist>?
    private var gate: UnsafeMutablePointer<ns_curl_gate>?
    /// A line of the answer's head, its end left out; that of a redirection too, each begins with the line of its status.
    public var takeHeader: (UnsafeRawBufferPointer) -> Void = { _ in }
    /// Bytes of the answer's body.
    public var takeBody: (UnsafeRawBufferPointer) -> Verdict = { _ in .taken }

    /// - Parameters:
    ///   - url: http or https: no other scheme, and no redirection to one.
    ///   - range: as in `Range: bytes=…`; "" for all.
    ///   - credentials: `user:password`; "" for none.
    ///   - authorities: the folder of trusted certificates, hashed.
    public init(
        _ library: CurlLibrary, url: String, range: String, requestHeaders: [String], userAgent: String,
        credentials: String, authorities: String
    ) throws(CurlError) {
        guard let easy = library.table.pointee.curl_easy_init() else { throw CurlError(message: "no memory") }
        self.library = library
        self.easy = easy
        let table = library.table
        func set(_ option: Int, _ text: String) { _ = ns_curl_set_text(table, easy, Int32(option), text) }
        func set(_ option: Int, _ value: Int) { _ = ns_curl_set_long(table, easy, Int32(option), value) }
        set(NS_CURL_OPTION_URL, url)
        set(NS_CURL_OPTION_PROTOCOLS_STR, "http,https")
        set(NS_CURL_OPTION_REDIR_PROTOCOLS_STR, "http,https")
        set(NS_CURL_OPTION_FOLLOWLOCATION, 1)
        set(NS_CURL_OPTION_MAXREDIRS, Transfer.mostRedirections)
        set(NS_CURL_OPTION_CAPATH, authorities)
        // The one file that the library would read whole beside: 200 KB of certificates in memory.
        _ = ns_curl_set_pointer(table, easy, Int32(NS_CURL_OPTION_CAINFO), nil)
        set(NS_CURL_OPTION_NOSIGNAL, 1)
        // It asks for an unpacked answer; a packed answer is unpacked all the same.
        set(NS_CURL_OPTION_ACCEPT_ENCODING, "identity")
        set(NS_CURL_OPTION_CONNECTTIMEOUT, 15)
        // The silence after which a connection counts as lost.
        set(NS_CURL_OPTION_LOW_SPEED_LIMIT, 1)
        set(NS_CURL_OPTION_LOW_SPEED_TIME, 15)
        set(NS_CURL_OPTION_USERAGENT, userAgent)
        if !range.isEmpty { set(NS_CURL_OPTION_RANGE, range) }
        if !credentials.isEmpty { set(NS_CURL_OPTION_USERPWD, credentials) }
        for header in requestHeaders { headers = table.pointee.curl_slist_append(headers, header) }
        _ = ns_curl_set_pointer(table, easy, Int32(NS_CURL_OPTION_HTTPHEADER), headers)
        // SHOUTcast's servers say so, and mean HTTP.
        aliases = table.pointee.curl_slist_append(nil, "ICY 200 OK")
        _ = ns_curl_set_pointer(table, easy, Int32(NS_CURL_OPTION_HTTP200ALIASES), aliases)
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = ns_curl_set_pointer(table, easy, Int32(NS_CURL_OPTION_HEADERDATA), context)
        _ = ns_curl_set_pointer(table, easy, Int32(NS_CURL_OPTION_WRITEDATA), context)
        _ = ns_curl_set_sink(table, easy, Int32(NS_CURL_OPTION_HEADERFUNCTION)) { bytes, size, count, context in
            let transfer = Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
            var line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            while let last = line.last, last == 0x0A || last == 0x0D {
                line = UnsafeRawBufferPointer(rebasing: line.dropLast())
            }
            transfer.gate?.pointee.has_answered = 1
            transfer.takeHeader(line)
            return size * count
        }
        _ = ns_curl_set_sink(table, easy, Int32(NS_CURL_OPTION_WRITEFUNCTION)) { bytes, size, count, context in
            let transfer = Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
            switch transfer.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) {
            case .taken: return size * count
            case .notNow: return ns_curl_write_pause
            case .stop: return size * count == 0 ? 1 : 0
            }
        }
    }

    deinit {
        library.table.pointee.curl_easy_cleanup(easy)
        library.table.pointee.curl_slist_free_all(headers)
        library.table.pointee.curl_slist_free_all(aliases)
        gate?.deallocate()
    }

    /// Asks for packed answers: text, not sound.
    public func acceptPacked() {
        _ = ns_curl_set_text(library.table, easy, Int32(NS_CURL_OPTION_ACCEPT_ENCODING), "")
    }

    /// Is led nowhere else: its headers are for this server alone. Before it is begun.
    public func stayThere() { _ = ns_curl_set_long(library.table, easy, Int32(NS_CURL_OPTION_FOLLOWLOCATION), 0) }

    /// Sends a body by POST. Before it is begun.
    public func post(_ body: [UInt8]) {
        _ = ns_curl_set_long(library.table, easy, Int32(NS_CURL_OPTION_POSTFIELDSIZE), body.count)
        var body = body
        _ = ns_curl_set_pointer(library.table, easy, Int32(NS_CURL_OPTION_COPYPOSTFIELDS), &body)
    }

    /// Refuses addresses of the local network, behind any name or redirection. Before it is begun.
    /// - Parameter trustsFirst: a person has named the first host, wherever it is.
    public func stayOutside(trustsFirst: Bool) {
        let gate = UnsafeMutablePointer<ns_curl_gate>.allocate(capacity: 1)
        gate.initialize(to: ns_curl_gate())
        gate.pointee.trusts_first = trustsFirst ? 1 : 0
        self.gate?.deallocate()
        self.gate = gate
        ns_curl_set_gate(library.table, easy, gate)
    }

    /// It would have led into the local network.
    public var hasStayedOutside: Bool { gate?.pointee.has_refused == 1 }

    /// With connections of its own, each for one request: some servers close those that they said they would keep. Before it is begun.
    public func standAlone() {
        _ = ns_curl_set_long(library.table, easy, Int32(NS_CURL_OPTION_FRESH_CONNECT), 1)
        _ = ns_curl_set_long(library.table, easy, Int32(NS_CURL_OPTION_FORBID_REUSE), 1)
    }

    /// Bytes that were not taken are offered again.
    public func resume() {
        _ = library.table.pointee.curl_easy_pause(easy, Int32(NS_CURL_PAUSE_NONE))
    }

    /// Of the last answer; 0 while there is none.
    public var status: Int {
        ns_curl_get_long(library.table, easy, Int32(NS_CURL_INFO_RESPONSE_CODE))
    }

    /// The address behind all redirections.
    public var finalURL: String {
        ns_curl_get_text(library.table, easy, Int32(NS_CURL_INFO_EFFECTIVE_URL)).map { String(cString: $0) }
            ?? ""
    }
}
