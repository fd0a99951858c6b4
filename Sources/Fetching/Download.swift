// SPDX-License-Identifier: Apache-2.0
import Core
import Curl
import Posix
import Streams

/// One request at a time to a server, and what has come of its answer. Its owner cancels it before it goes itself. The fetching process's
/// only thread.
final class Download {
    struct Request {
        var address: String
        /// As in `Range: bytes=…`; "" for all.
        var range = ""
        var headers: [String]
        /// With a connection of its own.
        var isAlone = false
        var acceptsPacked = false
    }

    /// The end of an answer.
    struct End {
        /// Why it is not complete, in words for a person, and whether it never will be; nil where it is.
        let trouble: (message: String, isForGood: Bool, reason: Trouble)?
        /// The address behind all redirections.
        let address: String
        /// The same where each of them was for good; "" where one was not, or there was none.
        let movedTo: String
    }

    private enum Redirected { case never, forGood, forNow }

    private let downloads: Downloads
    /// The name for the fuse.
    private let name: String
    private let trust: Downloads.Trust
    /// Takes a piece of the body.
    var take: (UnsafeRawBufferPointer) -> Transfer.Verdict = { _ in .stop }
    /// Begins the next, if there is one.
    var didEnd: (End) -> Void = { _ in }

    private var transfer: Transfer?
    private var host = ""
    private(set) var head = ResponseHead()
    private(set) var throughput = Throughput()
    /// The collected body.
    private var collected: [UInt8] = []
    /// The body exceeded its limit.
    private(set) var isTooLong = false
    private var redirected = Redirected.never
    private var isPaused = false

    /// - Parameters:
    ///   - name: its name for `Fuse`.
    ///   - trust: the addresses of the local network that it may reach.
    init(_ downloads: Downloads, name: String, _ trust: Downloads.Trust) {
        self.downloads = downloads
        self.name = name
        self.trust = trust
    }

    var isRunning: Bool { transfer != nil }

    /// The address behind the redirections so far; "" while nothing runs.
    var finalAddress: String { transfer?.finalURL ?? "" }

    /// Once the one before has ended.
    /// - Returns: the reason of a failed start; nil where it is on its way.
    func begin(_ request: Request) -> String? {
        head = ResponseHead()
        throughput = Throughput()
        collected = []
        (isTooLong, isPaused, redirected) = (false, false, .never)
        host = StreamAddress.host(request.address)
        do throws(CurlError) {
            let transfer = try downloads.begin(self, request, trust)
            transfer.takeHeader = { [unowned(unsafe) self] in
                Fuse.setCurrent(name)
                take(header: $0)
            }
            transfer.takeBody = { [unowned(unsafe) self] in
                Fuse.setCurrent(name)
                throughput.add($0.count)
                let verdict = take($0)
                isPaused = verdict == .notNow
                return verdict
            }
            self.transfer = transfer
            return nil
        } catch { return error.message }
    }

    /// Lets go of the connection.
    func cancel() {
        if let transfer { downloads.cancel(transfer) }
        transfer = nil
    }

    /// Offers the refused bytes again.
    func resume() {
        if isPaused { transfer?.resume() }
        isPaused = false
    }

    /// Keeps a piece of the body.
    /// - Parameter most: as many bytes as all of it may have.
    func collect(_ piece: UnsafeRawBufferPointer, most: Int) -> Transfer.Verdict {
        isTooLong = collected.count + piece.count > most
        if isTooLong { return .stop }
        collected.append(contentsOf: piece)
        return .taken
    }

    /// Takes the collected body out.
    func takeCollected() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &collected)
        return taken
    }

    func take(header line: UnsafeRawBufferPointer) {
        head.take(line)
        guard line.starts(with: "HTTP/".utf8), (300...399).contains(head.status), head.status != 304 else { return }
        let isForGood = head.status == 301 || head.status == 308
        redirected = isForGood && redirected != .forNow ? .forGood : .forNow
    }

    /// All of its redirections, and there was one, said so.
    var hasMovedForGood: Bool { redirected == .forGood }

    func transferDidEnd(_ end: TransferEnd) {
        let address = finalAddress
        // One refused address of several does no harm.
        let hasStayedOutside = throughput.isEmpty && transfer?.hasStayedOutside ?? false
        transfer = nil
        Fuse.setCurrent(name)
        let trouble =
            end.cause == .complete
            ? nil
            : hasStayedOutside
                ? ("it leads into the local network, which [network] local = yes would allow", true, .serverRefuses)
                : end.trouble(at: host)
        didEnd(End(trouble: trouble, address: address, movedTo: hasMovedForGood ? address : ""))
    }
}

extension TransferEnd {
    /// Why nothing came, in words for a person; true if it is final; the reason in short.
    public func trouble(at host: String) -> (message: String, isForGood: Bool, reason: Trouble) {
        let (message, isForGood) = words(at: host)
        if cause == .redirectedTooOften || cause == .untrusted { return (message, isForGood, .serverRefuses) }
        let isHere = host.begins(with: "127.") || host == "localhost" || host == "::1" || host == "[::1]"
        if !isHere && !InternetAddress.hasRoute { return (message, isForGood, .noNetwork) }
        return (message, isForGood, cause == .noSuchHost ? .noServer : .serverSilent)
    }

    private func words(at host: String) -> (message: String, isForGood: Bool) {
        switch cause {
        case .badAddress: ("no address of http or https: " + words, true)
        case .redirectedTooOften:
            ("the server sends us round in circles (more than \(Transfer.mostRedirections) redirections)", false)
        case .noSuchHost: ("the network has no \(host): is it connected?", false)
        case .refused: ("\(host) does not answer", false)
        case .untrusted:
            (
                FetchServer.wallClockIsSet
                    ? "\(host) cannot prove who it is: " + words
                    : "the clock is not set yet, and without it nobody can be trusted", false
            )
        case .complete, .stopped, .lost: ("the connection was lost", false)
        }
    }
}
