// SPDX-License-Identifier: Apache-2.0
/// Says of each hundredth of a second whether it is silent, by what the recording's own noise and its own voice are: there is no level
/// below which all is silence, or a whispered book would have little else.
///
/// Silent is what lies near the quietest of the last ten seconds, or far below the voice. If the two are close together, as with a whisper
/// in a noisy room or with music, nothing is silent.
struct SilenceGauge: BitwiseCopyable {
    // Levels are logarithms to the base 2 in 1/256: 6 dB are 256.

    /// Above the noise; no voice dies away into so little.
    private static var aboveNoise: Int { @_noLocks @_noAllocation get { 256 } }
    /// For lower noise: so far below the voice nothing of it is heard…
    private static var belowVoice: Int { @_noLocks @_noAllocation get { 8 * 256 } }
    /// …unless the voice became another, which the noise did not.
    private static var mostAboveNoise: Int { @_noLocks @_noAllocation get { 3 * 256 + 85 } }
    /// A breath, and the weakest of the sounds of speech, is not so far below the voice.
    private static var leastBelowVoice: Int { @_noLocks @_noAllocation get { 4 * 256 } }
    /// Half a step of 16 bit: there is no less noise.
    private static var leastNoise: Int { @_noLocks @_noAllocation get { 3 * 256 } }

    /// The quietest of ten seconds is looked for in so many parts of as many blocks.
    private static var parts: Int { @_noLocks @_noAllocation get { 8 } }
    private static var partBlocks: Int { @_noLocks @_noAllocation get { 125 } }

    private var quietest = InlineArray<8, Int>(repeating: .max)
    private var part = 0
    private var blocks = 0
    /// Of the voice, in 1/64 of a level; 0 before anything was heard.
    private var voice = 0

    @_noLocks @_noAllocation
    init() {}

    /// - Parameters:
    ///   - sum: of the differences between neighbouring samples, without their signs.
    ///   - count: their number.
    @_noLocks @_noAllocation
    mutating func isSilent(sum: Int, count: Int) -> Bool {
        // In parts: the sum alone may have nearly 32 bits.
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

    /// The quietest of the last ten seconds.
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

    /// Follows what is loud within some words, and forgets it in some sentences: 2 dB in a second of speech, and ten times as slowly
    /// in a silence.
    @_noLocks @_noAllocation
    private mutating func lookAtVoice(_ level: Int, isSilent: Bool) {
        let now = level * 64
        if now > voice {
            voice += max(1, (now - voice) / 8)
        } else {
            voice = max(0, voice - (isSilent ? 6 : 55))
        }
    }

    /// The logarithm of a mean in 1/16: straight lines between the powers of 2.
    @_noLocks @_noAllocation
    private static func level(_ mean: Int) -> Int {
        if mean < 1 { return 0 }
        let whole = Int.bitWidth - 1 - mean.leadingZeroBitCount
        let rest = whole >= 8 ? mean >> (whole - 8) : mean << (8 - whole)
        return whole * 256 + rest - 256
    }
}
