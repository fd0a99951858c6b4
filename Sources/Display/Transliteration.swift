// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Spells characters that no ROM has in ASCII. The tables have the common ones, so that most boards never load a locale; glibc's iconv
/// knows the rest.
enum Transliteration {
    /// Returns the ASCII spelling, "" for a character to be dropped; nil if there is none.
    static func ascii(of scalar: Unicode.Scalar, else iconv: Iconv) -> [UInt8]? {
        let value = scalar.value
        switch value {
        case 0x21...0x7E: return [UInt8(value)]
        case 0xA1...0xBF: return field(Int(value - 0xA1), of: signs)
        case 0xC0...0x17F: return field(Int(value - 0xC0), of: latin)
        case 0xFF01...0xFF5E: return [UInt8(value - 0xFF01 + 0x21)]
        default: break
        }
        if let text = punctuation(value) { return bytes(of: text) }
        return iconv.ascii(of: scalar)
    }

    // MARK: Cyrillic and Greek, which glibc's C.UTF-8 turns into question marks

    /// A letter's spelling, and whether it is a capital. `text` has the form of a capital at the start of a word ("Zh").
    struct Letter {
        var text: [UInt8]
        var isCapital: Bool
    }

    /// Follows BGN/PCGN without its signs for ъ and ь, which only disturb on an LCD.
    static func cyrillic(_ scalar: Unicode.Scalar) -> Letter? {
        let value = scalar.value
        switch value {
        case 0x400...0x40F: return letter(value - 0x400, of: cyrillicExtensions, isCapital: true)
        case 0x410...0x42F: return letter(value - 0x410, of: cyrillicLetters, isCapital: true)
        case 0x430...0x44F: return letter(value - 0x430, of: cyrillicLetters, isCapital: false)
        case 0x450...0x45F: return letter(value - 0x450, of: cyrillicExtensions, isCapital: false)
        case 0x462...0x4FF:
            // Capitals and small letters alternate.
            let text: StaticString
            switch value & ~1 {
            case 0x462: text = "E"
            case 0x472: text = "F"
            case 0x474, 0x4E2: text = "I"
            case 0x490, 0x492: text = "G"
            case 0x496: text = "Zh"
            case 0x49A: text = "Q"
            case 0x4A2: text = "N"
            case 0x4AE, 0x4B0, 0x4EE: text = "U"
            case 0x4B2, 0x4BA: text = "H"
            case 0x4D8: text = "A"
            case 0x4E8: text = "O"
            default: return nil
            }
            return Letter(text: bytes(of: text), isCapital: value & 1 == 0)
        default: return nil
        }
    }

    static func isCyrillic(_ value: UInt32) -> Bool { (0x400...0x4FF).contains(value) }

    static func isGreek(_ value: UInt32) -> Bool {
        (0x370...0x3FF).contains(value) || (0x1F00...0x1FFF).contains(value)
    }

    /// Follows ISO 843 without its macrons; `previous` distinguishes ου from υ.
    static func greek(_ scalar: Unicode.Scalar, after previous: UInt32?) -> Letter? {
        guard let (base, isCapital) = greekBase(scalar.value) else { return nil }
        if base == 0x3C5, scalar.value != 0x3CB, let previous, let (vowel, _) = greekBase(previous),
            vowel == 0x3B1 || vowel == 0x3B5 || vowel == 0x3BF
        {
            return Letter(text: bytes(of: "U"), isCapital: isCapital)
        }
        return letter(base - 0x3B1, of: greekLetters, isCapital: isCapital)
    }

    /// Returns the small letter without accents, and whether it was a capital.
    private static func greekBase(_ value: UInt32) -> (UInt32, Bool)? {
        let alpha: UInt32 = 0x3B1
        let epsilon: UInt32 = 0x3B5
        let eta: UInt32 = 0x3B7
        let iota: UInt32 = 0x3B9
        let omicron: UInt32 = 0x3BF
        let upsilon: UInt32 = 0x3C5
        let omega: UInt32 = 0x3C9
        switch value {
        case 0x391...0x3A1, 0x3A3...0x3A9: return (value + 0x20, true)
        case 0x3B1...0x3C9: return (value, false)
        case 0x386: return (alpha, true)
        case 0x388: return (epsilon, true)
        case 0x389: return (eta, true)
        case 0x38A, 0x3AA: return (iota, true)
        case 0x38C: return (omicron, true)
        case 0x38E, 0x3AB: return (upsilon, true)
        case 0x38F: return (omega, true)
        case 0x3AC: return (alpha, false)
        case 0x3AD: return (epsilon, false)
        case 0x3AE: return (eta, false)
        case 0x390, 0x3AF, 0x3CA: return (iota, false)
        case 0x3CC: return (omicron, false)
        case 0x3B0, 0x3CB, 0x3CD: return (upsilon, false)
        case 0x3CE: return (omega, false)
        // Polytonic letters, "Greek Extended": sixteen for a vowel, the upper eight of them capitals, up to the irregular end.
        case 0x1F00...0x1F6F:
            let vowels = [alpha, epsilon, eta, iota, omicron, upsilon, omega]
            return (vowels[Int(value - 0x1F00) / 16], value & 8 != 0)
        case 0x1F70...0x1F7D:
            let vowels = [alpha, epsilon, eta, iota, omicron, upsilon, omega]
            return (vowels[Int(value - 0x1F70) / 2], false)
        case 0x1F80...0x1F8F, 0x1FB0...0x1FBC: return (alpha, value & 8 != 0)
        case 0x1F90...0x1F9F: return (eta, value & 8 != 0)
        case 0x1FA0...0x1FAF: return (omega, value & 8 != 0)
        case 0x1FC2...0x1FC7: return (eta, false)
        case 0x1FC8, 0x1FC9: return (epsilon, true)
        case 0x1FCA...0x1FCC: return (eta, true)
        case 0x1FD0...0x1FDB: return (iota, value & 8 != 0)
        case 0x1FE4, 0x1FE5: return (0x3C1, false)
        case 0x1FEC: return (0x3C1, true)
        case 0x1FE0...0x1FEB: return (upsilon, value & 8 != 0)
        case 0x1FF2...0x1FF7: return (omega, false)
        case 0x1FF8, 0x1FF9: return (omicron, true)
        case 0x1FFA...0x1FFC: return (omega, true)
        default: return nil
        }
    }

    // MARK: Tables: fields parted by |

    /// А…Я
    private static let cyrillicLetters: StaticString =
        "A|B|V|G|D|E|Zh|Z|I|Y|K|L|M|N|O|P|R|S|T|U|F|Kh|Ts|Ch|Sh|Shch||Y||E|Yu|Ya"
    /// Ѐ…Џ
    private static let cyrillicExtensions: StaticString = "E|Yo|Dj|G|Ye|Dz|I|Yi|J|Lj|Nj|C|K|I|U|Dz"
    /// α…ω, with ς in its place
    private static let greekLetters: StaticString = "A|V|G|D|E|Z|I|Th|I|K|L|M|N|X|O|P|R|S|S|T|Y|F|Ch|Ps|O"
    /// U+00A1…U+00BF
    private static let signs: StaticString =
        "!|c|GBP||JPY|!|par.|\"|(C)|a|\"|-||(R)|-|deg|+-|2|3|'|u||.|,|1|o|\"|1/4|1/2|3/4|?"
    /// U+00C0…U+017F
    private static let latin: StaticString = """
        A|A|A|A|A|A|AE|C|E|E|E|E|I|I|I|I|D|N|O|O|O|O|O|x|O|U|U|U|U|Y|Th|ss|\
        a|a|a|a|a|a|ae|c|e|e|e|e|i|i|i|i|d|n|o|o|o|o|o|/|o|u|u|u|u|y|th|y|\
        A|a|A|a|A|a|C|c|C|c|C|c|C|c|D|d|D|d|E|e|E|e|E|e|E|e|E|e|G|g|G|g|\
        G|g|G|g|H|h|H|h|I|i|I|i|I|i|I|i|I|i|IJ|ij|J|j|K|k|q|L|l|L|l|L|l|L|\
        l|L|l|N|n|N|n|N|n|'n|N|n|O|o|O|o|O|o|OE|oe|R|r|R|r|R|r|S|s|S|s|S|s|\
        S|s|T|t|T|t|T|t|U|u|U|u|U|u|U|u|U|u|U|u|W|w|Y|y|Y|Z|z|Z|z|Z|z|s
        """

    private static func punctuation(_ value: UInt32) -> StaticString? {
        switch value {
        case 0x2018...0x201B, 0x2032, 0x2BB, 0x2BC: return "'"
        case 0x201C...0x201F, 0x2033: return "\""
        case 0x2010...0x2015, 0x2212, 0x2043: return "-"
        case 0x2026: return "..."
        case 0x2022, 0x2023: return "*"
        case 0x2039: return "<"
        case 0x203A: return ">"
        case 0x2030: return "o/oo"
        case 0x2190: return "<-"
        case 0x2191: return "^"
        case 0x2192: return "->"
        case 0x2193: return "v"
        case 0x221A: return "sqrt"
        case 0x221E: return "inf"
        case 0x2248: return "~"
        case 0x2260: return "/="
        case 0x2264: return "<="
        case 0x2265: return ">="
        // Letters of African and Turkic languages that have no decomposition.
        case 0x18F: return "A"
        case 0x259: return "a"
        case 0x186, 0x254: return value == 0x186 ? "O" : "o"
        case 0x190, 0x25B: return value == 0x190 ? "E" : "e"
        default: return nil
        }
    }

    private static func letter(_ index: UInt32, of table: StaticString, isCapital: Bool) -> Letter? {
        field(Int(index), of: table).map { Letter(text: $0, isCapital: isCapital) }
    }

    private static func bytes(of text: StaticString) -> [UInt8] {
        text.withUTF8Buffer { Array($0) }
    }

    private static func field(_ index: Int, of table: StaticString) -> [UInt8]? {
        table.withUTF8Buffer { table in
            var left = index
            var result: [UInt8] = []
            for byte in table {
                if byte == UInt8(ascii: "|") {
                    if left == 0 { return result }
                    left -= 1
                } else if left == 0 {
                    result.append(byte)
                }
            }
            return left == 0 ? result : nil
        }
    }
}
