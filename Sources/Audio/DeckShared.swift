// SPDX-License-Identifier: Apache-2.0
import Posix
import Realtime
import Synchronization

/// The shared state of a deck: the feed thread (`DeckSource`) fills it, the audio thread (`Deck`) empties it, control reads it. Constants
/// and atomics only.
public struct DeckShared: ~Copyable {
    /// The size for compressed bytes: over three seconds at 320 kbit/s, so that a stalled disk stays inaudible.
    public static let bytes = 128 * 1024
    /// The most playing time for streams of lower bit rate.
    public static let milliseconds = 8000
    public static let leastBytes = 32 * 1024
    /// The size for frames decoded ahead: three seconds of 96 kHz in stereo. It is only address space until its first use.
    public static let frameBytes = 3 * 96_000 * 4
    /// The fill of a deck that waits for its turn.
    public static let waitingBytes = 16 * 1024

    /// Compressed bytes, or frames decoded ahead (`FrameRing`).
    public let ring = ByteRing(capacityBytes: DeckShared.frameBytes)
    /// The state of the input: 0 while more is to come, then `complete`, the errno of a read, or `broken`.
    private let input = Atomic<Int>(0)
    /// The ring's byte (counted from its last reset) at which the decoder may need new buffers, because the format changes or bytes were
    /// skipped; `Int64.max` for none. The audio thread stops there until the feed thread has primed the deck.
    public let changeByte = Atomic<Int64>(.max)
    /// True if the audio thread has reached `changeByte` and leaves the deck to the feed thread, which clears this.
    public let isLeftToFeed = Atomic<Bool>(false)
    /// Set by the audio thread: this deck plays, so its ring should be full.
    public let isPlaying = Atomic<Bool>(false)
    /// Set by the audio thread: the ring was empty, so the feed thread wakes it after filling.
    public let isStarved = Atomic<Bool>(false)
    /// Set by the audio thread: the lowest fill while there was more to come.
    public let leastFilledBytes = Atomic<Int>(.max)
    /// The signal for the feed thread when the ring runs low.
    public let feedWake: UnsafeMutablePointer<WakeSignal>

    private static var reading: Int { @_noLocks @_noAllocation get { 0 } }
    private static var complete: Int { @_noLocks @_noAllocation get { -1 } }
    private static var broken: Int { @_noLocks @_noAllocation get { -2 } }

    public init(feedWake: UnsafeMutablePointer<WakeSignal>) { self.feedWake = feedWake }

    /// Resets the state. Feed thread, while no other thread has the deck.
    public borrowing func reset() {
        ring.reset(capacityBytes: DeckShared.bytes)
        expectInput()
        isPlaying.store(false, ordering: .relaxed)
        isStarved.store(false, ordering: .relaxed)
        leastFilledBytes.store(.max, ordering: .relaxed)
    }

    /// Announces more input. Feed thread, while no other thread has the deck.
    public borrowing func expectInput() {
        changeByte.store(.max, ordering: .relaxed)
        isLeftToFeed.store(false, ordering: .relaxed)
        input.store(DeckShared.reading, ordering: .releasing)
    }

    /// Returns the pages that only decoded frames have used to the system. Feed thread, while no other thread has the deck.
    public borrowing func giveBackFrames() {
        reset()
        ring.giveBack(from: DeckShared.bytes)
    }

    /// Ends the input. Feed thread.
    public borrowing func endInput(_ end: DeckEnd) {
        switch end {
        case .complete: input.store(DeckShared.complete, ordering: .releasing)
        case .readFailed(let errno): input.store(Int(errno), ordering: .releasing)
        case .decodeFailed: input.store(DeckShared.broken, ordering: .releasing)
        }
    }

    /// The reason for the end of the input; nil while more is to come. A thread that sees the end also sees all bytes before it.
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

    /// Reports new bytes or the end. Feed thread. Returns true if the audio thread found the ring empty before and must be woken.
    public borrowing func didFeed() -> Bool {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        if !isStarved.load(ordering: .relaxed) || isLeftToFeed.load(ordering: .relaxed) { return false }
        isStarved.store(false, ordering: .relaxed)
        return true
    }

    /// Reports that `bytes` of the ring were used. Audio thread.
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

    /// Reports an empty ring. Audio thread. Returns false if something arrived meanwhile.
    @_noLocks @_noAllocation
    borrowing func starve() -> Bool {
        // Report first, then check again: otherwise bytes or the end could arrive in between and wake no thread.
        isStarved.store(true, ordering: .relaxed)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        if ring.filledBytes() > 0 || !isReading { return false }
        feedWake.pointee.signal()
        return true
    }

    /// True if the reader of the ring has reached `changeByte`.
    public var isAtChange: Bool {
        @_noLocks @_noAllocation get { ring.consumedBytes() >= changeByte.load(ordering: .acquiring) }
    }

    /// Leaves the deck alone until the feed thread has primed it. Audio thread.
    @_noLocks @_noAllocation
    borrowing func leaveToFeed() {
        isStarved.store(true, ordering: .relaxed)
        isLeftToFeed.store(true, ordering: .releasing)
        feedWake.pointee.signal()
    }

    /// Returns a primed deck to the audio thread, which must be woken. Feed thread.
    public borrowing func giveBackToAudio() {
        isStarved.store(false, ordering: .relaxed)
        isLeftToFeed.store(false, ordering: .releasing)
    }
}
