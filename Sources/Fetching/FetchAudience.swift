// SPDX-License-Identifier: Apache-2.0
import Posix
import Streams

/// The speakers that want one stream, and their messages. The fetching process's only thread.
final class FetchAudience {
    /// For so long after a jump, a speaker at another place has to do with the present bytes.
    private static let jumpMilliseconds: Int64 = 3000
    /// Speakers that have to ask anew get this long for it.
    private static let returnMilliseconds = 5000

    private(set) var peers: [FetchPeer] = []
    /// The last message of each kind, for later speakers.
    private var said: [(kind: UInt8, text: String)] = []
    /// Bytes that play for a second, as the source has it.
    private var sourceSecondBytes = 16 * 1024
    private var jumpedAt: MonotonicTime?
    private var awaitedUntil: MonotonicTime?

    // MARK: Who is there

    func add(_ peer: FetchPeer) { peers.append(peer) }

    /// Another recording comes: they are to ask anew.
    func dismiss() {
        for peer in peers { peer.tellChanged() }
        peers = []
    }

    /// The file is gone: speakers that have it must ask anew, and the job waits for them.
    func dismissThoseWithFile() {
        let before = peers.count
        for peer in peers where peer.hasFile { peer.tellChanged() }
        peers.removeAll { $0.hasFile }
        if peers.count < before { awaitedUntil = .now.adding(milliseconds: FetchAudience.returnMilliseconds) }
    }

    /// Forgets speakers that are gone. True while one is there, or is to come again.
    func isWanted() -> Bool {
        peers.removeAll { $0.isGone }
        return !peers.isEmpty || awaitedUntil.map { $0 > .now } ?? false
    }

    // MARK: Messages

    /// Repeats the messages so far.
    func repeatWords(to peer: FetchPeer) { for one in said where !one.text.isEmpty { peer.tell(one.kind, one.text) } }

    /// - Returns: false if the message is a repetition; the empty one needs no first time.
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

    /// The least that any of them has read; nil without speakers.
    var leastConsumed: Int64? { peers.map { $0.consumed }.min() }

    /// The place that a speaker waits for: the destination of a jump comes before the missing bytes of a speaker at another place. Nil for
    /// none.
    var wanted: Int64? {
        if let jump { return jump }
        let isNew = jumpedAt.map { MonotonicTime.now.milliseconds(since: $0) < FetchAudience.jumpMilliseconds } ?? false
        return isNew ? nil : peers.lazy.compactMap { $0.wanted }.first
    }

    private var jump: Int64? { peers.lazy.compactMap { $0.jump }.first }

    /// The wanted place is fetched next.
    func didGoToWanted() { if jump != nil { jumpedAt = .now } }

    /// The bytes of a second of sound, as far as known.
    var secondBytes: Int { peers.lazy.map { $0.secondBytes }.first { $0 > 0 } ?? sourceSecondBytes }

    /// The source says it.
    func learn(secondBytes: Int64) { sourceSecondBytes = Int(max(1024, min(64 * 1024, secondBytes))) }
}
