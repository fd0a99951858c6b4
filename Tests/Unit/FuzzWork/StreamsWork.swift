// SPDX-License-Identifier: Apache-2.0
import CPosix
import Media
import Posix

@testable import Fetching
@testable import Playlists
@testable import Streams

/// The messages between the processes. Each process treats the other as a stranger, since it handles strangers' bytes.
extension FuzzWork {
    static func playlist(_ bytes: [UInt8], _ format: PlaylistFormat, _ broken: Broken) {
        var parser = PlaylistParser(format)
        var text = PlaylistText()
        _ = bytes.withUnsafeBytes { parser.take($0, into: &text) }
        _ = parser.finish(into: &text)
        for index in 0..<text.count where text[index].count > bytes.count {
            broken("an entry is no longer than its list")
        }
        // The other formats are told by the name alone.
        if case .m3u = format { playlist(bytes, .pls, broken) }
    }

    static func question(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let question = StreamQuestion(text: text) { _ = StreamQuestion(text: question.text) }
        _ = StreamOffers(text: text).map { StreamOffers(text: $0.text) }
    }

    /// A file in memory that holds them; nil where there is no room.
    private static func file(_ bytes: [UInt8]) -> FileDescriptor? {
        let number = ns_shared_memory("fuzz", max(1, bytes.count))
        if number < 0 { return nil }
        _ = bytes.withUnsafeBytes { pwrite(number, $0.baseAddress, $0.count, 0) }
        return FileDescriptor(owning: number)
    }

    static func records(_ bytes: [UInt8], _ broken: Broken) {
        guard let file = file(bytes) else { return }
        let pages = FeedPages(file)
        var count = 0
        while true {
            let records = pages.next(most: 7)
            if records.isEmpty { break }
            for record in records {
                _ = (record.number(.published), record.number(.seconds), record[.offers].map { StreamOffers(text: $0) })
                if record.bytes.count > FeedRecord.mostBytes { broken("a record is no longer than it may be") }
            }
            count += records.count
        }
        if count > FeedRecord.mostEpisodes + 1 { broken("a feed has no more episodes than it may have") }
    }

    /// The page that both have mapped, with anything in it.
    static func page(_ bytes: [UInt8], _ broken: Broken) {
        var sockets: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &sockets) == 0 else { return }
        let own = FileDescriptor(owning: sockets[0])
        let other = FileDescriptor(owning: sockets[1])
        guard let channel = try? StreamChannel("http://h/a"), let wake = try? WakeSignal(),
            let file = file([UInt8](repeating: 3, count: 200_000)),
            let ring = try? StreamChannel("http://h/b"), let ringFile = self.file([UInt8](repeating: 3, count: 200_000))
        else { return }
        channel.didOpen(file, isLive: false)
        ring.didOpen(ringFile, isLive: true)
        StreamPacket.send(
            StreamPacket.get, channel.question.text, descriptors: [channel.shared.descriptor, wake.number],
            to: other.number)
        let peer = FetchPeer(own)
        guard case .stream = peer.receive() else { return broken("a question is one") }
        func spoil(_ channel: StreamChannel) {
            let page = UnsafeMutableRawBufferPointer(
                start: UnsafeMutableRawPointer(channel.shared.page), count: StreamPage.bytes)
            page.copyBytes(from: bytes.prefix(StreamPage.bytes))
        }
        for channel in [channel, ring] {
            spoil(channel)
            read(channel, broken)
        }
        spoil(channel)
        _ = (peer.wanted, peer.jump, peer.secondBytes, peer.ear, peer.consumed)
        var map = CacheMap(address: "http://h/a")
        map.length = 1 << 40
        map.spans.insert(0..<100_000)
        peer.publish(map, takesJumps: true, state: StreamState.flowing, secondBytes: peer.secondBytes)
        spoil(channel)
        peer.tellChanged()
    }

    private static func read(_ channel: StreamChannel, _ broken: Broken) {
        _ = (channel.secondBytes, channel.aheadBytes, channel.aheadMilliseconds, channel.takesJumps, channel.isReady)
        _ = (channel.isWhole, channel.isHopeless, channel.mayBringMore, channel.lengthBytes)
        guard let source = try? channel.open() else { return }
        var buffer = [UInt8](repeating: 0, count: 1000)
        for place in [0, 1, 199_999, 200_000, 1 << 31, 1 << 32, Int64.max - 1] {
            if let ready = source.readyBytes(at: place, most: 1000), ready < 0 || ready > 1000 {
                broken("what is ready is as much as was asked for")
            }
            let available = source.available(at: place, most: 1000)
            if available < 0 || available > 1000 { broken("what is there is as much as was asked for") }
            _ = (source.byteCount, channel.hasAll(upTo: place), channel.reach(from: place))
            _ = buffer.withUnsafeMutableBytes { try? source.read(into: $0, at: place) }
        }
    }

    /// A packet of any bytes, to either process.
    static func packets(_ bytes: [UInt8]) {
        var sockets: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &sockets) == 0 else { return }
        let own = FileDescriptor(owning: sockets[0])
        let other = FileDescriptor(owning: sockets[1])
        _ = bytes.withUnsafeBytes { send(other.number, $0.baseAddress, $0.count, Int32(0x40)) }
        let peer = FetchPeer(own)
        _ = peer.receive()
        _ = FetchConnection.oneLine(String(decoding: bytes, as: UTF8.self))
    }
}
