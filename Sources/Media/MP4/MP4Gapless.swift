// SPDX-License-Identifier: Apache-2.0
import Core
import Text

extension MP4Movie {
    /// The audible part of the sound track: by the edit list, the length of the track, and what iTunes writes beside (iTunSMPB), which
    /// knows it to the sample.
    /// - Parameter counts: the text of iTunSMPB; nil where there is none.
    func heardSpan(_ counts: [UInt8]?) -> HeardSpan {
        let timescale = sound.timescale
        let unitTicks = self.unitTicks
        let all = sound.tables.unitCount.multipliedSaturated(by: unitTicks)
        if let counts, let span = config.heardPerCore == 1 ? coreSpan(counts, all: all) : bandSpan(counts) {
            return span
        }
        var span = HeardSpan(start: 0, ticks: nil, timescale: timescale)
        // A start this far in is a deliberate cut; more than the track is none.
        if sound.editStart < all { span.start = sound.editStart }
        var end = all
        // The last unit is seldom full; a length that differs by more than that is no matter.
        if let ticks = sound.ticks, ticks <= all, ticks > all - 2 * unitTicks { end = ticks }
        if let movieTicks = sound.editMovieTicks, self.timescale > 0, movieTicks < .max / 4 {
            // Ticks of the movie are coarse, a millisecond as a rule: within one of them the length of the track knows better.
            let coarse = HeardSpan.scaled(1, by: timescale, over: self.timescale)
            let ticks = HeardSpan.scaled(movieTicks, by: timescale, over: self.timescale)
            if ticks + coarse < end - span.start { end = span.start + ticks }
        }
        if end < all || span.start > 0 { span.ticks = max(0, end - span.start) }
        return span
    }

    /// As far as what stands in front of fragments tells: they themselves say nothing of it.
    var fragmentedSpan: HeardSpan { HeardSpan(start: max(0, sound.editStart), ticks: nil, timescale: sound.timescale) }

    /// Ticks in a unit, by the rate that the stream announces; the track's own figure for its first unit if that is the double (SBR without
    /// an announcement).
    var unitTicks: Int64 {
        HeardSpan.scaled(Int64(config.unitSamples), by: sound.timescale, over: Int64(config.coreRate))
    }

    private func coreSpan(_ text: [UInt8], all: Int64) -> HeardSpan? {
        guard sound.timescale == Int64(config.coreRate), let counts = GaplessCounts(text),
            counts.delay + counts.heard <= all, counts.delay + counts.heard > all - 16384
        else { return nil }
        return HeardSpan(start: counts.delay, ticks: counts.heard, timescale: sound.timescale)
    }

    /// Of HE-AAC, counted by the core's rate or by that of what is heard: they come to as many samples as there are. The filters that put
    /// both bands together give the sound 481 of the core's samples later, as measured of libfaad2. iTunes does not count them, so that its
    /// padding has room for them; without room, the padding includes them.
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

/// iTunes' counts of a recording (iTunSMPB), in samples: the encoder's padding in front and behind, and the part between.
private struct GaplessCounts {
    let delay: Int64
    let padding: Int64
    let heard: Int64

    /// Numbers of hexadecimal digits: nothing, and those three.
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
