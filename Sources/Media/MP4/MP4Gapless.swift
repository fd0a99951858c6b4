// SPDX-License-Identifier: Apache-2.0
import Core
import Text

extension MP4Movie {
    /// Returns the audible part of the sound track, from the edit list, the track's length, and iTunes' iTunSMPB, which is exact to the
    /// sample.
    /// - Parameter counts: the text of iTunSMPB; nil without one.
    func heardSpan(_ counts: [UInt8]?) -> HeardSpan {
        let timescale = sound.timescale
        let unitTicks = self.unitTicks
        let all = sound.tables.unitCount.multipliedSaturated(by: unitTicks)
        if let counts, let span = config.heardPerCore == 1 ? coreSpan(counts, all: all) : bandSpan(counts) {
            return span
        }
        var span = HeardSpan(start: 0, ticks: nil, timescale: timescale)
        // A later start is a deliberate cut, unless it is beyond the track.
        if sound.editStart < all { span.start = sound.editStart }
        var end = all
        // The last unit is seldom full. A length that differs by more is ignored.
        if let ticks = sound.ticks, ticks <= all, ticks > all - 2 * unitTicks { end = ticks }
        if let movieTicks = sound.editMovieTicks, self.timescale > 0, movieTicks < .max / 4 {
            // The movie's ticks are coarse, usually milliseconds. Within one of them the track's length is more exact.
            let coarse = HeardSpan.scaled(1, by: timescale, over: self.timescale)
            let ticks = HeardSpan.scaled(movieTicks, by: timescale, over: self.timescale)
            if ticks + coarse < end - span.start { end = span.start + ticks }
        }
        if end < all || span.start > 0 { span.ticks = max(0, end - span.start) }
        return span
    }

    /// The audible part according to the tables before the fragments; the fragments do not tell it.
    var fragmentedSpan: HeardSpan { HeardSpan(start: max(0, sound.editStart), ticks: nil, timescale: sound.timescale) }

    /// The number of ticks in a unit, by the announced rate, or by the track's own figure for its first unit if that is the double
    /// (unannounced SBR).
    var unitTicks: Int64 {
        HeardSpan.scaled(Int64(config.unitSamples), by: sound.timescale, over: Int64(config.coreRate))
    }

    private func coreSpan(_ text: [UInt8], all: Int64) -> HeardSpan? {
        guard sound.timescale == Int64(config.coreRate), let counts = GaplessCounts(text),
            counts.delay + counts.heard <= all, counts.delay + counts.heard > all - 16384
        else { return nil }
        return HeardSpan(start: counts.delay, ticks: counts.heard, timescale: sound.timescale)
    }

    /// Returns the audible part of HE-AAC. The counts are in samples of the core or of the output, whichever adds up to the whole.
    /// libfaad2's band filters delay the sound by 481 samples of the core, as measured. iTunes does not count that delay, so its padding
    /// has room for it; without room, the padding includes it.
    private func bandSpan(_ text: [UInt8]) -> HeardSpan? {
        guard let counts = GaplessCounts(text) else { return nil }
        let samples = sound.tables.unitCount * Int64(config.unitSamples)
        for part in [1, 2] as [Int64] where counts.delay + counts.heard + counts.padding == samples * part {
            let late = counts.padding >= 481 * part ? 481 * part : 0
            return HeardSpan(
                start: counts.delay + late, ticks: counts.heard, timescale: Int64(config.coreRate) * part)
        }
        return nil
    }
}

/// iTunes' counts in iTunSMPB, in samples: the encoder's padding before and after, and the length between.
private struct GaplessCounts {
    let delay: Int64
    let padding: Int64
    let heard: Int64

    /// Reads hexadecimal numbers: one without meaning, then these three.
    init?(_ text: [UInt8]) {
        var numbers: [Int64] = []
        for word in text.split(maxSplits: 5, whereSeparator: { $0.isSpace }) {
            guard numbers.count < 4 else { break }
            var number: Int64 = 0
            for byte in word {
                if number >= 1 << 48 { return nil }
                let letter = byte | 0x20
                if byte.isDigit {
                    number = number << 4 | Int64(byte - 0x30)
                } else if letter >= 0x61 && letter <= 0x66 {
                    number = number << 4 | Int64(letter - 0x57)
                } else {
                    return nil
                }
            }
            numbers.append(number)
        }
        guard numbers.count == 4, numbers[1] <= 16384, numbers[3] > 0 else { return nil }
        (delay, padding, heard) = (numbers[1], numbers[2], numbers[3])
    }
}
