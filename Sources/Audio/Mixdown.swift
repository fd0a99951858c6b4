import CPosix

/// The last step before the card: keeps decoded frames as they are, before any gain, for as long as they may be taken back, and
/// renders them with their gains, and with a second voice over them if there is one. The same frame rendered twice comes out the
/// same, unless its gain or the voice was changed in between.
struct Mixdown: ~Copyable {
    /// Something said over what is played: frames in the card's rate and channels, whose first is heard with `start`. The memory
    /// stays valid until another voice takes its place.
    struct Voice: BitwiseCopyable {
        var samples: UnsafePointer<Int16>
        var frames: Int64
        var start: Int64

        @_noLocks @_noAllocation
        init(samples: UnsafePointer<Int16>, frames: Int64, start: Int64) {
            self.samples = samples
            self.frames = frames
            self.start = start
        }
    }

    /// Frames that one `rendered` may be asked for.
    let chunkFrames: Int
    let channels: Int
    /// Frame `n` stands at `n % historyFrames`.
    private let historyFrames: Int
    private let history: UnsafeMutablePointer<Int16>
    private let scratch: UnsafeMutablePointer<Int16>
    /// The same in 32 bit, for cards that take nothing else.
    private let scratch32: UnsafeMutablePointer<Int32>?
    private var voice: Voice?

    /// - Parameter queuedFrames: what may be decoded and not heard, at most, and be wanted again.
    init(channels: Int, sampleBytes: Int, chunkFrames: Int, queuedFrames: Int) {
        self.channels = channels
        self.chunkFrames = chunkFrames
        historyFrames = queuedFrames
        history = .allocate(capacity: historyFrames * channels)
        scratch = .allocate(capacity: chunkFrames * channels)
        // The audio thread must not be the first to touch a page.
        ns_zero(history, historyFrames * channels * 2)
        ns_zero(scratch, chunkFrames * channels * 2)
        if sampleBytes == 4 {
            scratch32 = .allocate(capacity: chunkFrames * channels)
            ns_zero(scratch32!, chunkFrames * channels * 4)
        } else {
            scratch32 = nil
        }
    }

    deinit {
        history.deallocate()
        scratch.deallocate()
        scratch32?.deallocate()
    }

    /// The oldest frame that can be rendered while `head` is the next to be appended.
    @_noLocks @_noAllocation
    borrowing func oldest(head: Int64) -> Int64 { head - Int64(historyFrames) }

    /// Takes frames in, the first of them being number `head`.
    @_noLocks @_noAllocation
    borrowing func append(_ samples: UnsafePointer<Int16>, frames: Int, at head: Int64) {
        var done = 0
        while done < frames {
            let place = Int((head + Int64(done)) % Int64(historyFrames))
            let part = min(frames - done, historyFrames - place)
            ns_copy(history + place * channels, samples + done * channels, part * channels * 2)
            done += part
        }
    }

    @_noLocks @_noAllocation
    mutating func speak(_ voice: Voice?) { self.voice = voice }

    /// At most `count` frames from number `start` on as the card wants them. `frames` is how many they are.
    @_noLocks @_noAllocation
    borrowing func rendered(_ count: Int, at start: Int64, _ gains: Gains, frames: inout Int) -> UnsafeRawPointer {
        let place = Int(start % Int64(historyFrames))
        frames = min(count, min(chunkFrames, historyFrames - place))
        let from = UnsafePointer(history + place * channels)
        let isAlone = !overlapsVoice(start, frames)
        if isAlone && scratch32 == nil && gains.isUnity(from: start) { return UnsafeRawPointer(from) }
        // A move of some milliseconds is seldom as long as what is rendered at once, and a level for each frame is dear.
        let moving = min(frames, gains.framesUntilStill(from: start))
        move(from, gains, start, moving)
        scale(from, moving..<frames, gains.level(at: start + Int64(moving)))
        if !isAlone { addVoice(start, frames) }
        return widened(frames)
    }

    /// So many frames of silence as the card wants them.
    @_noLocks @_noAllocation
    borrowing func silence(_ frames: Int) -> UnsafeRawPointer {
        ns_zero(scratch, frames * channels * 2)
        return widened(frames)
    }

    /// 30 fractional bits, rounded to nearest; at unity the samples are untouched.
    @_noLocks @_noAllocation
    private borrowing func scale(_ from: UnsafePointer<Int16>, _ frames: Range<Int>, _ level: Int) {
        let gain = Int64(level)
        var sample = frames.lowerBound * channels
        let end = frames.upperBound * channels
        while sample < end {
            scratch[sample] = Int16(truncatingIfNeeded: (Int64(from[sample]) * gain + (1 << 29)) >> 30)
            sample += 1
        }
    }

    @_noLocks @_noAllocation
    private borrowing func move(_ from: UnsafePointer<Int16>, _ gains: Gains, _ start: Int64, _ frames: Int) {
        var frame = 0
        var sample = 0
        while frame < frames {
            let gain = Int64(gains.level(at: start + Int64(frame)))
            var channel = 0
            while channel < channels {
                scratch[sample] = Int16(truncatingIfNeeded: (Int64(from[sample]) * gain + (1 << 29)) >> 30)
                sample += 1
                channel += 1
            }
            frame += 1
        }
    }

    @_noLocks @_noAllocation
    private borrowing func overlapsVoice(_ start: Int64, _ frames: Int) -> Bool {
        guard let voice else { return false }
        return start < voice.start + voice.frames && voice.start < start + Int64(frames)
    }

    /// Adds what of the voice is heard with these frames; what is too loud together is held at full scale.
    @_noLocks @_noAllocation
    private borrowing func addVoice(_ start: Int64, _ frames: Int) {
        guard let voice else { return }
        let first = max(start, voice.start)
        let end = min(start + Int64(frames), voice.start + voice.frames)
        var to = Int(first - start) * channels
        var from = Int(first - voice.start) * channels
        let last = Int(end - start) * channels
        while to < last {
            let sum = Int32(scratch[to]) + Int32(voice.samples[from])
            scratch[to] = Int16(max(-32768, min(32767, sum)))
            to += 1
            from += 1
        }
    }

    /// The frames in the scratch memory in the card's sample format.
    @_noLocks @_noAllocation
    private borrowing func widened(_ frames: Int) -> UnsafeRawPointer {
        guard let wide = scratch32 else { return UnsafeRawPointer(scratch) }
        var i = 0
        while i < frames * channels {
            wide[i] = Int32(scratch[i]) << 16
            i += 1
        }
        return UnsafeRawPointer(wide)
    }
}
