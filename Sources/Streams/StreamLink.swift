// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Posix

/// A wanted stream: requests it from the fetching process, repeats the request when that ends, and takes its reports. Control thread.
public final class StreamLink {
    private unowned(unsafe) let desk: StreamDesk
    /// The bytes of the stream. Its player holds it, too.
    public private(set) var channel: StreamChannel
    private let connection: FetchConnection
    /// The reason why no bytes come at the moment; "" while they come.
    public private(set) var waitMessage = ""
    /// The same in short; nil if there was no message.
    public private(set) var waitReason: Trouble?
    /// The rendition being fetched, in words; "" if there is only one.
    public private(set) var rendition = ""
    private var backoff = Backoff(firstMilliseconds: 250, longestMilliseconds: 10_000)
    private var reconnects: EventLoop.TimerToken?

    init(_ desk: StreamDesk, _ channel: StreamChannel) {
        self.desk = desk
        self.channel = channel
        connection = FetchConnection(desk.process)
    }

    func connect() {
        let descriptors = [channel.shared.descriptor, desk.process.feedWake, channel.jumpWake.number]
        let problem = connection.open(
            StreamPacket.get, channel.question.text, descriptors: descriptors,
            take: { [self] in take($0, $1, $2) }, end: { [self] in didEnd() })
        guard let problem else { return }
        wait(problem)
        connectLater()
    }

    private func connectLater() {
        if reconnects != nil { return }
        // At the first failure the process has only just started.
        let isFirst = backoff.failures == 0
        let delay = backoff.failed()
        let due = desk.process.loop.now.adding(milliseconds: isFirst ? 30 : delay)
        reconnects = desk.process.loop.schedule(at: due, latest: due) { [self] in
            reconnects = nil
            if !connection.isOpen { connect() }
        }
    }

    func close() {
        if let reconnects { desk.process.loop.cancel(reconnects) }
        reconnects = nil
        connection.close()
    }

    /// Closes the link if it alone holds the channel. Returns whether it did.
    func closeIfUnused() -> Bool {
        let isUnused = isKnownUniquelyReferenced(&channel)
        if isUnused { close() }
        return isUnused
    }

    private func wait(_ message: String) {
        if waitMessage.utf8.elementsEqual(message.utf8) { return }
        waitMessage = message
        if message.isEmpty { waitReason = nil }
        desk.didWait(channel.address, message)
    }

    private func didEnd() {
        if channel.isHopeless {
            fail("nothing more comes, and the fetching process does not say why")
        } else if channel.state == StreamState.flowing {
            connectLater()
        }
    }

    private func take(_ kind: UInt8, _ text: String, _ file: consuming FileDescriptor) {
        switch kind {
        case StreamPacket.file, StreamPacket.ring:
            backoff.succeeded()
            guard file.number >= 0 else { return }
            // A new fetching process does not know the file that was playing.
            if channel.opened.value != nil && !channel.isSame(file) { return change() }
            channel.didOpen(file, isLive: kind == StreamPacket.ring)
            advance()
        case StreamPacket.progress:
            advance()
            if channel.isWhole { desk.didComplete(channel.address) }
        case StreamPacket.reason: waitReason = Trouble(text: text)
        case StreamPacket.waiting: wait(text)
        case StreamPacket.failed: fail(text)
        case StreamPacket.changed: change()
        case StreamPacket.title: desk.didHearTitle(channel.address, text)
        case StreamPacket.rendition: rendition = text
        case StreamPacket.station: desk.didHearStation(channel.address, text)
        default: break
        }
    }

    private func fail(_ message: String) {
        waitMessage = ""
        waitReason = nil
        channel.didFail(message)
        advance()
    }

    private func change() {
        channel.didChange()
        connection.close()
        advance()
    }

    private func advance() {
        _ = ns_eventfd_signal(desk.process.feedWake)
        desk.didAdvance()
    }
}
