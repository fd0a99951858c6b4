// SPDX-License-Identifier: Apache-2.0
import Posix
import Streams

/// The speakers that want one stream, and the messages to them. The fetching process's only thread.
final class FetchAudience {
    /// The time after a jump in which a speaker at another place must make do with the present bytes.
    private static let jumpMilliseconds: Int64 = 3000
    /// The time in which speakers can ask again.
    private static let returnMilliseconds = 5000

    private(set) var peers: [FetchPeer] = []
    /// The last message of each kind, for later speakers.
    private var said: [(kind: UInt8, text: String)] = []
    /// The number of bytes for a second of sound, from the source.
    private var sourceSecondBytes = 16 * 1024
    private var jumpedAt: MonotonicTime?
    private var awaitedUntil: MonotonicTime?

    // MARK: Who is there

    func add(_ peer: FetchPeer) { peers.append(peer) }

    /// Sends all speakers to ask again, since another recording comes.
    func dismiss() {
        for peer in peers { peer.tellChanged() }
        peers = []
    }

    /// Sends speakers with the lost file to ask again; the job waits for them.
    func dismissThoseWithFile() {
        let before = peers.count
        for peer in peers where peer.hasFile { peer.tellChanged() }
        peers.removeAll { $0.hasFile }
        if peers.count < before { awaitedUntil = .now.adding(milliseconds: FetchAudience.returnMilliseconds) }
    }

    /// Forgets speakers that are gone. Returns true while one is there, or is expected again.
    func isWanted() -> Bool {
        peers.removeAll { $0.isGone }
        return !peers.isEmpty || awaitedUntil.map { $0 > .now } ?? false
    }

    // MARK: Messages

    /// Repeats the messages so far to a speaker.
    func repeatWords(to peer: FetchPeer) { for one in said where !one.text.isEmpty { peer.tell(one.kind, one.text) } }

    /// - Returns: false for a repetition; an empty message counts as said before.
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

    /// The smallest number of bytes that a speaker has read; nil without speakers.
    var leastConsumed: Int64? { peers.map { $0.consumed }.min() }

    /// The place that a speaker waits for: the destination of a jump comes before the missing bytes of a speaker at another place. nil for
    /// none.
    var wanted: Int64? {
        if let jump { return jump }
        let isNew = jumpedAt.map { MonotonicTime.now.milliseconds(since: $0) < FetchAudience.jumpMilliseconds } ?? false
        return isNew ? nil : peers.lazy.compactMap { $0.wanted }.first
    }

    private var jump: Int64? { peers.lazy.compactMap { $0.jump }.first }

    /// Notes that the wanted place is fetched next.
    func didGoToWanted() { if jump != nil { jumpedAt = .now } }

    /// The number of bytes for a second of sound, as far as known.
    var secondBytes: Int { peers.lazy.map { $0.secondBytes }.first { $0 > 0 } ?? sourceSecondBytes }

    /// Sets that number from the source.
    func learn(secondBytes: Int64) { sourceSecondBytes = Int(max(1024, min(64 * 1024, secondBytes))) }
}
