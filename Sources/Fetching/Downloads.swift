// SPDX-License-Identifier: Apache-2.0
import CPosix
import Curl
import Posix
import Streams

/// The requests under way, with their shared libcurl, the speaker's name and accounts, and the limits of redirection. The fetching
/// process's only thread.
final class Downloads {
    private let settings: FetchServer.Settings
    private let credentials: [(origin: String, userPassword: String)]
    /// The library; nil until the first request: cached recordings do not need it.
    private var library: CurlLibrary?
    private var running: [(download: Download, transfer: Transfer)] = []

    /// - Throws: if the file of accounts is unreadable.
    init(_ settings: FetchServer.Settings) throws(PosixError) {
        self.settings = settings
        credentials = try Credentials.read(settings.credentialsPath)
    }

    /// - Parameter trust: the addresses of the local network that it may reach.
    func begin(_ download: Download, _ request: Download.Request, _ trust: Trust) throws(CurlError) -> Transfer {
        do throws(CurlError) { if library == nil { library = try CurlLibrary() } } catch {
            throw CurlError(message: "libcurl cannot be used (apt install libcurl4): " + error.message)
        }
        guard let library else { throw CurlError(message: "libcurl cannot be used") }
        let origin = StreamAddress.origin(request.address)
        let account = credentials.first { origin?.utf8.elementsEqual($0.origin.utf8) ?? false }
        let transfer = try Transfer(
            library, url: request.address, range: request.range, requestHeaders: request.headers,
            userAgent: settings.userAgent, credentials: account?.userPassword ?? "", authorities: settings.authorities)
        if request.acceptsPacked { transfer.acceptPacked() }
        if request.isAlone { transfer.standAlone() }
        // Only an address from the listener leads into the local network.
        if !settings.allowsLocal {
            transfer.stayOutside(trustsFirst: trust.covers(request.address))
        }
        running.append((download, transfer))
        library.add(transfer)
        return transfer
    }

    /// The addresses of the local network that may be requested.
    enum Trust {
        case nothing
        /// The host of the listener's address, at any port.
        case host(String)
        /// The host and port at which the listener subscribed to a feed.
        case origin(String)

        func covers(_ address: String) -> Bool {
            switch self {
            case .nothing: false
            case .host(let named): StreamAddress.isSameHost(named, address)
            case .origin(let named): StreamAddress.origin(named) == StreamAddress.origin(address)
            }
        }
    }

    func cancel(_ transfer: Transfer) {
        library?.remove(transfer)
        running.removeAll { $0.transfer === transfer }
    }

    /// Does the work that needs no waiting. Returns true if a download has ended.
    func perform() -> Bool {
        let ended = library?.performTransfers() ?? []
        for (transfer, end) in ended {
            guard let place = running.firstIndex(where: { $0.transfer === transfer }) else { continue }
            running.remove(at: place).download.transferDidEnd(end)
        }
        return !ended.isEmpty
    }

    /// Waits for any download, or until one of these descriptors is readable.
    func wait(for descriptors: [Int32], milliseconds: Int) {
        if let library { return library.wait(for: descriptors, milliseconds: milliseconds) }
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = ns_poll(&polled, nfds_t(polled.count), Int32(clamping: milliseconds))
    }
}
