// SPDX-License-Identifier: Apache-2.0
/// The loudness of a recording, in hundredths of a decibel: from its file's tags, and measured.
public struct Loudness: Equatable, Sendable {
    /// The target level of recordings, in LUFS: ReplayGain's reference, and low enough that speech hardly ever reaches the limiter.
    public static let target = -1800
    /// No gain goes further, up or down.
    public static let mostGain = 2400
    /// Of what is to be measured; less is refined later.
    public static let wholeMilliseconds = 96_000

    /// The gains that its tags give, to `target`; nil where they give none.
    public var track: Int?
    public var album: Int?
    /// LUFS, integrated; nil before it was measured.
    public var measured: Int?
    /// Of how much of it.
    public var measuredMilliseconds = 0

    public init() {}

    /// The gain that brings it to the level, nil where nothing is known or wanted.
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

    /// Its tags say what gain it is to have: nothing has to be measured.
    public var isTagged: Bool { track != nil || album != nil }

    /// A gain as what samples are multiplied with, in 1/65536.
    public static func factor(ofGain gain: Int) -> Int {
        // Whole decibels one by one, and what is left by the first terms of its series.
        var factor = 65536.0
        for _ in 0..<abs(gain) / 100 { factor *= gain < 0 ? 1 / 1.1220184543 : 1.1220184543 }
        let rest = Double(gain % 100) / 100 * 0.1151292546
        return Int(factor * (1 + rest + rest * rest / 2 + rest * rest * rest / 6) + 0.5)
    }
}
