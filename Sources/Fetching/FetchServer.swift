// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import Streams

/// The fetching process: takes requests at a Unix socket, fetches, and ends after a while without any. One thread.
public final class FetchServer {
    public struct Settings {
        public var cachePath: String
        public var cacheBytes: Int64
        /// The memory for a station.
        public var stationBytes: Int64 = 1 << 20
        /// The folder of trusted certificates, hashed.
        public var authorities = "/etc/ssl/certs"
        /// The file of `Credentials`; "" for none.
        public var credentialsPath = ""
        /// True if addresses from a feed, a list or a server may lie in the local network.
        public var allowsLocal = false
        /// The wanted rendition.
        public var quality = RenditionQuality.auto
        /// The time without a request after which the process ends.
        public var idleMilliseconds = 60_000
        public var userAgent = "Nightstand"

        public init(cachePath: String, cacheBytes: Int64) {
            self.cachePath = cachePath
            self.cacheBytes = cacheBytes
        }
    }

    /// The limit of connections without a request; further ones wait in the kernel.
    private static let mostPeers = 16
    /// The longest wait for a connection's request.
    private static let silentMilliseconds: Int64 = 10_000
    /// The message for an address at which this process once ended.
    static let hasEnded = "what comes from there has ended the process that fetches; it is asked again in an hour"

    /// Checks whether an address ended the last process; it is then not requested for an hour, with one message. Call it before the first
    /// request.
    /// - Parameter folder: a folder in memory that outlives the process.
    public static func lookForDeath(folder: String) {
        let death = Fuse.install(path: folder + "/fetch-touching")
        let name = death?.name
        Fuse.passedOver = PassedOver(path: folder + "/fetch-passed-over", adding: name)
        if let name { Log.warning(StreamAddress.shown(name) + ": " + hasEnded) }
    }

    let cache: CacheFolder
    private let settings: Settings
    private let listener: FileDescriptor
    private var jobs: [FetchJob] = []
    private var feeds: [FeedJob] = []
    /// The connections without a request so far.
    private var newcomers: [FetchPeer] = []
    private let downloads: Downloads
    /// The network's last speed, for any client.
    var pace = NetworkPace()

    var stationBytes: Int64 { StreamPacket.held(ringBytes: settings.stationBytes) }
    var quality: RenditionQuality { settings.quality }

    /// - Parameter listener: a listening Unix socket of packets.
    public init(_ settings: Settings, listener: consuming FileDescriptor) throws(PosixError) {
        self.settings = settings
        self.listener = listener
        cache = try CacheFolder(path: settings.cachePath, mostBytes: settings.cacheBytes)
        downloads = try Downloads(settings)
    }

    /// Returns a download. An address from a feed may reach the local network only at the place of the subscription.
    func download(for question: StreamQuestion) -> Download {
        Download(
            downloads, name: question.name,
            question.isOfFeed
                ? .nothing : question.isWhereSubscribed ? .origin(question.address) : .host(question.address))
    }

    /// Makes room for bytes in the cache. Returns the reason of a failure; nil for success.
    func makeRoom(_ bytes: Int64) -> String? {
        cache.makeRoom(bytes, keeping: jobs.map { CacheFolder.key($0.question.name) })
    }

    /// True if the clock is right: no certificate of today is older than this program.
    static var wallClockIsSet: Bool { wallClockSeconds() > 1_750_000_000 }

    /// Runs until it is idle, or a signal ends it.
    /// - Parameter signals: readable once the process should end.
    public func run(signals: Int32) {
        var idleSince = MonotonicTime.now
        while true {
            let now = MonotonicTime.now
            var due = now.adding(milliseconds: 5000)
            for job in jobs { if let next = job.tick(now), next < due { due = next } }
            if downloads.perform() { due = now }
            let left = due.nanoseconds - MonotonicTime.now.nanoseconds
            let wait = Int(clamping: max(0, (left + 999_999) / 1_000_000))
            if isReadable(signals, after: wait) { break }
            accept()
            receive()
            if jobs.isEmpty && newcomers.isEmpty && feeds.isEmpty {
                if now.milliseconds(since: idleSince) > Int64(settings.idleMilliseconds) { break }
            } else {
                idleSince = now
            }
        }
        for job in jobs { job.stop() }
        for feed in feeds { feed.stop() }
        Fuse.end()
    }

    /// Waits for an event; returns whether it is a signal to end.
    private func isReadable(_ signals: Int32, after milliseconds: Int) -> Bool {
        var numbers = [signals]
        if newcomers.count < FetchServer.mostPeers { numbers.append(listener.number) }
        for peer in newcomers { numbers.append(peer.socket.number) }
        for job in jobs {
            for peer in job.audience.peers {
                numbers.append(peer.socket.number)
                if peer.jumpWake >= 0 { numbers.append(peer.jumpWake) }
            }
        }
        for feed in feeds { numbers.append(feed.peer.socket.number) }
        downloads.wait(for: numbers, milliseconds: milliseconds)
        var ending = pollfd(fd: signals, events: Int16(POLLIN), revents: 0)
        return ns_poll(&ending, 1, 0) > 0
    }

    private func accept() {
        while newcomers.count < FetchServer.mostPeers {
            let number = ns_accept(listener.number, nil)
            if number < 0 { return }
            newcomers.append(FetchPeer(FileDescriptor(owning: number)))
        }
    }

    private func receive() {
        for job in jobs {
            for peer in job.audience.peers {
                _ = peer.receive()
                // Each turn checks the wanted places.
                if peer.jumpWake >= 0 { _ = ns_eventfd_clear(peer.jumpWake) }
            }
        }
        for peer in newcomers {
            switch peer.receive() {
            case nil: continue
            case .heard(let name)?: cache.didHear(name)
            case .feed(let text)?: beginFeed(text, peer)
            case .stream(let question)?:
                if let job = jobs.first(where: { $0.question.name.utf8.elementsEqual(question.name.utf8) }) {
                    job.add(peer)
                } else {
                    let job = FetchJob(question, self)
                    jobs.append(job)
                    job.add(peer)
                }
            }
        }
        let now = MonotonicTime.now
        newcomers.removeAll {
            $0.isGone || $0.hasAsked || now.milliseconds(since: $0.since) > FetchServer.silentMilliseconds
        }
        for feed in feeds {
            _ = feed.peer.receive()
            if feed.peer.isGone { feed.stop() }
        }
        feeds.removeAll { $0.isOver }
        jobs.removeAll { job in
            if job.audience.isWanted() { return false }
            job.stop()
            return true
        }
    }

    private func beginFeed(_ text: String, _ peer: FetchPeer) {
        guard let feed = FeedJob(text, peer, downloads, folder: cache.path) else { return }
        feeds.append(feed)
        feed.begin()
    }
}
