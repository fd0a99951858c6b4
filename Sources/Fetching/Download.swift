// SPDX-License-Identifier: Apache-2.0
import Core
import Curl
import Posix
import Streams

/// The requests to a server, one at a time, with the answer so far. Its owner cancels it before releasing it. The fetching process's only
/// thread.
final class Download {
    struct Request {
        var address: String
        /// The range, as in `Range: bytes=…`; "" for all.
        var range = ""
        var headers: [String]
        /// True for a connection of its own.
        var isAlone = false
        var acceptsPacked = false
    }

    /// The end of an answer.
    struct End {
        /// The reason in words for people, whether the failure is permanent, and the short reason; nil for a complete answer.
        let trouble: (message: String, isForGood: Bool, reason: Trouble)?
        /// The address behind all redirections.
        let address: String
        /// The same address if all redirections were permanent; "" otherwise, and without a redirection.
        let movedTo: String
    }

    private enum Redirected { case never, forGood, forNow }

    private let downloads: Downloads
    /// The name for the fuse.
    private let name: String
    private let trust: Downloads.Trust
    /// Takes a piece of the body.
    var take: (UnsafeRawBufferPointer) -> Transfer.Verdict = { _ in .stop }
    /// Called at the end of an answer; may start the next request.
    var didEnd: (End) -> Void = { _ in }

    private var transfer: Transfer?
    private var host = ""
    private(set) var head = ResponseHead()
    private(set) var throughput = Throughput()
    /// The collected body.
    private var collected: [UInt8] = []
    /// True if the body has exceeded its limit.
    private(set) var isTooLong = false
    private var redirected = Redirected.never
    private var isPaused = false

    /// - Parameters:
    ///   - name: the name for `Fuse`.
    ///   - trust: the addresses of the local network that it may reach.
    init(_ downloads: Downloads, name: String, _ trust: Downloads.Trust) {
        self.downloads = downloads
        self.name = name
        self.trust = trust
    }

    var isRunning: Bool { transfer != nil }

    /// The address behind the redirections so far; "" while nothing runs.
    var finalAddress: String { transfer?.finalURL ?? "" }

    /// Starts a request, after the end of the one before.
    /// - Returns: the reason of a failed start; nil for success.
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

    /// Closes the connection.
    func cancel() {
        if let transfer { downloads.cancel(transfer) }
        transfer = nil
    }

    /// Offers the refused bytes again.
    func resume() {
        if isPaused { transfer?.resume() }
        isPaused = false
    }

    /// Collects a piece of the body.
    /// - Parameter most: the limit of the whole body.
    func collect(_ piece: UnsafeRawBufferPointer, most: Int) -> Transfer.Verdict {
        isTooLong = collected.count + piece.count > most
        if isTooLong { return .stop }
        collected.append(contentsOf: piece)
        return .taken
    }

    /// Returns the collected body, and forgets it.
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

    /// True if there were redirections, and all were permanent.
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
    /// Returns the reason of a failure in words for people, whether it is final, and the short reason.
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
