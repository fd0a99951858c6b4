// SPDX-License-Identifier: Apache-2.0
import Core

/// The audible part of a stream's decoded units. The rest is the encoder's padding.
///
/// The decoder returns nothing for the first unit, which only begins the overlap of the second.
struct HeardSpan: Equatable {
    /// The largest result of `scaled`; sums of a few of them do not overflow.
    static let mostTicks = Int64.max / 4

    /// The start of the audible part, in ticks from the first unit.
    var start: Int64 = 0
    /// The length in ticks; nil for the rest of the stream.
    var ticks: Int64?
    /// The number of ticks a second.
    var timescale: Int64 = 1

    /// Returns, in samples of the decoded rate, the number to skip and the number that follow.
    /// - Parameter unitSamples: the number of samples that a unit decodes to at that rate.
    func samples(unitCount: Int64, unitSamples: Int64, rate: Int64) -> (skipped: Int64, heard: Int64) {
        let decoded = max(0, unitCount.subtractingSaturated(1)).multipliedSaturated(by: unitSamples)
        let first = HeardSpan.scaled(start, by: rate, over: timescale).subtractingSaturated(unitSamples)
        let skipped = min(decoded, max(0, first))
        guard let ticks else { return (skipped, decoded - skipped) }
        // The part in the first unit, which the decoder swallows, is lost.
        let wanted = HeardSpan.scaled(ticks, by: rate, over: timescale).addingSaturated(min(0, first))
        return (skipped, min(decoded - skipped, max(0, wanted)))
    }

    /// Returns ticks in another rate, rounded up as writers of such times do. Limited to `mostTicks`.
    static func scaled(_ ticks: Int64, by rate: Int64, over timescale: Int64) -> Int64 {
        let rest = (ticks % timescale).multipliedSaturated(by: rate).addingSaturated(timescale - 1) / timescale
        return min(mostTicks, (ticks / timescale).multipliedSaturated(by: rate).addingSaturated(rest))
    }
}
