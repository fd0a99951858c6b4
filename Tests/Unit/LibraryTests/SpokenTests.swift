import Foundation
import Model
import TestSupport
import Testing

@testable import Library
@testable import SQLite

@Suite struct SpokenTests {
    private let folder = TemporaryFolder()
    private let library: Library

    init() { library = Library(folder) }

    private func add(_ number: Int, _ sentences: String...) throws -> Item.ID {
        let id = try #require(library.upsert(probe(number, title: "Book \(number)"))).id
        library.speak(id, sentences.enumerated().map { ($0.offset * 4000, $0.element) })
        return id
    }

    private func texts(_ words: String) -> [String] { library.said(words).map(\.text) }

    @Test func findsWordsWhateverTheirCaseAndAccents() throws {
        let id = try add(1, "The Élan of a naïve Fox.", "Под лампой СИДИТ лиса.", "Nothing here.")
        for words in ["elan", "ÉLAN", "élan fox", "FOX naive", "\u{65}\u{301}lan", "the"] {
            #expect(texts(words) == ["The Élan of a naïve Fox."], "\(words)")
        }
        #expect(texts("лампой сидит") == ["Под лампой СИДИТ лиса."])
        let hit = try #require(library.said("ЛИСА").first)
        #expect(hit.itemID == id && hit.milliseconds == 4000)
        #expect(texts("fox nothing") == [])
        #expect(texts("ela") == [])
    }

    @Test func findsBeginningsAndPhrases() throws {
        _ = try add(
            1, "The red fox, a vixen, sleeps.", "A fox red as fire.", "Foxes and redheads.", "Don't wake the red-fox!")
        #expect(texts("\"red fox\"") == ["The red fox, a vixen, sleeps.", "Don't wake the red-fox!"])
        #expect(texts("\"fox red\"") == ["A fox red as fire."])
        #expect(texts("fox*").count == 4)
        #expect(texts("\"red f*\"").count == 2)
        #expect(texts("\"red f\"*").count == 2)
        #expect(texts("fox* redh*") == ["Foxes and redheads."])
        #expect(texts("vix*") == ["The red fox, a vixen, sleeps."])
        #expect(texts("don't") == ["Don't wake the red-fox!"])
        #expect(texts("\"the red fox\" sleeps \"red fox a\"") == ["The red fox, a vixen, sleeps."])
        #expect(texts("\"red fox").count == 2)
    }

    /// What means something to FTS5 is text like any other, and what is no word is none.
    @Test(arguments: [
        "AND", "fox OR vixen", "NEAR(fox)", "words : fox", "^fox", "fox + red", "-fox", "\"\"", "\"", "*", "* fox",
        "(fox)",
        "fox\" \"red", "\"fox\" * *", "{fox}", "fox\u{0}red", "\u{0}", "a\"b\"c", "';DROP TABLE item;--", "fox**",
        "\"*\"", "\\\"",
    ])
    func takesAnythingForText(words: String) throws {
        _ = try add(1, "The red fox AND a vixen.", "NEAR or far.")
        _ = texts(words)
        #expect(library.trouble == nil)
        #expect(texts("and") == ["The red fox AND a vixen."])
        #expect(texts("near OR far") == ["NEAR or far."])
    }

    @Test func randomQuestionsAreAnsweredAsByReadingEverything() throws {
        var generator = SeededGenerator(seed: 11)
        var text = SpokenText(words: 60, seed: 3)
        var all: [String] = []
        for number in 1...3 {
            let id = try #require(library.upsert(probe(number))).id
            let sentences = (0..<400).map { ($0 * 3000, text.sentence()) }
            all += sentences.map(\.1)
            library.speak(id, sentences)
        }
        let tokenizer = try #require(WordTokenizer(library.database))
        let marks = ["\"", "*", " ", " ", "  ", ".", "AND ", "\n"]
        for _ in 0..<300 {
            var question = ""
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                let word = text.word()
                question += Bool.random(using: &generator) ? word : String(word.prefix(2))
                question += marks.randomElement(using: &generator)!
            }
            let words = SpokenWords(question, tokenizer)
            let begins = words.phrases.first?.words.first ?? []
            let expected = all.filter { sentence in
                Array(sentence.utf8).withUnsafeBytes { bytes in
                    let isMatch = words.match(bytes, tokenizer)
                    // The quick look passes over nothing that is meant.
                    if isMatch { #expect(SpokenSearch.mayBegin(bytes, begins), "\(question): \(sentence)") }
                    return isMatch
                }
            }
            #expect(texts(question) == (words.phrases.isEmpty ? [] : expected), "\(question)")
        }
        #expect(library.trouble == nil)
    }

    @Test func theQuickLookFindsAWordAtEachPlace() {
        func mayBegin(_ text: String, _ word: String) -> Bool {
            Array(text.utf8).withUnsafeBytes { SpokenSearch.mayBegin($0, Array(word.utf8)) }
        }
        for before in 0...20 {
            for after in 0...20 {
                let (front, back) = (String(repeating: ".", count: before), String(repeating: " ", count: after))
                for said in ["fox", "Fox", "FOXES"] { #expect(mayBegin(front + said + back, "fox")) }
                // Within a word, another word, and the end before the word's own.
                for said in ["afox", "fix", "fo", ""] { #expect(!mayBegin(front + said + back, "fox")) }
                // What is not ASCII may be anything.
                #expect(mayBegin(front + "é" + back, "fox"))
                #expect(mayBegin(front + back, "é"))
            }
        }
    }

    @Test func noQuestionIsTooLong() throws {
        _ = try add(1, "The red fox.")
        for question in [
            String(repeating: "fox ", count: 5000), String(repeating: "\"", count: 5000),
            String(repeating: "x", count: 20_000) + "*", String(repeating: "é", count: 10_000),
        ] {
            expectCost(inputBytes: question.utf8.count) { _ = library.said(question) }
        }
        #expect(library.trouble == nil)
    }

    @Test func aChangedTranscriptIsFoundAsItIs() throws {
        let id = try add(1, "Old words.", "Both stay.")
        let other = try add(2, "Old friends.")
        library.speak(id, [(7, "New words."), (9, "Both stay.")])
        #expect(texts("old") == ["Old friends."])
        #expect(texts("new") == ["New words."])
        #expect(library.said("both").map(\.milliseconds) == [9])
        library.setPresent([other], false)
        #expect(texts("old") == [])
        library.setPresent([other], true)
        #expect(texts("old") == ["Old friends."])
        #expect(library.trouble == nil)
    }

    @Test func whatTheLibraryForgotIsAnOrphan() throws {
        let id = try add(1, "Gone words.")
        _ = try add(2, "Kept words.")
        library.setPresent(id, false, nowSeconds: 1_750_000_000)
        #expect(library.forget(goneSince: 1_760_000_000) == 1)
        let page = library.spokenOrphans(after: 0, limit: 10)
        #expect(page.items == [id] && page.next == nil)
        #expect(!library.removeSpoken(id, blocks: 8))
        #expect(texts("words") == ["Kept words."])
        #expect(library.spokenOrphans(after: 0, limit: 10).items == [])
    }

    /// Each of many portions is bounded, the text and the index take no more room than the text, and all of it is there.
    @Test func sixtyThousandSentences() throws {
        var text = SpokenText()
        let id = try #require(library.upsert(probe(1))).id
        let sentences = (0..<60_000).map { ($0 * 2500, text.sentence()) }
        let before = library.size
        library.speak(id, sentences)
        let bytes = sentences.reduce(0) { $0 + $1.1.utf8.count }
        #expect(library.size - before < bytes)
        let word = text.vocabulary[4000]
        let expected = sentences.filter { $0.1.lowercased().contains(word) }.count
        #expect(library.said(word + "*").count <= expected)
        for words in [
            text.vocabulary[0], "\(text.vocabulary[0].prefix(1))*", "\"\(text.vocabulary[0]) \(text.vocabulary[1])\"",
        ] {
            let (hits, cost) = Cost.of { library.said(words, limit: 10) }
            #expect(hits.count == 10)
            #expect(cost.nanoseconds < 500_000_000 && cost.peakBytes < 300_000, "\(words): \(cost)")
        }
        #expect(library.trouble == nil)
    }

    @Test func damagedBlocksAreNothing() throws {
        let id = try add(1, "Words to be damaged.", "And more of them.")
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let code = (0..<128).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if let code = TextCode(stored: code) { _ = SpokenSentences(bytes, TextCode.Decoder(code)) }
            let decoder = TextCode.Decoder(
                TextCode(counts: (0..<256).map { _ in max(0, Int.random(in: -9...9, using: &generator)) }))
            for _ in 0..<8 { _ = SpokenSentences(bytes, decoder) }
            try library.database.execute(
                "UPDATE spokenBlock SET sentences = x'\(bytes.map { String(format: "%02x", $0) }.joined())'")
            _ = texts("words")
        }
        _ = library.removeSpoken(id, blocks: 8)
        #expect(library.trouble == nil)
    }

    @Test func theCodeOfAnyTextReadsItBack() throws {
        var generator = SeededGenerator(seed: 9)
        for size in [1, 2, 3, 255, 256, 257, 4000] {
            for skew in [1, 8, 200] {
                let text = (0..<size).map { _ in
                    UInt8(min(255, (0..<skew).map { _ in Int.random(in: 0...255, using: &generator) }.min()!))
                }
                var counts = [Int](repeating: 0, count: 256)
                for byte in text { counts[Int(byte)] += 1 }
                // As lopsided as can be: the rare ones get the longest codes.
                if skew == 200 { for byte in 0..<256 where counts[byte] > 0 { counts[byte] <<= min(40, 255 - byte) } }
                let code = try #require(TextCode(stored: TextCode(counts: counts).bytes))
                var bytes: [UInt8] = []
                code.encode(text, into: &bytes)
                #expect(bytes.count == (code.bits(text) + 7) / 8)
                // From some piece on it reads two bytes at a time.
                let decoder = TextCode.Decoder(code)
                for piece in 1...8 {
                    var read = [UInt8](repeating: 0, count: size)
                    let isWhole = bytes.withUnsafeBytes { bytes in
                        read.withUnsafeMutableBytes { decoder.decode(bytes, into: $0) }
                    }
                    #expect(isWhole && read == text, "piece \(piece)")
                    // A byte less is noticed.
                    let isCutWhole = bytes.dropLast().withUnsafeBytes { bytes in
                        read.withUnsafeMutableBytes { decoder.decode(bytes, into: $0) }
                    }
                    #expect(!isCutWhole, "piece \(piece)")
                }
            }
        }
    }
}

extension Library {
    /// Bytes of the database.
    fileprivate var size: Int {
        settle()
        return Int((try? database.integer("PRAGMA page_count")) ?? 0) * 1024
    }
}
