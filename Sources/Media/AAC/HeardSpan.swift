// SPDX-License-Identifier: Apache-2.0
import Core

/// The audible part of a stream's decoded units: the rest is what the encoder had to put around it.
///
/// The decoder gives nothing for the first unit, which only begins the overlap of the second.
struct HeardSpan: Equatable {
    /// The largest result of `scaled`: some of them can be added up.
    static let mostTicks = Int64.max / 4

    /// From the beginning of the first unit on, in ticks.
    var start: Int64 = 0
    /// Nil: to the end.
    var ticks: Int64?
    /// Ticks a second.
    var timescale: Int64 = 1

    /// In samples of what is decoded at a rate: In samples of the decoded rate: the number left out, and the number behind them.
    /// - Parameter unitSamples: a unit decodes to, at that rate.
    func samples(unitCount: Int64, unitSamples: Int64, rate: Int64) -> (skipped: Int64, heard: Int64) {
        let decoded = max(0, unitCount.subtractingSaturated(1)).multipliedSaturated(by: unitSamples)
        let first = HeardSpan.scaled(start, by: rate, over: timescale).subtractingSaturated(unitSamples)
        let skipped = min(decoded, max(0, first))
        guard let ticks else { return (skipped, decoded - skipped) }
        // The part in the unit that the decoder swallows is lost.
        let wanted = HeardSpan.scaled(ticks, by: rate, over: timescale).addingSaturated(min(0, first))
        return (skipped, min(decoded - skipped, max(0, wanted)))
    }

    /// Rounded up, as the writers of such times do; as large as can be where it would be larger.
    static func scaled(_ ticks: Int64, by rate: Int64, over timescale: Int64) -> Int64 {
        let rest = (ticks % timescale).multipliedSaturated(by: rate).addingSaturated(timescale - 1) / timescale
        return min(mostTicks, (ticks / timescale).multipliedSaturated(by: rate).addingSaturated(rest))
    }
}
