// SPDX-License-Identifier: Apache-2.0
/// The speed of a recording at unchanged pitch, in percent of the recorded pace.
public struct Speed: Equatable, Sendable {
    public static let range = 50...300
    /// The distance between two speeds.
    public static let step = 5
    /// The default step of a button.
    public static let buttonStep = 10
    /// The recorded pace.
    public static let own = Speed(percent: 100)

    public let percent: Int

    /// Rounds to the nearest step.
    public init(percent: Int) {
        let inRange = min(Speed.range.upperBound, max(Speed.range.lowerBound, percent))
        self.percent = (inRange + Speed.step / 2) / Speed.step * Speed.step
    }

    /// Returns the milliseconds that a stretch of a recording takes at this speed, rounded up; at most some thousand hours. 64 bits, since
    /// 100 times a few hours overflows a 32-bit `Int`.
    public func clockMilliseconds(of recordingMilliseconds: Int) -> Int64 {
        let bounded = Int64(min(max(0, recordingMilliseconds), 2_000_000_000))
        return (bounded * 100 + Int64(percent) - 1) / Int64(percent)
    }

    /// Reads the form of `text`; nil for anything else.
    public init?(text: String) {
        var hundredths = 0
        var digits: Int?
        for byte in text.utf8 {
            if byte == UInt8(ascii: "."), digits == nil {
                digits = 0
            } else if byte >= 0x30, byte <= 0x39, (digits ?? 0) < 2, hundredths < 1000 {
                hundredths = hundredths * 10 + Int(byte - 0x30)
                digits = digits.map { $0 + 1 }
            } else {
                return nil
            }
        }
        for _ in (digits ?? 0)..<2 { hundredths *= 10 }
        guard Speed.range.contains(hundredths) else { return nil }
        self.init(percent: hundredths)
    }

    /// The form "1.5", "0.75" or "2".
    public var text: String {
        let whole = String(percent / 100)
        let rest = percent % 100
        if rest == 0 { return whole }
        return whole + "." + (rest % 10 == 0 ? String(rest / 10) : (rest < 10 ? "0" : "") + String(rest))
    }
}
