// SPDX-License-Identifier: Apache-2.0
/// Times for programs: seconds with a fraction.
public enum Seconds {
    /// Returns the form "12.345"; never negative.
    public static func text(_ milliseconds: Int) -> String {
        let clamped = max(0, milliseconds)
        let fraction = clamped % 1000
        return "\(clamped / 1000)." + (fraction < 10 ? "00" : fraction < 100 ? "0" : "") + "\(fraction)"
    }

    /// Reads "83.12" as 83120; nil for no number, or too large a one.
    public static func milliseconds(_ text: String) -> Int? {
        var value: Int64 = 0
        var places: Int?
        for byte in text.utf8 {
            if byte == 0x2E && places == nil {
                places = 0
            } else if byte >= 0x30 && byte <= 0x39 && value < 1 << 45 {
                if let known = places {
                    if known == 3 { continue }
                    places = known + 1
                }
                value = value * 10 + Int64(byte - 0x30)
            } else {
                return nil
            }
        }
        for _ in (places ?? 0)..<3 { value *= 10 }
        return text.isEmpty ? nil : Int(clamping: value)
    }
}
