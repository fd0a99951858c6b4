// SPDX-License-Identifier: Apache-2.0
/// Searched words, and where a text contains them.
struct FoundWords: Equatable {
    /// The characters of each word, folded.
    private let words: [[UInt32]]

    /// - Parameter text: the search text as it was typed.
    init(_ text: String) { words = FoundWords.words(FoundWords.folded(text)).map { Array($0.characters) } }

    /// Returns the ranges of the text's words that begin with a searched word, in its characters.
    func places(in text: String) -> [Range<Int>] {
        if words.isEmpty { return [] }
        var places: [Range<Int>] = []
        for word in FoundWords.words(FoundWords.folded(text)) {
            let longest = words.lazy.filter { word.characters.starts(with: $0) }.map { $0.count }.max()
            if let longest { places.append(word.start..<word.start + longest) }
        }
        return places
    }

    /// Folds ASCII capitals only. Other matches of the library's search merely stay uncolored.
    private static func folded(_ text: String) -> [UInt32] {
        text.unicodeScalars.map { (0x41...0x5A).contains($0.value) ? $0.value + 0x20 : $0.value }
    }

    private static func words(_ text: [UInt32]) -> [(start: Int, characters: ArraySlice<UInt32>)] {
        var words: [(start: Int, characters: ArraySlice<UInt32>)] = []
        var start: Int?
        for index in 0...text.count {
            if index < text.count && isLetter(text[index]) {
                start = start ?? index
            } else if let begin = start {
                words.append((begin, text[begin..<index]))
                start = nil
            }
        }
        return words
    }

    private static func isLetter(_ character: UInt32) -> Bool {
        character >= 0x80 && character != 0x2019 && character != 0x2014 || (0x61...0x7A).contains(character)
            || (0x30...0x39).contains(character)
    }
}
