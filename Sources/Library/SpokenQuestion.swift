// SPDX-License-Identifier: Apache-2.0
import Posix
import SQLite

/// Words to search for in transcripts: all of them in one sentence. In quotes they are a phrase; with a `*` at its end a word is a prefix.
/// Case, accents and everything but letters and digits do not matter.
public struct SpokenQuestion: Sendable {
    /// The limit of words: no honest query has more.
    private static let mostWords = 32

    /// The query in FTS5's language.
    var match: String { phrases.joined(separator: " AND ") }

    /// The words and phrases, each in quotes, with a `*` behind a prefix.
    private var phrases: [String] = []
    private var wordCount = 0

    /// Parses a listener's text. An unclosed quote extends to the end.
    /// - Returns: nil if the text has no word.
    public init?(_ text: String, _ library: Library) {
        guard let tokenizer = WordTokenizer(library.database) else { return nil }
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
        if phrases.isEmpty { return nil }
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>, isPrefix: Bool, _ tokenizer: WordTokenizer) {
        var words: [String] = []
        let room = SpokenQuestion.mostWords - wordCount
        bytes.withUnsafeBytes { bytes in
            tokenizer.forEachWord(of: bytes) { word in
                if words.count == room { return false }
                // Words have neither quotes nor any other syntax of FTS5.
                words.append(String(decoding: word, as: UTF8.self))
                return true
            }
        }
        let phrase = "\"" + words.joined(separator: " ") + (isPrefix ? "\" *" : "\"")
        if words.isEmpty || phrases.contains(phrase) { return }
        wordCount += words.count
        phrases.append(phrase)
    }
}
