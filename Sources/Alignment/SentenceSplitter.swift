// SPDX-License-Identifier: Apache-2.0
import Text

/// Splits a paragraph into sentences.
public enum SentenceSplitter {
    /// The longest sentence, in bytes: a longer one is split at a comma or a space.
    private static let mostBytes = 400
    /// Abbreviations with a period that ends no sentence, in English, German, French, Spanish, Italian, Dutch, Polish and Portuguese.
    private static let abbreviations: StaticString = """
        mr mrs ms dr st prof sr sra jr rev capt col gen lt sgt hon mt messrs vs esq no vol viz cf fig p pp ch ed hr fr frl nr bzw \
        ca usw vgl str bd abs evtl ggf inkl jh sog mme mlle mm m av ste art srta ud uds pag dra d excmo sig sigg sigra dott avv ing on \
        dhr mevr mw drs ir blz nl bijv enz ul prof. godz ks pl al inż mgr tzn np tj itd itp ex exa av dta sto z u
        """

    /// Returns the sentences as ranges of the paragraph, without the spaces between them.
    public static func sentences(_ text: [UInt8]) -> [Range<Int>] {
        var sentences: [Range<Int>] = []
        var start = 0
        // The last comma and the last space, where a long sentence may be split.
        var (comma, space) = (0, 0)
        for index in text.indices where text[index] == 0x20 {
            let isEnd = endsSentence(text, start..<index) && begins(text, index + 1)
            if isEnd {
                sentences.append(start..<index)
                start = index + 1
                continue
            }
            if index - start > mostBytes {
                let end = comma > start ? comma : space > start ? space : index
                sentences.append(start..<end)
                start = end + 1
            }
            space = index
            if index > 0, text[index - 1] == UInt8(ascii: ",") || text[index - 1] == UInt8(ascii: ";") { comma = index }
        }
        if start < text.count { sentences.append(start..<text.count) }
        return sentences.filter { range in text[range].contains { $0.isLetter || $0.isDigit || $0 >= 0x80 } }
    }

    /// Returns true if a sentence can begin here; it does not begin with a small letter.
    private static func begins(_ text: [UInt8], _ index: Int) -> Bool {
        for byte in text[index...].prefix(8) {
            if byte >= 0x61 && byte <= 0x7A { return false }
            if byte.isLetter || byte.isDigit || byte >= 0xC3 { return true }
        }
        return true
    }

    /// Returns true if the text ends in sentence punctuation, perhaps inside quotes and brackets.
    private static func endsSentence(_ text: [UInt8], _ range: Range<Int>) -> Bool {
        var end = range.upperBound
        let closers: [StaticString] = ["\"", "'", ")", "]", "”", "’", "»", "“", "‘", "«", "」"]
        scan: while end > range.lowerBound {
            for closer in closers where ends(text, range.lowerBound..<end, closer) {
                end -= closer.utf8CodeUnitCount
                continue scan
            }
            break
        }
        let rest = range.lowerBound..<end
        for mark in ["!", "?", "…", "。", "！", "？", "।"] as [StaticString] where ends(text, rest, mark) { return true }
        guard ends(text, rest, ".") else { return false }
        end -= 1
        var word = end
        while word > range.lowerBound, text[word - 1] != 0x20, text[word - 1] != UInt8(ascii: "(") { word -= 1 }
        let last = text[word..<end]
        // Initials, and numbers of days, end no sentence.
        if last.count == 1, last.allSatisfy({ $0.isLetter }) { return false }
        if last.count <= 2, last.allSatisfy({ $0.isDigit }) { return false }
        if last.contains(UInt8(ascii: ".")), last.count <= 4 { return false }
        return abbreviations.withUTF8Buffer { known in
            !known.split(separator: 0x20).contains { $0.elementsEqual(last.map { $0 | ($0.isLetter ? 0x20 : 0) }) }
        }
    }

    private static func ends(_ text: [UInt8], _ range: Range<Int>, _ mark: StaticString) -> Bool {
        mark.withUTF8Buffer { text[range].suffix($0.count).elementsEqual($0) }
    }
}

/// Guesses the language of a text by its most common words.
public enum LanguageGuess {
    private static let words: [(language: String, words: StaticString)] = [
        ("en", "the and of to was he that it his her with had you for not"),
        ("de", "der die und das ich nicht sie ein er war den mit ist zu auf"),
        ("fr", "le la les et des est un une dans que qui pas il elle vous"),
        ("es", "el la los y que en una las por con no su para del se"),
        ("it", "il che di la e non un era per una gli sono con della si"),
        ("nl", "de het een en van ik niet dat was hij zijn met te op er"),
        ("pl", "i w nie na się z do to jest że jak po co tak już"),
        ("pt", "o que e os um uma não do da em para com as se mais"),
    ]

    /// Returns two letters; nil if no single language has the most words.
    public static func language(of text: [UInt8]) -> String? {
        var counts: [Int] = Array(repeating: 0, count: words.count)
        for word in text.prefix(65_536).split(whereSeparator: { !($0.isLetter || $0 >= 0x80) }) where word.count <= 5 {
            let small = word.map { $0 < 0x80 ? $0 | 0x20 : $0 }
            for (index, entry) in words.enumerated() {
                let isKnown = entry.words.withUTF8Buffer {
                    $0.split(separator: 0x20).contains { $0.elementsEqual(small) }
                }
                if isKnown { counts[index] += 1 }
            }
        }
        guard let best = counts.indices.max(by: { counts[$0] < counts[$1] }), counts[best] > 3 else { return nil }
        return words[best].language
    }
}
