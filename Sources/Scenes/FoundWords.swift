// SPDX-License-Identifier: Apache-2.0
/// Words that are looked for, and where they stand in a text.
struct FoundWords: Equatable {
    /// Their characters, folded.
    private let words: [[UInt32]]

    /// - Parameter text: as it was typed.
    init(_ text: String) { words = FoundWords.words(FoundWords.folded(text)).map { Array($0.characters) } }

    /// Places of words of the text that begin so, in its characters.
    func places(in text: String) -> [Range<Int>] {
        if words.isEmpty { return [] }
        var places: [Range<Int>] = []
        for word in FoundWords.words(FoundWords.folded(text)) {
            let longest = words.lazy.filter { word.characters.starts(with: $0) }.map { $0.count }.max()
            if let longest { places.append(word.start..<word.start + longest) }
        }
        return places
    }

    /// Capitals of ASCII as small letters: other matches of a library's search only stay without color.
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
