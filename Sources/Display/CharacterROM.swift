// SPDX-License-Identifier: Apache-2.0
/// The character set of the LCD's controller: one of the two standard ROMs of the Hitachi HD44780U and their many copies; data sheet
/// ADE-207-272(Z), table 4, "Correspondence between Character Codes and Character Patterns", pages 17 and 18.
public enum CharacterROM: Equatable, Sendable {
    /// Japanese: ASCII but for \ and ~, half-width katakana, some Greek and ä ñ ö ü. The most common ROM.
    case a00
    /// European: ASCII, Latin-1, the Cyrillic capitals that Latin lacks, some Greek.
    case a02

    /// Reads the configuration's name: `A00` or `A02`, in either case.
    public init?(name: String) {
        switch name {
        case "A00", "a00": self = .a00
        case "A02", "a02": self = .a02
        default: return nil
        }
    }

    /// Returns the character at a code, as one terminal column; nil if no text would use it. Codes 0…15 belong to the glyphs and are not
    /// passed here.
    public func scalar(at code: UInt8) -> Unicode.Scalar? {
        let value: UInt16
        switch (self, code) {
        case (.a00, 0x5C): value = 0xA5
        case (.a00, 0x7E): value = 0x2192
        case (.a00, 0x7F): value = 0x2190
        case (.a02, 0x7F): value = 0x2302
        case (_, 0x20...0x7E): value = UInt16(code)
        case (.a00, 0xDF): value = 0xB0
        case (.a00, 0xA1...0xDE): value = 0xFF61 + UInt16(code - 0xA1)
        case (.a00, 0xE0...): value = Self.a00High[Int(code - 0xE0)]
        case (.a02, 0x10...0x1F): value = Self.a02Low[Int(code - 0x10)]
        case (.a02, 0x80...): value = Self.a02High[Int(code - 0x80)]
        default: value = 0
        }
        return value == 0 ? nil : Unicode.Scalar(value)
    }

    /// Returns the code of a character with the same or nearly the same picture in the ROM; nil for others.
    public func code(of scalar: Unicode.Scalar) -> UInt8? {
        guard let value = UInt16(exactly: scalar.value), value >= 0x20 else { return nil }
        if value < 0x7F {
            return self == .a00 && (value == 0x5C || value == 0x7E) ? nil : UInt8(value)
        }
        switch self {
        case .a00:
            switch value {
            case 0xA5: return 0x5C
            case 0x2192: return 0x7E
            case 0x2190: return 0x7F
            case 0xB0, 0x309C: return 0xDF
            case 0x309B: return 0xDE
            case 0xFF61...0xFF9F: return UInt8(value - 0xFF61 + 0xA1)
            case 0x3002: return 0xA1
            case 0x300C: return 0xA2
            case 0x300D: return 0xA3
            case 0x3001: return 0xA4
            case 0x30FB, 0xB7: return 0xA5
            case 0x30FC: return 0xB0
            case 0x3BC: return 0xE4
            case 0x2126: return 0xF4
            case 0x2211: return 0xF6
            case 0x25A0: return 0xFF
            default: return Self.a00High.firstIndex(of: value).map { UInt8($0 + 0xE0) }
            }
        case .a02:
            switch value {
            case 0x2302: return 0x7F
            case 0xC0...0xFF where value != 0xD8: return UInt8(value)
            case 0x2126: return 0x9A
            case 0x2211: return 0x94
            case 0x266B: return 0x96
            case 0x3BC: return 0xB5
            case 0x25BA: return 0x10
            case 0x25C4: return 0x11
            case 0x2022: return 0xB7
            default:
                if let index = Self.a02High.firstIndex(of: value) { return UInt8(index + 0x80) }
                return Self.a02Low.firstIndex(of: value).map { UInt8($0 + 0x10) }
            }
        }
    }

    /// 0xE0…0xFF; 0 for the second forms of g j p q y, ⁻¹, ˣ, x̄ and the wide 千 万 円, which no text needs.
    private static let a00High: [UInt16] = [
        0x3B1, 0xE4, 0x3B2, 0x3B5, 0xB5, 0x3C3, 0x3C1, 0, 0x221A, 0, 0, 0, 0xA2, 0xA3, 0xF1, 0xF6,
        0, 0, 0x3B8, 0x221E, 0x3A9, 0xFC, 0x3A3, 0x3C0, 0, 0, 0, 0, 0, 0xF7, 0, 0x2588,
    ]

    /// 0x10…0x1F without the left arrow at 0x1B, charlcd's escape byte, and without the double triangles, which terminals draw as wide
    /// emoji.
    private static let a02Low: [UInt16] = [
        0x25B6, 0x25C0, 0x201C, 0x201D, 0, 0, 0x25CF, 0x21B5, 0x2191, 0x2193, 0x2192, 0, 0x2264, 0x2265, 0x25B2, 0x25BC,
    ]

    /// 0x80…0xFF without the bell at 0x98.
    private static let a02High: [UInt16] = [
        0x411, 0x414, 0x416, 0x417, 0x418, 0x419, 0x41B, 0x41F, 0x423, 0x426, 0x427, 0x428, 0x429, 0x42A, 0x42B, 0x42D,
        0x3B1, 0x266A, 0x393, 0x3C0, 0x3A3, 0x3C3, 0x266C, 0x3C4, 0, 0x3B8, 0x3A9, 0x3B4, 0x221E, 0x2665, 0x3B5, 0x2229,
        0x2016, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0x192, 0xA9, 0xAA, 0xAB, 0x42E, 0x42F, 0xAE, 0xB4,
        0xB0, 0xB1, 0xB2, 0xB3, 0x20A7, 0xB5, 0xB6, 0xB7, 0x3C9, 0xB9, 0xBA, 0xBB, 0xBC, 0xBD, 0xBE, 0xBF,
        0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xCB, 0xCC, 0xCD, 0xCE, 0xCF,
        0xD0, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0x3A6, 0xD9, 0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF,
        0xE0, 0xE1, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xEB, 0xEC, 0xED, 0xEE, 0xEF,
        0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF,
    ]
}
