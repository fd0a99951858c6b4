// SPDX-License-Identifier: Apache-2.0
/// Finds the possible ends of a line: at spaces and hyphens, between ideographs but not before closing punctuation, and between clusters of
/// scripts without spaces.
enum LineBreaks {
    static func isSpace(_ character: UInt32) -> Bool {
        character == 0x20 || character == 0x09 || character == 0x3000
            || character >= 0x2000 && character <= 0x200A
                && character != 0x2007
    }

    /// Returns true if a line may end between the two.
    static func allowed(after: UInt32, before: UInt32) -> Bool {
        if isSpace(before) { return false }
        if isSpace(after) || after == 0x200B { return true }
        switch after {
        // Hyphens and dashes stay with the preceding text; a minus before a number is no hyphen.
        case 0x2D, 0x2010, 0x2013, 0x2014, 0x05BE: return !(before >= 0x30 && before <= 0x39)
        default: break
        }
        if isIdeograph(after) || isIdeograph(before) { return !opens(after) && !closes(before) }
        return isUnspaced(after) && isUnspaced(before)
    }

    /// Returns true if a hyphen beside it may divide a word: for Latin, Greek, Cyrillic, Armenian and Georgian letters.
    static func isLetter(_ c: UInt32) -> Bool {
        c >= 0x41 && c <= 0x5A || c >= 0x61 && c <= 0x7A || c >= 0xC0 && c <= 0x2AF && c != 0xD7 && c != 0xF7
            || c >= 0x370 && c <= 0x587 || c >= 0x10A0 && c <= 0x10FF || c >= 0x1E00 && c <= 0x1FFF
    }

    /// Returns true for punctuation that announces more text, which must not precede an ellipsis.
    static func isBeforeMore(_ c: UInt32) -> Bool {
        switch c {
        case 0x2C, 0x2D, 0x2E, 0x3A, 0x3B, 0xB7, 0x2013, 0x2014: true
        default: false
        }
    }

    private static func isIdeograph(_ c: UInt32) -> Bool {
        c >= 0x2E80 && c <= 0xA4CF || c >= 0xAC00 && c <= 0xD7FF || c >= 0xF900 && c <= 0xFAFF
            || c >= 0xFF00 && c <= 0xFFEF
            || c >= 0x20000 && c <= 0x3FFFF
    }

    /// Returns true for Thai, Lao, Burmese and Khmer.
    private static func isUnspaced(_ c: UInt32) -> Bool {
        c >= 0x0E00 && c <= 0x0EFF || c >= 0x1000 && c <= 0x109F || c >= 0x1780 && c <= 0x17FF
    }

    private static func opens(_ c: UInt32) -> Bool {
        switch c {
        case 0x28, 0x5B, 0x7B, 0x2018, 0x201C, 0xAB, 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0xFF08,
            0xFF3B, 0xFF5B:
            true
        default: false
        }
    }

    private static func closes(_ c: UInt32) -> Bool {
        switch c {
        case 0x21, 0x29, 0x2C, 0x2E, 0x3A, 0x3B, 0x3F, 0x5D, 0x7D, 0xBB, 0x2019, 0x201D, 0x2026: true
        case 0x3001, 0x3002, 0x3005, 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x30FB, 0x30FC: true
        // Small kana belong to the character before.
        case 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087: true
        case 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7: true
        case 0xFF01, 0xFF09, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF3D, 0xFF5D: true
        default: false
        }
    }
}
