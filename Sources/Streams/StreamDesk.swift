import CPosix
import Media
import Posix
import Synchronization

/// The speaker's half of fetching: a connection to the fetching process for each stream that is wanted. Control thread; nothing here waits.
/// Where no stream is wanted there is nothing of it: no descriptor, no timer.
public final class StreamDesk {
    /// What plays, what follows, and one more while they change over.
    private static let mostChannels = 4
    private static let tidyMilliseconds = 5000

    private let loop: EventLoop
    private let socketPath: String
    /// Starts the fetching process where nobody listens; nil where that is the service manager's business.
    private let launch: (() -> String?)?
    private let feedWake: Int32
    private var channels: [StreamChannel] = []
    private var tidies: EventLoop.TimerToken?

    /// More is there of a stream, or it has failed.
    public var didAdvance: () -> Void = {}
    /// A stream waits, or goes on: why, or "".
    public var didWait: (_ address: String, _ message: String) -> Void = { _, _ in }
    /// What a station says that it plays.
    public var didHearTitle: (_ address: String, _ title: String) -> Void = { _, _ in }
    /// What a station calls itself.
    public var didHearStation: (_ address: String, _ name: String) -> Void = { _, _ in }
    /// All of it has come: its length can be counted.
    public var didComplete: (_ address: String) -> Void = { _ in }

    /// - Parameters:
    ///   - launch: why it cannot be started, or nil.
    ///   - feedWake: an eventfd that has the feed thread look for what has come. It must live as long as this.
    public init(loop: EventLoop, socketPath: String, feedWake: Int32, launch: (() -> String?)?) {
        self.loop = loop
        self.socketPath = socketPath
        self.feedWake = feedWake
        self.launch = launch
    }

    /// What is played for an address. The same while anybody holds it.
    /// - Parameter question: where it goes by another name than its address: `address` then is what it goes by here.
    public func stream(_ address: String, _ question: StreamQuestion? = nil) throws(PosixError) -> StreamChannel {
        if let place = channels.firstIndex(where: { $0.address.utf8.elementsEqual(address.utf8) }) {
            let known = channels.remove(at: place)
            // What failed or is another one now is asked for anew.
            if known.state < StreamState.failed {
                channels.append(known)
                return known
            }
            drop(known)
        }
        let channel = try StreamChannel(address, question)
        channels.append(channel)
        if channels.count > StreamDesk.mostChannels { drop(channels.removeFirst()) }
        connect(channel)
        tidyLater()
        return channel
    }

    /// The stream of an address, if it is wanted at present.
    public func known(_ address: String) -> StreamChannel? {
        channels.last { $0.address.utf8.elementsEqual(address.utf8) }
    }

    /// Lets go of what is there for an address: asked for again, it begins anew.
    public func forget(_ address: String) {
        while let place = channels.firstIndex(where: { $0.address.utf8.elementsEqual(address.utf8) }) {
            drop(channels.remove(at: place))
        }
    }

    /// Lets go of all.
    public func close() {
        for channel in channels { drop(channel) }
        channels = []
        if let tidies { loop.cancel(tidies) }
        tidies = nil
    }

    private func drop(_ channel: StreamChannel) {
        if let timer = channel.reconnects { loop.cancel(timer) }
        channel.reconnects = nil
        disconnect(channel)
    }

    private func disconnect(_ channel: StreamChannel) {
        guard let connection = channel.connection else { return }
        channel.connection = nil
        loop.remove(connection)
        CPosix.close(connection)
    }

    /// Streams that nobody plays or is about to are let go of.
    private func tidyLater() {
        if tidies != nil || channels.isEmpty { return }
        let due = loop.now.adding(milliseconds: StreamDesk.tidyMilliseconds)
        tidies = loop.schedule(at: due, latest: due.adding(milliseconds: StreamDesk.tidyMilliseconds)) { [self] in
            tidies = nil
            var place = 0
            while place < channels.count {
                if isKnownUniquelyReferenced(&channels[place]) {
                    drop(channels.remove(at: place))
                } else {
                    place += 1
                }
            }
            tidyLater()
        }
    }

    // MARK: The connection

    private func connect(_ channel: StreamChannel) {
        do throws(PosixError) {
            let socket = try UnixSocket.connect(socketPath, .packets)
            let number = dup(socket.number)
            if number < 0 { throw .last("connect to \(socketPath)") }
            ns_set_close_on_exec(number)
            channel.connection = number
            StreamPacket.send(
                StreamPacket.get, channel.question.text,
                descriptors: [channel.shared.descriptor, feedWake, channel.jumpWake.number], to: number)
            let address = channel.address
            try loop.add(number, .readable) { [self] _ in
                if let channel = known(address), channel.connection == number { receive(channel, number) }
            }
        } catch {
            let isAbsent = error.code == ENOENT || error.code == ECONNREFUSED
            var message = "the fetching process does not answer: " + error.message
            if isAbsent, let launch {
                if let problem = launch() { message = problem } else { message = "" }
            } else if isAbsent {
                message = "nobody fetches: systemctl enable --now nightstand-fetch.socket"
            }
            wait(channel, message)
            connectLater(channel)
        }
    }

    private func connectLater(_ channel: StreamChannel) {
        if channel.reconnects != nil { return }
        let address = channel.address
        // The first time it has only just been started.
        let delay = channel.backoff.failures == 0 ? 30 : 0
        let due = loop.now.adding(milliseconds: delay + (delay > 0 ? 0 : channel.backoff.failed()))
        if delay > 0 { _ = channel.backoff.failed() }
        channel.reconnects = loop.schedule(at: due, latest: due) { [self] in
            guard let channel = known(address) else { return }
            channel.reconnects = nil
            if channel.connection == nil { connect(channel) }
        }
    }

    private func wait(_ channel: StreamChannel, _ message: String) {
        if channel.waitMessage.utf8.elementsEqual(message.utf8) { return }
        channel.waitMessage = message
        didWait(channel.address, message)
    }

    private func receive(_ channel: StreamChannel, _ socket: Int32) {
        for _ in 0..<16 {
            switch StreamPacket.receive(from: socket) {
            case .nothing: return
            case .end:
                disconnect(channel)
                if channel.isHopeless {
                    channel.didFail("nothing more comes, and the fetching process does not say why")
                    advance(channel)
                } else if channel.state == StreamState.flowing {
                    connectLater(channel)
                }
                return
            case .packet(let kind, let text, let descriptors):
                for more in descriptors.dropFirst() { CPosix.close(more) }
                take(channel, kind, text, FileDescriptor(owning: descriptors.first ?? -1))
                if channel.connection != socket { return }
            }
        }
    }

    private func take(_ channel: StreamChannel, _ kind: UInt8, _ text: String, _ file: consuming FileDescriptor) {
        let text = StreamDesk.oneLine(text)
        switch kind {
        case StreamPacket.file, StreamPacket.ring:
            channel.backoff.succeeded()
            guard file.number >= 0 else { return }
            if channel.isOpen && !channel.isSame(file) {
                // The fetching process was started anew, and knows nothing of the file that was played.
                didChange(channel)
            } else {
                channel.didOpen(file, isLive: kind == StreamPacket.ring)
            }
            advance(channel)
        case StreamPacket.progress:
            advance(channel)
            if channel.isWhole { didComplete(channel.address) }
        case StreamPacket.waiting: wait(channel, text)
        case StreamPacket.failed:
            channel.didFail(text)
            advance(channel)
        case StreamPacket.changed:
            didChange(channel)
            advance(channel)
        case StreamPacket.title: didHearTitle(channel.address, text)
        case StreamPacket.rendition: channel.rendition = text
        case StreamPacket.station: didHearStation(channel.address, text)
        default: break
        }
    }

    /// Whatever the other process says: one line, and not a long one.
    static func oneLine(_ text: String) -> String {
        let bytes = text.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }
        return String(decoding: bytes.prefix(300), as: UTF8.self)
    }

    private func didChange(_ channel: StreamChannel) {
        channel.shared.page.pointee.state.store(StreamState.changed, ordering: .releasing)
        disconnect(channel)
    }

    private func advance(_ channel: StreamChannel) {
        _ = ns_eventfd_signal(feedWake)
        didAdvance()
    }
}
