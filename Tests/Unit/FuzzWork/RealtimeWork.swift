// SPDX-License-Identifier: Apache-2.0
import Realtime

extension FuzzWork {
    /// Samples, speeds, gains and moments of any size. The first bytes are the numbers, the rest is sound.
    static func realtime(_ bytes: [UInt8], _ broken: Broken) {
        func number(_ index: Int) -> Int64 {
            var value: UInt64 = 0
            for byte in 0..<8 where 8 * index + byte < bytes.count {
                value = value << 8 | UInt64(bytes[8 * index + byte])
            }
            return Int64(bitPattern: value)
        }
        let sound = bytes.dropFirst(32)
        var samples: [Int16] = []
        for at in stride(from: sound.startIndex, to: sound.endIndex - 1, by: 2) {
            samples.append(Int16(truncatingIfNeeded: Int(sound[at]) << 8 | Int(sound[at + 1])))
        }
        let channels = number(0) & 1 == 0 ? 1 : 2
        let rate = [8000, 22_050, 44_100, 48_000, 96_000, 192_000][Int(number(0).magnitude % 6)]
        var stretch = TimeStretch(rate: rate, channels: channels)
        stretch.begin(speed: Int(truncatingIfNeeded: number(1)))
        var given = 0
        var at = 0
        func frames(_ samples: [Int16]) -> Int { samples.count / channels }
        samples.withUnsafeBufferPointer { samples in
            guard let start = samples.baseAddress else { return }
            while at < samples.count / channels, given < 1 << 20 {
                let taken = stretch.put(start + at * channels, frames: samples.count / channels - at)
                at += taken
                if at == samples.count / channels { stretch.finish() }
                var hasGiven = false
                while let part = stretch.next(), given < 1 << 20 {
                    if part.frames <= 0 || part.frames > stretch.partLimit {
                        return broken("a part is no longer than it may be")
                    }
                    given += part.frames
                    hasGiven = true
                }
                if taken == 0 && !hasGiven { return broken("time goes on") }
            }
        }
        if frames(samples) < 1 << 18 && given > 3 * frames(samples) + 2 * stretch.partLimit {
            broken("half as fast is twice as long")
        }
        var leveller = Leveller(rate: rate, channels: channels, gain: Int(truncatingIfNeeded: number(1)))
        leveller.glide(to: Int(truncatingIfNeeded: number(2)))
        var cut = SilenceCut(rate: rate, channels: channels)
        samples.withUnsafeBufferPointer { samples in
            guard let start = samples.baseAddress, samples.count >= channels else { return }
            let count = samples.count / channels
            var at = 0
            for _ in 0..<1000 where at < count {
                at += leveller.put(start + at * channels, frames: count - at)
                while let part = leveller.next() { if part.frames <= 0 { return broken("a part has frames") } }
            }
            at = 0
            for _ in 0..<1000 where at < count {
                at += cut.put(start + at * channels, frames: count - at)
                if at == count { cut.finish() }
                while let part = cut.next() {
                    if part.frames < 0 || part.skipped < 0 { return broken("a part has frames") }
                }
            }
        }
        // Frames are counted from the start of the sound: years of them, and no more.
        let frame = number(2) & (1 << 50 - 1)
        var envelope = Envelope(level: 0)
        for (place, level) in [(frame, Envelope.unity), (frame + 1000, 0)] {
            envelope.move(to: level, from: place, frames: 1 + Int(truncatingIfNeeded: number(3) & 0x0FFF_FFFF))
            for near in [place - 1, place, place + 1, place + 1 << 30] {
                let level = envelope.level(at: near)
                if level < 0 || level > Envelope.unity { broken("a gain lies between silence and all") }
                _ = (envelope.framesToSilence(from: near), envelope.framesUntilStill(from: near))
            }
            _ = envelope.countedAnew(from: frame, oldRate: 44_100, newRate: 48_000)
        }
        let histogram = Histogram()
        histogram.record(nanoseconds: number(1))
        histogram.record(nanoseconds: number(3))
        // As another process tells them.
        let told = HistogramCounts(
            numbers: [number(0), number(1), 7, number(2), 9, number(3), 11, number(3)], maximum: number(1))
        for counts in [histogram.counts(), told, told.since(histogram.counts())] {
            for part in [0, 500, 1000] as [Int64] { _ = counts.percentile(perMille: part) }
            _ = (counts.least, counts.count, counts.text)
        }
    }
}
