import Posix
import Streams

/// The speakers that want one stream, and what they are told of it. The fetching process's only thread.
final class FetchAudience {
    /// So long after a jump who still plays at another place has to do with what is there.
    private static let jumpMilliseconds: Int64 = 3000
    /// Speakers that were told to ask anew have so long for it.
    private static let returnMilliseconds = 5000

    private(set) var peers: [FetchPeer] = []
    /// What was said last of each kind, for who comes later.
    private var said: [(kind: UInt8, text: String)] = []
    /// Bytes that play for a second, as the source has it.
    private var sourceSecondBytes = 16 * 1024
    private var jumpedAt: MonotonicTime?
    private var awaitedUntil: MonotonicTime?

    // MARK: Who is there

    func add(_ peer: FetchPeer) { peers.append(peer) }

    /// What comes is another recording: they are to ask anew.
    func dismiss() {
        for peer in peers { peer.tellChanged() }
        peers = []
    }

    /// The file is gone: those that were given it are to ask anew, and are waited for.
    func dismissThoseWithFile() {
        let before = peers.count
        for peer in peers where peer.hasFile { peer.tellChanged() }
        peers.removeAll { $0.hasFile }
        if peers.count < before { awaitedUntil = .now.adding(milliseconds: FetchAudience.returnMilliseconds) }
    }

    /// Those that are gone are forgotten. True while somebody is there, or is to come again.
    func isWanted() -> Bool {
        peers.removeAll { $0.isGone }
        return !peers.isEmpty || awaitedUntil.map { $0 > .now } ?? false
    }

    // MARK: What they are told

    /// What was said so far.
    func repeatWords(to peer: FetchPeer) { for one in said where !one.text.isEmpty { peer.tell(one.kind, one.text) } }

    /// - Returns: false where it was said already; nothing needs not be said first.
    @discardableResult
    func say(_ kind: UInt8, _ text: String) -> Bool {
        let place = said.firstIndex { $0.kind == kind } ?? said.count
        if place == said.count { said.append((kind, "")) }
        if said[place].text.utf8.elementsEqual(text.utf8) { return false }
        said[place].text = text
        for peer in peers { peer.tell(kind, text) }
        return true
    }

    // MARK: What they want

    /// The least that any of them has read; nil where nobody is there.
    var leastConsumed: Int64? { peers.map { $0.consumed }.min() }

    /// A place that is waited for: one that was gone to, before what is missed by who still plays elsewhere. Nil for none.
    var wanted: Int64? {
        if let jump { return jump }
        let isNew = jumpedAt.map { MonotonicTime.now.milliseconds(since: $0) < FetchAudience.jumpMilliseconds } ?? false
        return isNew ? nil : peers.lazy.compactMap { $0.wanted }.first
    }

    private var jump: Int64? { peers.lazy.compactMap { $0.jump }.first }

    /// What is wanted is fetched next.
    func didGoToWanted() { if jump != nil { jumpedAt = .now } }

    /// Bytes that play for a second, as far as anybody knows.
    var secondBytes: Int { peers.lazy.map { $0.secondBytes }.first { $0 > 0 } ?? sourceSecondBytes }

    /// The source says it.
    func learn(secondBytes: Int64) { sourceSecondBytes = Int(max(1024, min(64 * 1024, secondBytes))) }
}
