import Posix
import Streams

/// The speakers that want one stream, and what they are told of it. The fetching process's only thread.
final class FetchAudience {
    private static let progressMilliseconds: Int64 = 250

    private(set) var peers: [FetchPeer] = []
    /// Why nothing comes at the moment; "" while it does.
    private(set) var waiting = ""

    func add(_ peer: FetchPeer) { peers.append(peer) }

    /// They ask anew.
    func dismiss() { peers = [] }

    /// The same for those that were given the file. True where somebody was.
    func dismissThoseWithFile() -> Bool {
        let before = peers.count
        for peer in peers where peer.hasFile {
            peer.publish(state: StreamState.changed)
            peer.tell(StreamPacket.changed)
        }
        peers.removeAll { $0.hasFile }
        return peers.count < before
    }

    /// Those that are gone are forgotten. True while somebody is there.
    func hasPeers() -> Bool {
        peers.removeAll { $0.isGone }
        return !peers.isEmpty
    }

    func tell(_ kind: UInt8, _ text: String = "") { for peer in peers { peer.tell(kind, text) } }

    /// Why nothing comes; "" where it does again. True where that is new.
    func say(_ message: String) -> Bool {
        if waiting.utf8.elementsEqual(message.utf8) { return false }
        waiting = message
        tell(StreamPacket.waiting, message)
        return true
    }

    /// The least that any of them has read; nil where nobody is there.
    var leastConsumed: Int64? { peers.map { $0.consumed }.min() }

    /// A place that one of them waits for; nil where none does.
    var wanted: Int64? { peers.lazy.compactMap { $0.wanted }.first }

    /// The same, of a place that was gone to.
    var jump: Int64? { peers.lazy.compactMap { $0.jump }.first }

    /// Bytes that play for a second, as a speaker has found out; nil while none has.
    var secondBytes: Int? { peers.lazy.map { $0.secondBytes }.first { $0 > 0 } }

    /// More has come: those that are about to need it are told, now and then.
    /// - Parameter isNeeded: whether one that has read so far is to be told at all.
    func tellProgress(_ isNeeded: (Int64) -> Bool) {
        let now = MonotonicTime.now
        for peer in peers {
            let isNew = peer.lastProgress.map { now.milliseconds(since: $0) >= FetchAudience.progressMilliseconds }
            guard isNew ?? true, peer.lastProgress == nil || isNeeded(peer.consumed) else { continue }
            peer.lastProgress = now
            peer.tell(StreamPacket.progress)
        }
    }
}
