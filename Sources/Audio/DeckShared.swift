// SPDX-License-Identifier: Apache-2.0
import Posix
import Realtime
import Synchronization

/// The state that both ends of a deck share: the feed thread (`DeckSource`) puts in, the audio thread (`Deck`) takes out, control looks on.
/// Constants and atomics only.
public struct DeckShared: ~Copyable {
    /// Enough for over three seconds of the fattest stream (320 kbit/s), so that a stalled disk stays inaudible.
    public static let bytes = 128 * 1024
    /// A thinner stream takes as much as lasts this long.
    public static let milliseconds = 8000
    public static let leastBytes = 32 * 1024
    /// For frames decoded ahead: three seconds of 96 kHz in stereo. Address space only, until its first use.
    public static let frameBytes = 3 * 96_000 * 4
    /// The fill of a deck that waits for its turn.
    public static let waitingBytes = 16 * 1024

    /// Compressed bytes, or frames decoded ahead (`FrameRing`).
    public let ring = ByteRing(capacityBytes: DeckShared.frameBytes)
    /// 0 while more is to come; `complete` once all is in the ring, or the errno that ended reading, or `broken`.
    private let input = Atomic<Int>(0)
    /// The ring's byte (counted from its last reset) at which the decoder may have to allocate its buffers again: frames of another format
    /// begin there, or bytes were skipped; `Int64.max` without such a place. The audio thread takes nothing from there on until the feed
    /// thread has primed the deck with it.
    public let changeByte = Atomic<Int64>(.max)
    /// The audio thread has come to `changeByte` and leaves the deck to the feed thread, which clears this.
    public let isLeftToFeed = Atomic<Bool>(false)
    /// Audio thread: it is this deck's turn, so it deserves a full ring.
    public let isPlaying = Atomic<Bool>(false)
    /// Audio thread: found nothing; the feed thread wakes it after filling.
    public let isStarved = Atomic<Bool>(false)
    /// Audio thread: the least that was ready while there was more to come.
    public let leastFilledBytes = Atomic<Int>(.max)
    /// Woken when the ring runs low.
    public let feedWake: UnsafeMutablePointer<WakeSignal>

    private static var reading: Int { @_noLocks @_noAllocation get { 0 } }
    private static var complete: Int { @_noLocks @_noAllocation get { -1 } }
    private static var broken: Int { @_noLocks @_noAllocation get { -2 } }

    public init(feedWake: UnsafeMutablePointer<WakeSignal>) { self.feedWake = feedWake }

    /// Feed thread, while no other thread has the deck.
    public borrowing func reset() {
        ring.reset(capacityBytes: DeckShared.bytes)
        expectInput()
        isPlaying.store(false, ordering: .relaxed)
        isStarved.store(false, ordering: .relaxed)
        leastFilledBytes.store(.max, ordering: .relaxed)
    }

    /// Feed thread, while no other thread has the deck: more is to come.
    public borrowing func expectInput() {
        changeByte.store(.max, ordering: .relaxed)
        isLeftToFeed.store(false, ordering: .relaxed)
        input.store(DeckShared.reading, ordering: .releasing)
    }

    /// Feed thread, while no other thread has the deck: returns the pages of the ring that only decoded frames have touched to the system.
    public borrowing func giveBackFrames() {
        reset()
        ring.giveBack(from: DeckShared.bytes)
    }

    /// Feed thread: nothing more comes.
    public borrowing func endInput(_ end: DeckEnd) {
        switch end {
        case .complete: input.store(DeckShared.complete, ordering: .releasing)
        case .readFailed(let errno): input.store(Int(errno), ordering: .releasing)
        case .decodeFailed: input.store(DeckShared.broken, ordering: .releasing)
        }
    }

    /// Why nothing more comes; nil while more is to come. A thread that sees the end also sees all bytes before it.
    public var inputEnd: DeckEnd? {
        @_noLocks @_noAllocation get {
            let value = input.load(ordering: .acquiring)
            if value == DeckShared.reading { return nil }
            if value == DeckShared.complete { return .complete }
            if value == DeckShared.broken { return .decodeFailed }
            return .readFailed(errno: Int32(truncatingIfNeeded: value))
        }
    }

    /// True while more bytes are to come.
    public var isReading: Bool {
        @_noLocks @_noAllocation get { input.load(ordering: .acquiring) == DeckShared.reading }
    }

    /// The fill below which the audio thread wakes the feed thread: half.
    public var lowWaterBytes: Int { @_noLocks @_noAllocation get { ring.capacityBytes / 2 } }

    /// Feed thread, after it has put something in, or ended. True if the audio thread found nothing before and has to be woken.
    public borrowing func didFeed() -> Bool {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        if !isStarved.load(ordering: .relaxed) || isLeftToFeed.load(ordering: .relaxed) { return false }
        isStarved.store(false, ordering: .relaxed)
        return true
    }

    /// Audio thread: has used `bytes` of the ring.
    @_noLocks @_noAllocation
    borrowing func didTake(_ bytes: Int) {
        let before = ring.filledBytes()
        ring.consume(bytes)
        let left = before - bytes
        if isPlaying.load(ordering: .relaxed) && isReading && left < leastFilledBytes.load(ordering: .relaxed) {
            leastFilledBytes.store(left, ordering: .relaxed)
        }
        if before >= lowWaterBytes && left < lowWaterBytes { feedWake.pointee.signal() }
    }

    /// Audio thread: says that it found nothing. False if something came in between.
    @_noLocks @_noAllocation
    borrowing func starve() -> Bool {
        // Say so first and look again after: otherwise bytes or the end could arrive in between and wake no thread.
        isStarved.store(true, ordering: .relaxed)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        if ring.filledBytes() > 0 || !isReading { return false }
        feedWake.pointee.signal()
        return true
    }

    /// The ring's reader: it has come to `changeByte`.
    public var isAtChange: Bool {
        @_noLocks @_noAllocation get { ring.consumedBytes() >= changeByte.load(ordering: .acquiring) }
    }

    /// Audio thread: does not touch the deck from now on until the feed thread has primed it.
    @_noLocks @_noAllocation
    borrowing func leaveToFeed() {
        isStarved.store(true, ordering: .relaxed)
        isLeftToFeed.store(true, ordering: .releasing)
        feedWake.pointee.signal()
    }

    /// Feed thread: the deck is primed and the audio thread's again; wake it.
    public borrowing func giveBackToAudio() {
        isStarved.store(false, ordering: .relaxed)
        isLeftToFeed.store(false, ordering: .releasing)
    }
}
