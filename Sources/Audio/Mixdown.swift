// SPDX-License-Identifier: Apache-2.0
import CPosix
import Realtime

/// The last step before the card. It keeps decoded frames without gain as long as they may be rewound, and renders them with their gains
/// and a voice. Rendering a frame twice gives the same result, unless gain or voice has changed.
struct Mixdown: ~Copyable {
    /// A voice over the playing sound, in the card's format. Its first frame is audible at queue time `start`, so that it also continues in
    /// silence. Its memory stays valid until another voice replaces it.
    struct Voice: BitwiseCopyable {
        var samples: UnsafeMutablePointer<Int16>
        var frames: Int64
        var start: Int64
        var end: Int64 { @_noLocks @_noAllocation get { start + frames } }

        @_noLocks @_noAllocation
        init(samples: UnsafeMutablePointer<Int16>, frames: Int64, start: Int64) {
            self.samples = samples
            self.frames = frames
            self.start = start
        }
    }

    /// The least level of a voice, a quarter of the way to full volume. An answer to a button must be audible at any volume.
    private static var leastVoiceLevel: Int { @_noLocks @_noAllocation get { Envelope.unity / 64 } }

    /// The most frames of one `rendered`.
    let chunkFrames: Int
    let channels: Int
    /// The capacity of the history: frame `n` is at `n % historyFrames`.
    private let historyFrames: Int
    private let history: UnsafeMutablePointer<Int16>
    private let scratch: UnsafeMutablePointer<Int16>
    /// The scratch memory in 32 bits, for cards that accept nothing else.
    private let scratch32: UnsafeMutablePointer<Int32>?
    private(set) var voice: Voice?
    /// The fading end of a voice that was cut.
    private var tail: Voice
    private let tailLimit: Int

    /// - Parameter queuedFrames: the most decoded, unheard frames that a rewind may request again.
    init(channels: Int, sampleBytes: Int, chunkFrames: Int, queuedFrames: Int) {
        self.channels = channels
        self.chunkFrames = chunkFrames
        historyFrames = queuedFrames
        history = .allocate(capacity: historyFrames * channels)
        scratch = .allocate(capacity: chunkFrames * channels)
        // The audio thread must not be the first to touch a page.
        ns_zero(history, historyFrames * channels * 2)
        ns_zero(scratch, chunkFrames * channels * 2)
        tailLimit = max(1, chunkFrames / 8)
        tail = Voice(samples: .allocate(capacity: tailLimit * channels), frames: 0, start: 0)
        ns_zero(tail.samples, tailLimit * channels * 2)
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
        tail.samples.deallocate()
        scratch32?.deallocate()
    }

    /// Returns the oldest frame that can be rendered while `head` is the next to append.
    @_noLocks @_noAllocation
    borrowing func oldest(head: Int64) -> Int64 { head - Int64(historyFrames) }

    /// Appends frames; the first one is number `head`.
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

    /// Sets another voice, or none, from `time` on, and fades out the one before.
    @_noLocks @_noAllocation
    mutating func speak(_ voice: Voice?, at time: Int64) {
        if let old = self.voice, time > old.start, time < old.end {
            tail.start = time
            tail.frames = min(Int64(tailLimit), old.end - time)
            let from = Int(time - old.start) * channels
            let count = Int(tail.frames) * channels
            var i = 0
            while i < count {
                tail.samples[i] = Int16(truncatingIfNeeded: Int(old.samples[from + i]) * (count - i) / count)
                i += 1
            }
        }
        self.voice = voice
    }

    /// Renders at most `count` frames from number `start` on, at queue time `time`, in the card's format. `frames` is their number.
    @_noLocks @_noAllocation
    borrowing func rendered(
        _ count: Int, at start: Int64, time: Int64, _ gains: Gains, frames: inout Int
    ) -> UnsafeRawPointer {
        let place = Int(start % Int64(historyFrames))
        frames = min(count, min(chunkFrames, historyFrames - place))
        let from = UnsafePointer(history + place * channels)
        let isAlone = !overlaps(voice, time, frames) && !overlaps(tail, time, frames)
        if isAlone && scratch32 == nil && gains.isUnity(from: start) { return UnsafeRawPointer(from) }
        // A fade of some milliseconds is seldom as long as a whole rendering, and a level for each frame is expensive.
        let moving = min(frames, gains.framesUntilStill(from: start))
        move(from, gains, start, moving)
        scale(from, moving..<frames, gains.level(at: start + Int64(moving)))
        if !isAlone { addVoices(time, frames, gains, start) }
        return widened(frames)
    }

    /// Renders so many frames of silence in the card's format, with the voice.
    @_noLocks @_noAllocation
    borrowing func silence(_ frames: Int, at start: Int64, time: Int64, _ gains: Gains) -> UnsafeRawPointer {
        ns_zero(scratch, frames * channels * 2)
        addVoices(time, frames, gains, start)
        return widened(frames)
    }

    /// Applies a level of 30 fractional bits, rounded to nearest; unity leaves samples unchanged.
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
    private borrowing func overlaps(_ voice: Voice?, _ time: Int64, _ frames: Int) -> Bool {
        guard let voice else { return false }
        return time < voice.end && voice.start < time + Int64(frames)
    }

    @_noLocks @_noAllocation
    private borrowing func addVoices(_ time: Int64, _ frames: Int, _ gains: Gains, _ start: Int64) {
        if let voice { add(voice, time, frames, gains, start) }
        add(tail, time, frames, gains, start)
    }

    /// Adds the part of a voice that coincides with these frames, at the volume's level; the sum is clipped.
    @_noLocks @_noAllocation
    private borrowing func add(_ voice: Voice, _ time: Int64, _ frames: Int, _ gains: Gains, _ start: Int64) {
        if !overlaps(voice, time, frames) { return }
        var frame = Int(max(0, voice.start - time))
        let end = Int(min(Int64(frames), voice.end - time))
        let moving = gains.user.framesUntilStill(from: start)
        var from = Int(time - voice.start + Int64(frame)) * channels
        var to = frame * channels
        while frame < end {
            let level = max(
                frame < moving ? gains.user.level(at: start + Int64(frame)) : gains.user.target,
                Mixdown.leastVoiceLevel)
            var channel = 0
            while channel < channels {
                let said = (Int64(voice.samples[from]) * Int64(level) + (1 << 29)) >> 30
                scratch[to] = Int16(truncatingIfNeeded: max(-32768, min(32767, Int64(scratch[to]) + said)))
                to += 1
                from += 1
                channel += 1
            }
            frame += 1
        }
    }

    /// Returns the frames of the scratch memory in the card's sample format.
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
