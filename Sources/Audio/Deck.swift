import Mpg123
import Posix
import Realtime
import Synchronization

/// One stream on its way from bytes to frames: the ring that the feed thread fills, and the decoder that the audio thread
/// empties it into. There are three: one playing, one lined up behind it, one being got ready for a jump.
///
/// A deck is opened and positioned on the feed thread while nobody else knows it, then handed to the audio thread, then handed
/// back. In between the feed thread touches the ring's producing side and `inputState` only.
public struct Deck: ~Copyable {
    /// Enough for over three seconds of the fattest stream (320 kbit/s), so that a stalled disk is not heard.
    public static let ringBytes = 128 * 1024
    /// A thinner stream takes as much as lasts this long.
    public static let ringMilliseconds = 8000
    public static let ringLeastBytes = 32 * 1024
    /// Below this the feed thread is called: half.
    public var lowWaterBytes: Int { @_noLocks @_noAllocation get { ring.capacityBytes / 2 } }
    /// A deck that only waits its turn is filled this far.
    public static let waitingBytes = 16 * 1024

    /// What `pull` came back with.
    public enum Outcome: BitwiseCopyable, Equatable {
        case frames
        /// The ring is empty and there is more to come.
        case starved
        case ended(DeckEnd)
    }

    /// Values of `inputState` other than a positive errno of a failed read.
    public static var reading: Int { @_noLocks @_noAllocation get { 0 } }
    public static var complete: Int { @_noLocks @_noAllocation get { -1 } }

    public var ring = ByteRing(capacityBytes: Deck.ringBytes)
    public let decoder: Decoder
    /// Feed thread: `reading`, `complete` once all bytes are in the ring, or the errno that ended reading.
    public let inputState = Atomic<Int>(Deck.reading)
    /// Audio thread: it is this deck's turn, so it deserves a full ring.
    public let isPlaying = Atomic<Bool>(false)
    /// Audio thread: found nothing; the feed thread wakes it after filling.
    public let isStarved = Atomic<Bool>(false)
    /// Audio thread: the least that was ready while there was more to come.
    public let leastFilledBytes = Atomic<Int>(Deck.ringBytes)
    /// Woken when the ring runs low.
    let feedWake: UnsafeMutablePointer<WakeSignal>

    /// Names the track and the jump that this deck was got ready for; chosen by the control thread, never used twice.
    public var token = 0
    /// Hz; set while the deck is got ready.
    public var rate = 0
    public var channels = 0
    /// The sample, gapless, at which its first frame stands.
    public var startSample: Int64 = 0

    /// Audio thread: what was decoded since its turn came, by which the ring's bytes are told in time.
    private var decodedBytes: Int64 = 0
    private var decodedSamples: Int64 = 0

    /// Frames decoded while the deck was got ready, which come first.
    private var pending: UnsafePointer<Int16>?
    private var pendingSamples = 0

    public init(feedWake: UnsafeMutablePointer<WakeSignal>) throws(Mpg123Error) {
        decoder = try Decoder()
        self.feedWake = feedWake
    }

    /// Feed thread: forgets the last stream.
    public mutating func reset() throws(Mpg123Error) {
        ring.reset()
        inputState.store(Deck.reading, ordering: .releasing)
        isPlaying.store(false, ordering: .relaxed)
        isStarved.store(false, ordering: .relaxed)
        leastFilledBytes.store(Deck.ringBytes, ordering: .relaxed)
        pendingSamples = 0
        try decoder.open()
    }

    /// Feed thread: decodes until the first frames stand ready or the ring is empty, so that the audio thread finds a decoder
    /// whose every buffer is made.
    public mutating func prime() -> Outcome {
        var samples: UnsafePointer<Int16>?
        var count = 0
        let outcome = pull(samples: &samples, count: &count)
        if outcome == .frames {
            pending = samples
            pendingSamples = count
        }
        return outcome
    }

    /// Feed thread: before a seek, what `prime` left.
    public mutating func forgetPending() { pendingSamples = 0 }

    /// Audio thread: its turn has come.
    @_noLocks @_noAllocation
    mutating func begin() {
        decodedBytes = 0
        decodedSamples = 0
        isPlaying.store(true, ordering: .releasing)
        feedWake.pointee.signal()
    }

    /// Audio thread: how much sound the ring holds, at the bit rate so far; nil where no more is to come, and before anything was
    /// decoded.
    @_noLocks @_noAllocation
    borrowing func ringNanoseconds() -> Int64? {
        if decodedBytes == 0 || inputState.load(ordering: .relaxed) != Deck.reading { return nil }
        return Int64(ring.filledBytes()) * decodedSamples / decodedBytes * 1_000_000_000 / Int64(rate * channels)
    }

    @_noLocks @_noAllocation
    private borrowing func noteFill(_ bytes: Int) {
        if isPlaying.load(ordering: .relaxed) && inputState.load(ordering: .relaxed) == Deck.reading
            && bytes < leastFilledBytes.load(ordering: .relaxed)
        {
            leastFilledBytes.store(bytes, ordering: .relaxed)
        }
    }

    /// The next decoded frames: `count` 16-bit samples, channels interleaved, good until the next call.
    @_noLocks @_noAllocation
    public mutating func pull(samples: inout UnsafePointer<Int16>?, count: inout Int) -> Outcome {
        if pendingSamples > 0 {
            samples = pending
            count = pendingSamples
            pendingSamples = 0
            return .frames
        }
        while true {
            switch decoder.decode(samples: &samples, count: &count) {
            case .frames:
                decodedSamples += Int64(count)
                return .frames
            case .skipped: continue
            case .failed: return .ended(.decodeFailed)
            case .needsInput: break
            }
            let ready = ring.peek()
            if ready.count > 0 {
                let part = min(ready.count, Decoder.feedBytes)
                if !decoder.feed(UnsafeRawBufferPointer(start: ready.baseAddress, count: part)) {
                    return .ended(.decodeFailed)
                }
                let before = ring.filledBytes()
                ring.consume(part)
                noteFill(before - part)
                decodedBytes += Int64(part)
                if before >= lowWaterBytes && before - part < lowWaterBytes { feedWake.pointee.signal() }
                continue
            }
            if inputState.load(ordering: .acquiring) == Deck.reading {
                // Say so first and look again after: else bytes, or the end, that arrive in between would wake nobody.
                isStarved.store(true, ordering: .relaxed)
                atomicMemoryFence(ordering: .sequentiallyConsistent)
                if ring.filledBytes() > 0 || inputState.load(ordering: .acquiring) != Deck.reading { continue }
                feedWake.pointee.signal()
                return .starved
            }
            if ring.filledBytes() > 0 { continue }
            // A last frame cut short is not played, as libmpg123 does not play it from a file either.
            let state = inputState.load(ordering: .relaxed)
            return .ended(state > 0 ? .readFailed(errno: Int32(truncatingIfNeeded: state)) : .complete)
        }
    }
}
