// SPDX-License-Identifier: Apache-2.0
/// Decides for each hundredth of a second whether it is silent, by the recording's own noise and voice. With a fixed level a whispered book
/// would be mostly silence.
///
/// A block is silent if its level is near the quietest of the last ten seconds, or far below the voice. If the two are close together, as
/// with a whisper in a noisy room or with music, nothing is silent.
struct SilenceGauge: BitwiseCopyable {
    // Levels are binary logarithms in 1/256: 256 is 6 dB.

    /// The distance above the noise that still counts as silence; no voice fades to so little.
    private static var aboveNoise: Int { @_noLocks @_noAllocation get { 256 } }
    /// The distance below the voice at which nothing of it is heard, for recordings with less noise…
    private static var belowVoice: Int { @_noLocks @_noAllocation get { 8 * 256 } }
    /// …limited to this distance above the noise, in case the voice changed.
    private static var mostAboveNoise: Int { @_noLocks @_noAllocation get { 3 * 256 + 85 } }
    /// The least distance below the voice. A breath, and the weakest sounds of speech, are nearer.
    private static var leastBelowVoice: Int { @_noLocks @_noAllocation get { 4 * 256 } }
    /// The least noise: half a step of 16 bits.
    private static var leastNoise: Int { @_noLocks @_noAllocation get { 3 * 256 } }

    /// The quietest of ten seconds is kept in so many parts of `partBlocks` blocks.
    private static var parts: Int { @_noLocks @_noAllocation get { 8 } }
    private static var partBlocks: Int { @_noLocks @_noAllocation get { 125 } }

    private var quietest = InlineArray<8, Int>(repeating: .max)
    private var part = 0
    private var blocks = 0
    /// The level of the voice, in 1/64; 0 before anything was heard.
    private var voice = 0

    @_noLocks @_noAllocation
    init() {}

    /// - Parameters:
    ///   - sum: the sum of the absolute differences of neighboring samples.
    ///   - count: the number of differences.
    @_noLocks @_noAllocation
    mutating func isSilent(sum: Int, count: Int) -> Bool {
        // Divide in two steps: the sum alone may have nearly 32 bits.
        let level = SilenceGauge.level(sum / count * 16 + sum % count * 16 / count)
        let noise = max(SilenceGauge.leastNoise, lookAtNoise(level))
        let voiceLevel = voice / 64
        let byNoise = noise + SilenceGauge.aboveNoise
        let byVoice = min(voiceLevel - SilenceGauge.belowVoice, noise + SilenceGauge.mostAboveNoise)
        let limit = min(max(byNoise, byVoice), voiceLevel - SilenceGauge.leastBelowVoice)
        let isSilent = level <= limit
        lookAtVoice(level, isSilent: isSilent)
        return isSilent
    }

    /// Returns the quietest level of the last ten seconds.
    @_noLocks @_noAllocation
    private mutating func lookAtNoise(_ level: Int) -> Int {
        if blocks == SilenceGauge.partBlocks {
            blocks = 0
            part = (part + 1) % SilenceGauge.parts
            quietest[part] = .max
        }
        blocks += 1
        quietest[part] = min(quietest[part], level)
        var least = level
        var index = 0
        while index < SilenceGauge.parts {
            least = min(least, quietest[index])
            index += 1
        }
        return least
    }

    /// Follows loud sounds within some words, and forgets them within some sentences: 2 dB a second in speech, a tenth of that in silence.
    @_noLocks @_noAllocation
    private mutating func lookAtVoice(_ level: Int, isSilent: Bool) {
        let now = level * 64
        if now > voice {
            voice += max(1, (now - voice) / 8)
        } else {
            voice = max(0, voice - (isSilent ? 6 : 55))
        }
    }

    /// Returns the binary logarithm of a mean in 1/16, linear between the powers of 2.
    @_noLocks @_noAllocation
    private static func level(_ mean: Int) -> Int {
        if mean < 1 { return 0 }
        let whole = Int.bitWidth - 1 - mean.leadingZeroBitCount
        let rest = whole >= 8 ? mean >> (whole - 8) : mean << (8 - whole)
        return whole * 256 + rest - 256
    }
}
