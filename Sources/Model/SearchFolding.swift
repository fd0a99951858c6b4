// SPDX-License-Identifier: Apache-2.0
import Posix
import Text

extension String {
    /// The text in UTF-8 for comparisons that ignore case: small letters, accents combined with their letters, and plain characters for
    /// typographic ones: `’` is `'`, `–` is `-`, `…` is `...`.
    public var searchFolded: [UInt8] {
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.map { $0.lowerCase } }
        var folded: [UInt32] = []
        for scalar in lowerCase.unicodeScalars {
            switch scalar.value {
            case 0x300...0x36F:
                // File names from a Mac have separate accents.
                if let base = folded.last, let letter = composed(base, scalar.value) {
                    folded[folded.count - 1] = letter
                } else {
                    folded.append(scalar.value)
                }
            case 0x2018...0x201B, 0x2BC, 0x2032: folded.append(0x27)
            case 0x201C...0x201F, 0x2033: folded.append(0x22)
            case 0x2010...0x2015, 0x2212: folded.append(0x2D)
            case 0x2026: folded += [0x2E, 0x2E, 0x2E]
            case 0xA0, 0x202F: folded.append(0x20)
            default: folded.append(scalar.value)
            }
        }
        var bytes: [UInt8] = []
        for scalar in folded { bytes.appendUTF8(scalar) }
        return bytes
    }
}

/// Returns the small letter with this accent.
private func composed(_ base: UInt32, _ accent: UInt32) -> UInt32? {
    if base == 0x438, accent == 0x306 { return 0x439 }
    if base == 0x435, accent == 0x308 { return 0x451 }
    let sign: UInt8
    switch accent {
    case 0x300: sign = UInt8(ascii: "`")
    case 0x301: sign = UInt8(ascii: "'")
    case 0x302: sign = UInt8(ascii: "^")
    case 0x303: sign = UInt8(ascii: "~")
    case 0x304: sign = UInt8(ascii: "-")
    case 0x306: sign = UInt8(ascii: "u")
    case 0x307: sign = UInt8(ascii: ".")
    case 0x308: sign = UInt8(ascii: ":")
    case 0x30A: sign = UInt8(ascii: "o")
    case 0x30B: sign = UInt8(ascii: "\"")
    case 0x30C: sign = UInt8(ascii: "v")
    case 0x327: sign = UInt8(ascii: ",")
    case 0x328: sign = UInt8(ascii: ";")
    default: return nil
    }
    // In a pair, the small letter is the second.
    for index in (0..<latinBases.utf8CodeUnitCount).reversed()
    where latinAccents.utf8Start[index] == sign && UInt32(latinBases.utf8Start[index]) == base {
        return 0xE0 + UInt32(index)
    }
    return nil
}

/// U+00E0 to U+017F without their accents, and those accents: a letter without one of these has a space.
public let latinBases: StaticString =
    "aaaaaaaceeeeiiiidnooooo/ouuuuytyaaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"
private let latinAccents: StaticString =
    "`'^~:o ,`'^:`'^: ~`'^~:  `'^:' :--uu;;''^^..vvvv  --uu..;;vv^^uu..,,^^  ~~--uu;;.   ^^,, '',,vv    '',,vv   --uu\"\"  '',,vv''^^,,vv,,vv  ~~--uuoo\"\";;^^^^ ''..vv "
