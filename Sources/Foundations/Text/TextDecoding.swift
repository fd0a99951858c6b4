// SPDX-License-Identifier: Apache-2.0
/// Converts bytes of any encoding to valid UTF-8.
public enum TextDecoding {
    /// - A UTF-16 text, told by its byte order mark or by the zero bytes of its first character, is converted.
    /// - A UTF-8 text loses its mark, and half a letter at either end, where it was cut. Other stray bytes in it (two files glued together)
    ///   are read as Windows-1252.
    /// - If stray bytes outnumber well-formed sequences, the whole text is Windows-1251 if most letters beyond ASCII stand in words of
    ///   their own, as in Cyrillic, else Windows-1252, which includes Latin-1.
    public static func utf8(from bytes: [UInt8]) -> [UInt8] {
        if bytes.count >= 2 {
            switch (bytes[0], bytes[1]) {
            case (0xFF, 0xFE): return utf16(bytes, 2..<bytes.count, littleEndian: true)
            case (0xFE, 0xFF): return utf16(bytes, 2..<bytes.count, littleEndian: false)
            case (1..., 0): return utf16(bytes, 0..<bytes.count, littleEndian: true)
            case (0, 1...): return utf16(bytes, 0..<bytes.count, littleEndian: false)
            default: break
            }
        }
        return utf8(fromSingleBytes: bytes, bytes.indices)
    }

    /// Decodes a part in the same way, but never as UTF-16.
    public static func utf8(fromSingleBytes bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
        var start = range.lowerBound + (bytes[range].starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        var end = range.upperBound
        var index = start
        var sequences = 0
        var strays = 0
        while index < range.upperBound {
            if bytes[index] < 0x80 {
                index += 1
                continue
            }
            let length = sequenceLength(bytes, at: index, before: range.upperBound)
            if length == 0 { strays += 1 } else { sequences += 1 }
            index += max(length, 1)
        }
        if strays > 0, sequences > 0 {
            let cut = halfLetters(bytes, start..<end)
            if sequences >= strays - cut.rest - cut.beginning {
                start += cut.rest
                end -= cut.beginning
                strays -= cut.rest + cut.beginning
            }
        }
        if strays == 0 { return start == 0 && end == bytes.count ? bytes : Array(bytes[start..<end]) }
        let letter = sequences < strays && isCyrillic(bytes[start..<end]) ? windows1251 : windows1252
        var text: [UInt8] = []
        text.reserveCapacity(range.count + strays * 2)
        index = start
        while index < end {
            let length = sequenceLength(bytes, at: index, before: end)
            if length == 1 || (length > 1 && sequences >= strays) {
                text.append(contentsOf: bytes[index..<index + length])
                index += length
            } else {
                text.appendUTF8(letter(bytes[index]))
                index += 1
            }
        }
        return text
    }

    /// Returns the number of continuation bytes at the start, and of the bytes of an incomplete character at the end.
    public static func halfLetters(_ bytes: [UInt8], _ range: Range<Int>) -> (rest: Int, beginning: Int) {
        let rest = bytes[range].prefix(3).prefix { $0 & 0xC0 == 0x80 }.count
        let tail = bytes[range].dropFirst(rest).suffix(3)
        guard let lead = tail.lastIndex(where: { $0 & 0xC0 != 0x80 }), bytes[lead] >= 0xC2 else { return (rest, 0) }
        // Any fitting byte may replace the missing ones, and one of 0x80, 0x90 or 0xA0 fits.
        let begun = Array(bytes[lead..<range.upperBound])
        for missing: UInt8 in [0x80, 0x90, 0xA0] {
            let whole = begun + [missing, 0x80, 0x80]
            if sequenceLength(whole, at: 0) > begun.count { return (rest, begun.count) }
        }
        return (rest, 0)
    }

    /// Returns true if the text is valid UTF-8.
    public static func isUTF8(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            if bytes[index] < 0x80 {
                index += 1
                continue
            }
            let length = sequenceLength(bytes, at: index, before: range.upperBound)
            if length == 0 { return false }
            index += length
        }
        return true
    }

    /// Decodes UTF-16. Unpaired surrogates become U+FFFD; an odd last byte is dropped.
    public static func utf16(_ bytes: [UInt8], _ range: Range<Int>, littleEndian: Bool) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        func unit(_ index: Int) -> UInt32 {
            littleEndian
                ? UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8
                : UInt32(bytes[index]) << 8 | UInt32(bytes[index + 1])
        }
        var index = range.lowerBound
        while index + 1 < range.upperBound {
            var scalar = unit(index)
            index += 2
            if scalar >= 0xD800, scalar < 0xDC00, index + 1 < range.upperBound,
                case let low = unit(index), low >= 0xDC00, low < 0xE000
            {
                scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
                index += 2
            }
            text.appendUTF8(scalar)
        }
        return text
    }

    /// Returns the length of the well-formed UTF-8 sequence at `index`, 0 if there is none (Unicode, table 3-7).
    public static func sequenceLength(_ bytes: [UInt8], at index: Int, before end: Int? = nil) -> Int {
        let lead = bytes[index]
        if lead < 0x80 { return 1 }
        let length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
        guard length > 0, index + length <= end ?? bytes.count else { return 0 }
        let lowest: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
        let highest: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
        guard bytes[index + 1] >= lowest, bytes[index + 1] <= highest else { return 0 }
        for continuation in index + 2..<max(index + length, index + 2) where bytes[continuation] & 0xC0 != 0x80 {
            return 0
        }
        return length
    }

    /// Returns true for Windows-1251: most letters above 0x7F stand in groups of three or more. In Western European languages they stand
    /// alone or in pairs ("Größe").
    private static func isCyrillic(_ bytes: ArraySlice<UInt8>) -> Bool {
        var (letters, inWords, run) = (0, 0, 0)
        func end() {
            letters += run
            if run >= 3 { inWords += run }
            run = 0
        }
        for byte in bytes {
            switch byte {
            // Ё, ё, і, є and ї have lower codes than the others.
            case 0xC0..., 0xA8, 0xB8, 0xB3, 0xBA, 0xBF: run += 1
            default: end()
            }
        }
        end()
        return inWords > letters / 2
    }

    /// Windows-1251 (Unicode's own table); 0x98 is a hole.
    private static func windows1251(_ byte: UInt8) -> UInt32 {
        switch byte {
        case 0xC0...: 0x0410 + UInt32(byte - 0xC0)
        case 0x80: 0x0402
        case 0x81: 0x0403
        case 0x83: 0x0453
        case 0x88: 0x20AC
        case 0x8A: 0x0409
        case 0x8C: 0x040A
        case 0x8D: 0x040C
        case 0x8E: 0x040B
        case 0x8F: 0x040F
        case 0x90: 0x0452
        case 0x98: 0x0098
        case 0x9A: 0x0459
        case 0x9C: 0x045A
        case 0x9D: 0x045C
        case 0x9E: 0x045B
        case 0x9F: 0x045F
        case 0xA1: 0x040E
        case 0xA2: 0x045E
        case 0xA3: 0x0408
        case 0xA5: 0x0490
        case 0xA8: 0x0401
        case 0xAA: 0x0404
        case 0xAF: 0x0407
        case 0xB2: 0x0406
        case 0xB3: 0x0456
        case 0xB4: 0x0491
        case 0xB8: 0x0451
        case 0xB9: 0x2116
        case 0xBA: 0x0454
        case 0xBC: 0x0458
        case 0xBD: 0x0405
        case 0xBE: 0x0455
        case 0xBF: 0x0457
        // Quotation marks, dashes and symbols are the same in both.
        default: windows1252(byte)
        }
    }

    /// Windows-1252 differs from Latin-1 in 0x80…0x9F only; its five holes stay the control characters of Latin-1.
    private static func windows1252(_ byte: UInt8) -> UInt32 {
        switch byte {
        case 0x80: 0x20AC
        case 0x82: 0x201A
        case 0x83: 0x0192
        case 0x84: 0x201E
        case 0x85: 0x2026
        case 0x86: 0x2020
        case 0x87: 0x2021
        case 0x88: 0x02C6
        case 0x89: 0x2030
        case 0x8A: 0x0160
        case 0x8B: 0x2039
        case 0x8C: 0x0152
        case 0x8E: 0x017D
        case 0x91: 0x2018
        case 0x92: 0x2019
        case 0x93: 0x201C
        case 0x94: 0x201D
        case 0x95: 0x2022
        case 0x96: 0x2013
        case 0x97: 0x2014
        case 0x98: 0x02DC
        case 0x99: 0x2122
        case 0x9A: 0x0161
        case 0x9B: 0x203A
        case 0x9C: 0x0153
        case 0x9E: 0x017E
        case 0x9F: 0x0178
        default: UInt32(byte)
        }
    }
}

extension [UInt8] {
    /// Appends one scalar; U+FFFD for an invalid one.
    public mutating func appendUTF8(_ scalar: UInt32) {
        switch scalar {
        case 0..<0x80:
            append(UInt8(scalar))
        case 0x80..<0x800:
            append(0xC0 | UInt8(scalar >> 6))
            append(0x80 | UInt8(scalar & 0x3F))
        case 0x800..<0xD800, 0xE000..<0x10000:
            append(0xE0 | UInt8(scalar >> 12))
            append(0x80 | UInt8(scalar >> 6 & 0x3F))
            append(0x80 | UInt8(scalar & 0x3F))
        case 0x10000..<0x110000:
            append(0xF0 | UInt8(scalar >> 18))
            append(0x80 | UInt8(scalar >> 12 & 0x3F))
            append(0x80 | UInt8(scalar >> 6 & 0x3F))
            append(0x80 | UInt8(scalar & 0x3F))
        default:
            appendUTF8(0xFFFD)
        }
    }
}
