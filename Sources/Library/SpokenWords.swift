import Posix
import SQLite

/// Words that are looked for in what is said: all of them in one sentence. In quotes they are a phrase; with `*` behind it a word is
/// the beginning of one. Case, accents and everything that is no letter or digit do not matter.
public struct SpokenWords: Sendable {
    /// Words that follow each other.
    struct Phrase: Equatable, Sendable {
        /// As the index has them.
        var words: [[UInt8]]
        /// The last may go on.
        var isPrefix: Bool
    }

    /// No honest question has more.
    private static let mostWords = 32

    private(set) var phrases: [Phrase] = []

    /// What a person wrote. A quote that is not closed goes to the end.
    init(_ text: String, _ tokenizer: WordTokenizer) {
        let quote = UInt8(ascii: "\"")
        let bytes = Array(text.utf8)
        var place = 0
        while place < bytes.count {
            var end: Int
            var next: Int
            if bytes[place] == quote {
                place += 1
                end = bytes[place...].firstIndex(of: quote) ?? bytes.count
                next = min(end + 1, bytes.count)
            } else {
                end = bytes[place...].firstIndex { $0 == quote || $0 <= 0x20 } ?? bytes.count
                next = end < bytes.count && bytes[end] != quote ? end + 1 : end
            }
            // "for ev"* as "for ev*".
            var isPrefix = end > place && bytes[end - 1] == UInt8(ascii: "*")
            while next < bytes.count && bytes[next - 1] == quote && bytes[next] == UInt8(ascii: "*") {
                isPrefix = true
                next += 1
                if next < bytes.count && bytes[next] == UInt8(ascii: "*") { continue }
                break
            }
            append(bytes[place..<end], isPrefix: isPrefix, tokenizer)
            place = next
        }
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>, isPrefix: Bool, _ tokenizer: WordTokenizer) {
        var room = SpokenWords.mostWords - phrases.reduce(0) { $0 + $1.words.count }
        var phrase = Phrase(words: [], isPrefix: isPrefix)
        bytes.withUnsafeBytes { bytes in
            tokenizer.forEachWord(of: bytes) { word in
                if room == 0 { return false }
                room -= 1
                phrase.words.append(Array(word))
                return true
            }
        }
        if !phrase.words.isEmpty && !phrases.contains(phrase) { phrases.append(phrase) }
    }

    /// Whether a sentence has all of them.
    func match(_ text: UnsafeRawBufferPointer, _ tokenizer: WordTokenizer) -> Bool {
        var found = 0
        var isFound = [Bool](repeating: false, count: phrases.count)
        /// Of each phrase, the numbers of words that it could be at, as bits.
        var progress = [UInt64](repeating: 0, count: phrases.count)
        tokenizer.forEachWord(of: text) { word in
            for (number, phrase) in phrases.enumerated() where !isFound[number] {
                var now: UInt64 = 0
                let before = progress[number] << 1 | 1
                for (place, wanted) in phrase.words.enumerated() where before >> UInt64(place) & 1 != 0 {
                    let isLast = place == phrase.words.count - 1
                    guard SpokenWords.match(word, wanted, isPrefix: isLast && phrase.isPrefix) else { continue }
                    if isLast {
                        isFound[number] = true
                        found += 1
                    }
                    now |= 1 << UInt64(place)
                }
                progress[number] = now
            }
            return found < phrases.count
        }
        return found == phrases.count
    }

    private static func match(_ word: UnsafeRawBufferPointer, _ wanted: [UInt8], isPrefix: Bool) -> Bool {
        guard isPrefix ? word.count >= wanted.count : word.count == wanted.count else { return false }
        for place in 0..<wanted.count where word[place] != wanted[place] { return false }
        return true
    }

    /// Every word once: those that are whole, and beginnings.
    var distinct: (whole: [[UInt8]], beginnings: [[UInt8]]) {
        var whole: [[UInt8]] = []
        var beginnings: [[UInt8]] = []
        for phrase in phrases {
            for (place, word) in phrase.words.enumerated() {
                if phrase.isPrefix && place == phrase.words.count - 1 {
                    if !beginnings.contains(word) { beginnings.append(word) }
                } else if !whole.contains(word) {
                    whole.append(word)
                }
            }
        }
        return (whole, beginnings)
    }

    /// The index alone can tell: no phrase, no beginning.
    var isPlain: Bool { phrases.allSatisfy { $0.words.count == 1 && !$0.isPrefix } }
}
