// SPDX-License-Identifier: Apache-2.0
import Mpg123
import Posix
import Realtime
import Synchronization

/// The audio thread's end of one stream on its way from bytes to frames. There are three: one playing, one lined up, one being prepared for
/// a jump.
///
/// The feed thread opens and positions a deck, hands it to the audio thread, and gets it back. Only one thread owns it at a time; shared
/// state is in `DeckShared`.
public struct Deck: ~Copyable {
    /// The result of `pull`.
    public enum Outcome: BitwiseCopyable {
        /// Interleaved 16-bit samples, valid until the next call.
        case frames(UnsafePointer<Int16>, count: Int)
        /// The deck skipped a silence of so many frames: the next frame is at `sample`.
        case leapt(frames: Int, sample: Int64)
        /// The ring is empty, and more is to come.
        case starved
        /// There is no frame in the bytes so far, but more bytes are there: pull again soon.
        case searching
        case ended(DeckEnd)

        public var isFrames: Bool { if case .frames = self { true } else { false } }
        public var isStarved: Bool { if case .starved = self { true } else { false } }
    }

    /// The bytes to search for a frame at once; frames of a sound stream are shorter.
    private static var searchBytes: Int { @_noLocks @_noAllocation get { 16 * 1024 } }
    /// The bytes without a frame after which the stream counts as ended.
    private static var rubbishBytes: Int { @_noLocks @_noAllocation get { 1024 * 1024 } }

    public let shared: UnsafeMutablePointer<DeckShared>
    public let decoder: Decoder
    private var input = DeckInput.compressed
    private var hold = FormatHold()

    /// Identifies the track and the jump of this deck. The control thread chooses it, and never reuses it.
    public var token = 0
    /// The gapless sample of its first frame.
    public var startSample: Int64 = 0
    /// The playback speed in thousandths.
    public var speed = 1000
    /// The number of decoded frames to discard.
    private var framesToSkip: Int64 = 0
    /// The changes to its frames; usually none.
    private var changes = DeckChanges()

    /// The bytes searched since the last frame.
    private var searchedBytes = 0
    /// The bytes decoded since the deck's turn began, for the ring's bit rate.
    private var decodedBytes: Int64 = 0
    private var decodedSamples: Int64 = 0
    /// The samples decoded during preparation, which come first.
    private var pending: UnsafePointer<Int16>?
    private var pendingCount = 0
    /// The frames of the ring that the last `pull` returned; the next `pull` releases them.
    private var takenFrames = 0

    public init(shared: UnsafeMutablePointer<DeckShared>) throws(Mpg123Error) {
        decoder = try Decoder()
        self.shared = shared
    }

    /// The rate in Hz, once the decoder has found a frame; 0 before.
    public var rate: Int { @_noLocks @_noAllocation get { hold.rate } }
    public var channels: Int { @_noLocks @_noAllocation get { hold.channels } }

    // MARK: Feed thread

    /// Forgets the last stream.
    public mutating func reset() throws(Mpg123Error) {
        shared.pointee.reset()
        input = .compressed
        hold.reset()
        framesToSkip = 0
        searchedBytes = 0
        pendingCount = 0
        changes.clear()
        try decoder.open()
    }

    /// Prepares for frames of a thread that decodes ahead, instead of bytes. Returns the ring for them.
    /// - Parameter milliseconds: the length of the ring; nil uses all its room.
    public mutating func begin(framesOf rate: Int, channels: Int, milliseconds: Int? = nil) -> FrameRing {
        shared.pointee.reset()
        input = .frames(channels: channels)
        hold.begin(rate: rate, channels: channels)
        framesToSkip = 0
        pendingCount = 0
        takenFrames = 0
        changes.clear()
        let frameBytes = 2 * channels
        let most = DeckShared.frameBytes / frameBytes
        let frames = milliseconds.map { Int(min(Int64(most), max(1, Int64($0) * Int64(rate) / 1000))) } ?? most
        shared.pointee.ring.reset(capacityBytes: frames * frameBytes)
        return FrameRing(shared, channels: channels)
    }

    /// Sets the changes to its frames, from the first one on, once its format is known.
    /// - Parameter gain: the gain for `Leveller`; nil for none.
    public mutating func change(shortensSilences: Bool, gain: Int?) {
        changes.make(rate: rate, channels: channels, shortensSilences: shortensSilences, gain: gain)
    }

    /// Decodes until the first frames are ready or the ring is empty, so that the audio thread gets a decoder with all its buffers
    /// allocated. Never returns `searching`.
    public mutating func prime() -> Outcome {
        while true {
            let outcome = next()
            switch outcome {
            case .searching, .leapt: continue
            case .frames(let samples, let count):
                pending = samples
                pendingCount = count
                return outcome
            default: return outcome
            }
        }
    }

    /// Drops the frames of `prime` before a seek.
    public mutating func forgetPending() {
        pendingCount = 0
        hold.forgetInput()
        searchedBytes = 0
    }

    /// Skips the first `frames` of the decoder's next frames.
    public mutating func leaveOut(frames: Int64) { framesToSkip = frames }

    /// Decodes the first frames of a new format, at which the audio thread left the deck, since the decoder may allocate new buffers here.
    /// Returns false if the ring has too little for that yet.
    public mutating func primeChange() -> Bool {
        shared.pointee.changeByte.store(.max, ordering: .relaxed)
        if case .starved = prime() { return false }
        return true
    }

    // MARK: Audio thread

    /// Begins the deck's turn.
    @_noLocks @_noAllocation
    mutating func begin() {
        decodedBytes = 0
        decodedSamples = 0
        shared.pointee.isPlaying.store(true, ordering: .releasing)
        shared.pointee.feedWake.pointee.signal()
    }

    /// Moves the start slightly after the prepared place. Refuses a larger distance, since decoding up to it takes too long.
    @_noLocks @_noAllocation
    mutating func skip(to sample: Int64) {
        let frames = sample - startSample
        if frames <= 0 || frames > Int64(rate) { return }
        framesToSkip += frames
        startSample = sample
    }

    /// Returns the playing time in the ring, by the bit rate so far; nil after the end of the input, and before the first decoded frame.
    @_noLocks @_noAllocation
    borrowing func ringNanoseconds() -> Int64? {
        if decodedBytes == 0 || !shared.pointee.isReading { return nil }
        return Int64(shared.pointee.ring.filledBytes()) * decodedSamples / decodedBytes * 1_000_000_000
            / Int64(max(1, rate * channels))
    }

    /// Returns the next frames, at most `FormatHold.pieceFrames`.
    @_noLocks @_noAllocation
    public mutating func pull() -> Outcome {
        if changes.isNone { return pullOwn() }
        while true {
            if let outcome = changes.next(startSample: startSample) { return outcome }
            let outcome = pullOwn()
            if !changes.take(outcome) { return outcome }
        }
    }

    /// The gain of its frames; nil for none.
    var gain: Int? { @_noLocks @_noAllocation get { changes.gain } }

    /// Does the same as `Leveller.begin(from:)`.
    @_noLocks @_noAllocation
    mutating func beginGain(from gain: Int) { changes.beginGain(from: gain) }

    /// Does the same as `Leveller.glide(to:)`.
    @_noLocks @_noAllocation
    mutating func glide(toGain gain: Int) { changes.glide(toGain: gain) }

    /// Returns the next frames without changes.
    @_noLocks @_noAllocation
    private mutating func pullOwn() -> Outcome {
        while true {
            if shared.pointee.isLeftToFeed.load(ordering: .acquiring) { return .starved }
            let outcome = next()
            if case .starved = outcome, shared.pointee.isAtChange { shared.pointee.leaveToFeed() }
            guard framesToSkip > 0, case .frames(let samples, let count) = outcome else { return outcome }
            let frames = min(framesToSkip, Int64(count / channels))
            framesToSkip -= frames
            let skipped = Int(frames) * channels
            if skipped < count { return .frames(samples + skipped, count: count - skipped) }
        }
    }

    @_noLocks @_noAllocation
    private mutating func next() -> Outcome {
        if pendingCount > 0, let pending {
            let count = pendingCount
            pendingCount = 0
            return .frames(pending, count: count)
        }
        switch input {
        case .compressed: return decode()
        case .frames(let channels): return take(FrameRing(shared, channels: channels))
        }
    }

    @_noLocks @_noAllocation
    private mutating func take(_ ring: FrameRing) -> Outcome {
        if takenFrames > 0 { ring.consume(takenFrames) }
        takenFrames = 0
        while true {
            var samples: UnsafePointer<Int16>?
            let ready = ring.peek(samples: &samples)
            if let samples, ready > 0 {
                takenFrames = min(ready, FormatHold.pieceFrames)
                let count = takenFrames * ring.channels
                decodedBytes += Int64(count * 2)
                decodedSamples += Int64(count)
                return .frames(samples, count: count)
            }
            if let end = shared.pointee.inputEnd {
                if shared.pointee.ring.filledBytes() > 0 { continue }
                return .ended(end)
            }
            if shared.pointee.starve() { return .starved }
        }
    }

    @_noLocks @_noAllocation
    private mutating func decode() -> Outcome {
        var looked = 0
        while true {
            var frames = 0
            if let samples = hold.next(frames: &frames) { return .frames(samples, count: frames * hold.channels) }
            var samples: UnsafePointer<Int16>?
            var count = 0
            switch decoder.decode(samples: &samples, count: &count) {
            case .frames:
                searchedBytes = 0
                decodedSamples += Int64(count)
                var channels = 0
                let rate = decoder.format(channels: &channels)
                hold.take(samples!, count: count, rate: rate, channels: channels)
                continue
            case .skipped: continue
            case .failed: return .ended(.decodeFailed)
            case .needsInput: break
            }
            if searchedBytes >= Deck.rubbishBytes { return .ended(.complete) }
            if looked >= Deck.searchBytes { return .searching }
            let fed = feed()
            if fed < 0 { return .ended(.decodeFailed) }
            if fed > 0 {
                looked += fed
                searchedBytes += fed
                continue
            }
            if shared.pointee.isAtChange { return .starved }
            if let end = shared.pointee.inputEnd {
                if shared.pointee.ring.filledBytes() > 0 { continue }
                // Skip a truncated last frame, as libmpg123 does for files.
                return .ended(end)
            }
            if shared.pointee.starve() { return .starved }
        }
    }

    /// Gives the decoder bytes of the ring. Returns their number, negative if it refused them.
    @_noLocks @_noAllocation
    private mutating func feed() -> Int {
        let ready = shared.pointee.ring.peek()
        let untilChange = shared.pointee.changeByte.load(ordering: .acquiring) - shared.pointee.ring.consumedBytes()
        let part = Int(min(Int64(min(ready.count, Decoder.feedBytes)), untilChange))
        if part <= 0 { return 0 }
        if !decoder.feed(UnsafeRawBufferPointer(start: ready.baseAddress, count: part)) { return -1 }
        shared.pointee.didTake(part)
        decodedBytes += Int64(part)
        return part
    }
}
