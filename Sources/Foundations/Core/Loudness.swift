// SPDX-License-Identifier: Apache-2.0
/// The loudness of a recording, in hundredths of a decibel: from its file's tags, and measured.
public struct Loudness: Equatable, Sendable {
    /// The target level of recordings, in LUFS: ReplayGain's reference, and low enough that speech hardly ever reaches the limiter.
    public static let target = -1800
    /// The largest gain, up or down.
    public static let mostGain = 2400
    /// The length of a recording to measure. A measurement of less is refined later.
    public static let wholeMilliseconds = 96_000

    /// The gains from the tags, relative to `target`; nil without such tags.
    public var track: Int?
    public var album: Int?
    /// The integrated loudness in LUFS; nil before the measurement.
    public var measured: Int?
    /// The measured part of the recording.
    public var measuredMilliseconds = 0

    public init() {}

    /// Returns the gain that brings the recording to the level; nil if nothing is known or wanted.
    public func gain(_ level: SoundChanges.Level, isRandom: Bool) -> Int? {
        let tagged: Int?
        switch level {
        case .off: return nil
        case .track: tagged = track ?? album
        case .album: tagged = album ?? track
        case .auto: tagged = isRandom ? track ?? album : album ?? track
        }
        guard let gain = tagged ?? measured.map({ Loudness.target - $0 }) else { return nil }
        return min(Loudness.mostGain, max(-Loudness.mostGain, gain))
    }

    /// True if the tags give a gain, so that nothing must be measured.
    public var isTagged: Bool { track != nil || album != nil }

    /// Returns the multiplier of samples for a gain, in 1/65536.
    public static func factor(ofGain gain: Int) -> Int {
        // Multiply by whole decibels, then by the first terms of the series for the rest.
        var factor = 65536.0
        for _ in 0..<abs(gain) / 100 { factor *= gain < 0 ? 1 / 1.1220184543 : 1.1220184543 }
        let rest = Double(gain % 100) / 100 * 0.1151292546
        return Int(factor * (1 + rest + rest * rest / 2 + rest * rest * rest / 6) + 0.5)
    }
}
