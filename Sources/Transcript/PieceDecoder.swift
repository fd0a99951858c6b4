// SPDX-License-Identifier: Apache-2.0
import Text

/// Decodes pieces of a text that may split characters: whisper.cpp writes single tokens, and a token may end within a character.
struct PieceDecoder {
    /// True if the file has multibyte characters: then half a character is not Windows-1252.
    private var isUTF8: Bool
    /// The beginning of a character, at the end of the piece before.
    private var begun: [UInt8] = []

    init(isUTF8: Bool = false) {
        self.isUTF8 = isUTF8
    }

    /// Returns true if the piece needs no decoding.
    mutating func isWhole(_ bytes: [UInt8], _ piece: Range<Int>) -> Bool {
        guard TextDecoding.isUTF8(bytes, piece) else { return false }
        if !isUTF8 { isUTF8 = isForeign(bytes, piece) }
        return true
    }

    /// Decodes a piece that needs it.
    ///
    /// - Returns: `letter` is the last character of the piece before, if that piece had only its beginning.
    mutating func decode(_ bytes: [UInt8], _ piece: Range<Int>) -> (letter: [UInt8], text: [UInt8]) {
        // Skip the stamps of LRC.
        var start = piece.lowerBound
        while start < piece.upperBound, bytes[start] == UInt8(ascii: "["),
            let close = bytes[start..<piece.upperBound].firstIndex(of: UInt8(ascii: "]"))
        {
            start = close + 1
        }
        let halves = TextDecoding.halfLetters(bytes, start..<piece.upperBound)
        let body = start + halves.rest..<piece.upperBound - halves.beginning
        var letter: [UInt8] = []
        if !begun.isEmpty, halves.rest > 0 {
            letter = begun + bytes[start..<body.lowerBound]
            if body.isEmpty, halves.beginning == 0, TextDecoding.halfLetters(letter, letter.indices).beginning > 0 {
                begun = letter
                return ([], Array(bytes[piece.lowerBound..<start]))
            }
            letter.removeLast(letter.count - TextDecoding.sequenceLength(letter, at: 0))
        }
        begun = []
        let isPlain = TextDecoding.isUTF8(bytes, body)
        if isPlain, !isUTF8 { isUTF8 = !letter.isEmpty || isForeign(bytes, body) }
        // Half a character alone is dropped: no Windows-1252 line consists of one such letter.
        if isPlain, isUTF8 || body.isEmpty && halves.rest == 0 {
            begun += bytes[body.upperBound..<piece.upperBound]
            return (letter, Array(bytes[piece.lowerBound..<start]) + bytes[body])
        }
        return (letter, TextDecoding.utf8(fromSingleBytes: bytes, piece))
    }

    private func isForeign(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        bytes[range].contains { $0 >= 0x80 }
    }
}
