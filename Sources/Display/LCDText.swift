// SPDX-License-Identifier: Apache-2.0
/// Converts UTF-8 to the character codes of an LCD's ROM.
///
/// Characters of the ROM stay; others are spelled in ASCII (`Transliteration`). White space is reduced to single spaces between words.
/// Combining marks, emoji and invisible characters are dropped. A run of characters without a spelling becomes one question mark. So the
/// result has only codes 0x20…0xFF of the ROM.
struct LCDText {
    /// The most characters, more than a screen can show in a useful time.
    private static let longestScalars = 2000

    private let rom: CharacterROM
    private let iconv: Iconv
    private var codes: [UInt8] = []
    private var spacePending = false
    /// True if `codes` ends with a question mark for unknown characters.
    private var endsUnknown = false

    static func codes(_ text: String, rom: CharacterROM, iconv: Iconv) -> [UInt8] {
        var result = LCDText(rom: rom, iconv: iconv)
        result.append(text)
        return result.codes
    }

    private init(rom: CharacterROM, iconv: Iconv) {
        self.rom = rom
        self.iconv = iconv
    }

    private mutating func append(_ text: String) {
        var scalars: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars {
            if scalars.count == Self.longestScalars { break }
            if let last = scalars.last, let composed = Self.compose(last, scalar) {
                scalars[scalars.count - 1] = composed
            } else if !Self.isLeftOut(scalar.value) {
                scalars.append(scalar)
            }
        }
        for i in scalars.indices {
            append(
                scalars[i], after: i > 0 ? scalars[i - 1].value : nil,
                before: i + 1 < scalars.count ? scalars[i + 1].value : nil)
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar, after previous: UInt32?, before next: UInt32?) {
        let value = scalar.value
        if Self.isSpace(value) {
            spacePending = !codes.isEmpty
        } else if value < 0x7F {
            put(ascii: UInt8(value))
        } else if Transliteration.isCyrillic(value) {
            appendCyrillic(scalar, after: previous, before: next)
        } else if Transliteration.isGreek(value) {
            // Alone it is a symbol (π, 5 Ω) and keeps its shape. Within a word, ROM letters among spelled ones read badly.
            let isInWord = previous.map(Transliteration.isGreek) ?? false || next.map(Transliteration.isGreek) ?? false
            if !isInWord, let code = rom.code(of: scalar) {
                put(code)
            } else if let letter = Transliteration.greek(scalar, after: previous) {
                put(letter, after: previous, before: next, isAlphabet: Transliteration.isGreek)
            } else {
                putUnknown()
            }
        } else if let code = rom.code(of: scalar) {
            put(code)
        } else if rom == .a00, let kana = Kana.codes(value) {
            for code in kana { put(code) }
        } else if Self.isPicture(value) {
            return
        } else if let spelled = Transliteration.ascii(of: scalar, else: iconv) {
            for byte in spelled {
                if byte == 0x20 { spacePending = !codes.isEmpty } else { put(ascii: byte) }
            }
        } else {
            putUnknown()
        }
    }

    private mutating func appendCyrillic(_ scalar: Unicode.Scalar, after previous: UInt32?, before next: UInt32?) {
        // The European ROM has the capitals that Latin lacks. With Latin's own for the rest, Russian reads well.
        if rom == .a02, let code = Self.a02Capital(scalar.value) {
            put(code)
        } else if let letter = Transliteration.cyrillic(scalar) {
            put(letter, after: previous, before: next, isAlphabet: Transliteration.isCyrillic)
        } else {
            putUnknown()
        }
    }

    /// Appends a letter's spelling: "zh" for ж, "Zh" for Ж, "ZH" for Ж among capitals.
    private mutating func put(
        _ letter: Transliteration.Letter, after previous: UInt32?, before next: UInt32?,
        isAlphabet: (UInt32) -> Bool
    ) {
        func isCapital(_ value: UInt32?) -> Bool? {
            guard let value, isAlphabet(value), let scalar = Unicode.Scalar(value) else { return nil }
            return (Transliteration.cyrillic(scalar) ?? Transliteration.greek(scalar, after: nil))?.isCapital
        }
        let amongCapitals = letter.isCapital && (isCapital(next) ?? isCapital(previous) ?? false)
        for (i, byte) in letter.text.enumerated() {
            let isUpper = (0x41...0x5A).contains(byte)
            if amongCapitals && !isUpper {
                put(ascii: byte & ~0x20)
            } else {
                put(ascii: isUpper && !letter.isCapital && i == 0 ? byte | 0x20 : byte)
            }
        }
    }

    private mutating func put(ascii byte: UInt8) {
        if rom == .a00 && byte == UInt8(ascii: "\\") {
            put(UInt8(ascii: "/"))
        } else if rom == .a00 && byte == UInt8(ascii: "~") {
            put(UInt8(ascii: "-"))
        } else {
            put(byte)
        }
    }

    private mutating func put(_ code: UInt8) {
        if spacePending { codes.append(0x20) }
        spacePending = false
        codes.append(code)
        endsUnknown = false
    }

    private mutating func putUnknown() {
        if endsUnknown {
            spacePending = false
        } else {
            put(UInt8(ascii: "?"))
            endsUnknown = true
        }
    }

    private static func isSpace(_ value: UInt32) -> Bool {
        switch value {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// Returns true for control characters, combining marks, and characters without a width.
    private static func isLeftOut(_ value: UInt32) -> Bool {
        switch value {
        case 0x00...0x08, 0x0E...0x1F, 0x7F...0x84, 0x86...0x9F, 0xAD: true
        case 0x300...0x36F, 0x483...0x489, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        case 0x34F, 0x61C, 0x180B...0x180F, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F: true
        case 0xFE00...0xFE0F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF: true
        default: false
        }
    }

    /// Returns true for emoji, similar symbols and private use: pictures that no word replaces on an LCD.
    private static func isPicture(_ value: UInt32) -> Bool {
        switch value {
        case 0x2300...0x23FF, 0x2500...0x27BF, 0x2900...0x297F, 0x2B00...0x2BFF, 0xE000...0xF8FF: true
        case 0x1F000...0x1F0FF, 0x1F1E6...0x1FAFF, 0xF0000...0x10FFFF: true
        default: false
        }
    }

    /// Returns a letter composed of a base and a combining mark, if ROMs or our tables have it: file names from a Mac are decomposed.
    private static func compose(_ base: Unicode.Scalar, _ mark: Unicode.Scalar) -> Unicode.Scalar? {
        let pairs: StaticString
        switch mark.value {
        case 0x300: pairs = "AÀEÈIÌOÒUÙaàeèiìoòuù"
        case 0x301: pairs = "AÁEÉIÍOÓUÚYÝaáeéiíoóuúyý"
        case 0x302: pairs = "AÂEÊIÎOÔUÛaâeêiîoôuû"
        case 0x303: pairs = "AÃNÑOÕaãnñoõ"
        case 0x306: pairs = "ИЙийУЎуў"
        case 0x308: pairs = "AÄEËIÏOÖUÜaäeëiïoöuüyÿЕЁеёІЇіїυϋιϊ"
        case 0x30A: pairs = "AÅaå"
        case 0x327: pairs = "CÇcç"
        default: return nil
        }
        return pairs.withUTF8Buffer { buffer in
            let letters = Array(String(decoding: buffer, as: UTF8.self).unicodeScalars)
            for i in stride(from: 0, to: letters.count - 1, by: 2) where letters[i] == base { return letters[i + 1] }
            return nil
        }
    }

    /// Returns a capital of the ROM, or a Latin look-alike, for both cases of a Cyrillic letter; nil for others.
    private static func a02Capital(_ value: UInt32) -> UInt8? {
        switch value {
        case 0x410...0x42F: a02Capitals[Int(value - 0x410)]
        case 0x430...0x44F: a02Capitals[Int(value - 0x430)]
        case 0x401, 0x451: 0xCB
        case 0x404, 0x454: 0x9E
        case 0x405, 0x455: UInt8(ascii: "S")
        case 0x406, 0x456: UInt8(ascii: "I")
        case 0x407, 0x457: 0xCF
        case 0x408, 0x458: UInt8(ascii: "J")
        case 0x40E, 0x45E: 0x88
        case 0x490, 0x491: 0x92
        default: nil
        }
    }

    /// А…Я; Ь is the small b, Г and Ф are Greek.
    private static let a02Capitals: [UInt8] = [
        0x41, 0x80, 0x42, 0x92, 0x81, 0x45, 0x82, 0x83, 0x84, 0x85, 0x4B, 0x86, 0x4D, 0x48, 0x4F, 0x87,
        0x50, 0x43, 0x54, 0x88, 0xD8, 0x58, 0x89, 0x8A, 0x8B, 0x8C, 0x8D, 0x8E, 0x62, 0x8F, 0xAC, 0xAD,
    ]
}
