// SPDX-License-Identifier: Apache-2.0
import Foundation
import Model
import TestSupport
import Testing

@testable import Library
@testable import SQLite

@Suite struct SpokenTests {
    private let folder = TemporaryFolder()
    private let library: Library
    private let store: SpokenStore
    private let spoken: SpokenLibrary

    init() {
        library = Library(folder)
        store = SpokenStore(path: library.spokenPath)
        spoken = SpokenLibrary(library: library, store: store)
    }

    private func add(_ number: Int, _ sentences: String...) throws -> Item.ID {
        let id = try #require(library.upsert(probe(number, title: "Book \(number)"))).id
        spoken.speak(id, sentences.enumerated().map { ($0.offset * 4000, $0.element) })
        return id
    }

    private func texts(_ words: String) -> [String] { spoken.said(words).map(\.text) }

    @Test func findsWordsWhateverTheirCaseAndAccents() throws {
        let id = try add(1, "The Élan of a naïve Fox.", "Под лампой СИДИТ лиса.", "Nothing here.")
        for words in ["elan", "ÉLAN", "élan fox", "FOX naive", "\u{65}\u{301}lan", "the"] {
            #expect(texts(words) == ["The Élan of a naïve Fox."], "\(words)")
        }
        #expect(texts("лампой сидит") == ["Под лампой СИДИТ лиса."])
        let hit = try #require(spoken.said("ЛИСА").first)
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

    /// FTS5's special signs are text like any other, and a text without words finds nothing.
    @Test(arguments: [
        "AND", "fox OR vixen", "NEAR(fox)", "words : fox", "^fox", "fox + red", "-fox", "\"\"", "\"", "*", "* fox",
        "(fox)",
        "fox\" \"red", "\"fox\" * *", "{fox}", "fox\u{0}red", "\u{0}", "a\"b\"c", "';DROP TABLE item;--", "fox**",
        "\"*\"", "\\\"",
    ])
    func takesAnythingForText(words: String) throws {
        _ = try add(1, "The red fox AND a vixen.", "NEAR or far.")
        _ = texts(words)
        #expect(store.replacements == 0)
        #expect(texts("and") == ["The red fox AND a vixen."])
        #expect(texts("near OR far") == ["NEAR or far."])
    }

    /// Of words without marks: every phrase is a stretch of a sentence's words.
    @Test func randomQuestionsAreAnsweredAsByReadingEverything() throws {
        var generator = SeededGenerator(seed: 11)
        var text = SpokenText(words: 60, seed: 3)
        var all: [String] = []
        for number in 1...3 {
            let id = try #require(library.upsert(probe(number))).id
            let sentences = (0..<400).map { ($0 * 3000, text.sentence()) }
            all += sentences.map(\.1)
            spoken.speak(id, sentences)
        }
        func folded(_ word: some StringProtocol) -> String {
            String(word).folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        }
        let said = all.map { sentence in sentence.dropLast().split(separator: " ").map { folded($0) } }
        for _ in 0..<300 {
            // Words, whether each is the beginning of one, and whether the phrase is in quotes.
            let phrases = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                let words = (0..<Int.random(in: 1...2, using: &generator)).map { _ in text.word() }
                return (words: words, isPrefix: Bool.random(using: &generator))
            }
            var question = ""
            var wanted: [(words: [String], isPrefix: Bool)] = []
            for phrase in phrases {
                var words = phrase.words
                if phrase.isPrefix { words[words.count - 1] = String(words[words.count - 1].prefix(2)) }
                question += "\"" + words.joined(separator: " ") + (phrase.isPrefix ? "\"* " : "\" ")
                wanted.append((words.map { folded($0) }, phrase.isPrefix))
            }
            let expected = zip(all, said).filter { _, words in
                wanted.allSatisfy { phrase in
                    words.indices.contains { start in
                        let end = start + phrase.words.count
                        guard end <= words.count else { return false }
                        let stretch = words[start..<end]
                        return stretch.dropLast().elementsEqual(phrase.words.dropLast())
                            && (phrase.isPrefix
                                ? stretch.last!.hasPrefix(phrase.words.last!) : stretch.last! == phrase.words.last!)
                    }
                }
            }
            #expect(texts(question) == expected.map(\.0), "\(question)")
        }
    }

    @Test func noQuestionIsTooLong() throws {
        _ = try add(1, "The red fox.")
        for question in [
            String(repeating: "fox ", count: 5000), String(repeating: "\"", count: 5000),
            String(repeating: "x", count: 20_000) + "*", String(repeating: "é", count: 10_000),
        ] {
            expectCost(inputBytes: question.utf8.count) { _ = spoken.said(question) }
        }
        #expect(store.replacements == 0)
    }

    @Test func aChangedTranscriptIsFoundAsItIs() throws {
        let id = try add(1, "Old words.", "Both stay.")
        let other = try add(2, "Old friends.")
        spoken.speak(id, [(7, "New words."), (9, "Both stay.")])
        #expect(texts("old") == ["Old friends."])
        #expect(texts("new") == ["New words."])
        #expect(spoken.said("both").map(\.milliseconds) == [9])
        library.setPresent([other], false)
        #expect(texts("old") == [])
        library.setPresent([other], true)
        #expect(texts("old") == ["Old friends."])
        #expect(spoken.items("both") == [id] && spoken.items("stay OR") == [])
    }

    @Test func whatTheLibraryForgotIsKnownByTheIndexAlone() throws {
        let id = try add(1, "Gone words.")
        let other = try add(2, "Kept words.")
        library.setPresent(id, false, nowSeconds: 1_750_000_000)
        #expect(library.forget(goneSince: 1_760_000_000) == 1)
        #expect(store.owners(after: 0, limit: 10).filter { !library.knows($0) }.map(\.id) == [id])
        #expect(!store.remove(id))
        #expect(texts("words") == ["Kept words."])
        #expect(store.owners(after: 0, limit: 10).map(\.id) == [other])
    }

    @Test func itemsAreFoundOnceAndInManyPortions() throws {
        var ids: [Item.ID] = []
        for number in 1...40 { ids.append(try add(number, "The fox.", "A fox again.", "The end.")) }
        #expect(spoken.items("fox") == ids)
        #expect(spoken.items("fo*") == ids)
        #expect(spoken.items("\"fox again\"") == ids)
        #expect(spoken.said("fox", portion: 7).count == 80)
        #expect(spoken.said("fox", limit: 10).count == 10)
    }

    /// Another library, in which the same number means other audio.
    @Test func whatIsSaidElsewhereIsNotFound() throws {
        let id = try add(1, "Words of the first.")
        let other = Library(TemporaryFolder())
        #expect(try #require(other.upsert(probe(9))).id == id)
        let there = SpokenLibrary(library: other, store: store)
        #expect(there.said("words").isEmpty)
        #expect(store.stamp(of: try #require(library.spokenState(id)?.owner)) == 1)
        #expect(store.stamp(of: try #require(other.spokenState(id)?.owner)) == nil)
        // Its file moved, the audio is the same.
        _ = library.upsert(probe(1, path: "/nowhere/else.mp3"))
        #expect(texts("first") == ["Words of the first."])
    }

    /// The index takes about three times the room of the text, and a question little time.
    @Test func sixtyThousandSentences() throws {
        var text = SpokenText()
        let id = try #require(library.upsert(probe(1))).id
        let sentences = (0..<60_000).map { ($0 * 2500, text.sentence()) }
        spoken.speak(id, sentences)
        let bytes = sentences.reduce(0) { $0 + $1.1.utf8.count }
        let size = ["", "-wal"].reduce(0) { $0 + FileManager.default.bytes(folder.path + "/spoken.db" + $1).count }
        #expect(size < 5 * bytes, "\(size) of \(bytes)")
        for words in [
            text.vocabulary[0], "\(text.vocabulary[0].prefix(1))*", "\"\(text.vocabulary[0]) \(text.vocabulary[1])\"",
        ] {
            let (hits, cost) = Cost.of { spoken.said(words, limit: 10) }
            #expect(hits.count == 10)
            #expect(cost.nanoseconds < 500_000_000, "\(words): \(cost)")
        }
    }

    // MARK: The file

    private var file: String { folder.path + "/spoken.db" }

    /// As after a restart.
    private func restarted() -> SpokenLibrary {
        SpokenLibrary(library: library, store: SpokenStore(path: library.spokenPath))
    }

    @Test func itIsThereAfterARestart() throws {
        _ = try add(1, "The red fox.")
        store.close()
        #expect(restarted().said("fox").count == 1)
        #expect(folder.names.contains("spoken.db"))
    }

    @Test(arguments: ["damaged", "foreign", "newer", "empty", "gone"])
    func aFileThatCannotBeUsedIsMadeAgain(how: String) throws {
        for number in 1...20 { _ = try add(number, "The red fox, \(number).") }
        store.close()
        switch how {
        case "damaged":
            var bytes = FileManager.default.bytes(file)
            for place in 100..<bytes.count { bytes[place] ^= 0x5A }
            folder.write("spoken.db", bytes)
        case "foreign": folder.write("spoken.db", Array(repeating: 7, count: 9000))
        case "newer": try Database(path: file).execute("PRAGMA user_version = 99")
        case "empty": folder.write("spoken.db", [])
        default: Database.remove(file)
        }
        let spoken = restarted()
        #expect(spoken.said("fox").isEmpty)
        let id = try #require(library.upsert(probe(30))).id
        spoken.speak(id, [(0, "A fox again.")])
        #expect(spoken.said("fox").map(\.text) == ["A fox again."])
        #expect(folder.setAside.isEmpty)
    }

    /// Garbled anywhere it gives answers.
    @Test func noDamageIsFatal() throws {
        var generator = SeededGenerator(seed: 5)
        for number in 1...60 { _ = try add(number, "The red fox, \(number).", "It sleeps.", "Foxes and words.") }
        store.close()
        let whole = FileManager.default.bytes(file)
        for _ in 0..<60 {
            Database.remove(file)
            var bytes = whole
            for _ in 0..<Int.random(in: 1...200, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            folder.write("spoken.db", bytes)
            let spoken = restarted()
            for words in ["fox", "\"it sleeps\"", "wor*"] {
                _ = spoken.said(words)
                _ = spoken.items(words)
            }
            for id in 1...3 as ClosedRange<Item.ID> { spoken.speak(id, [(0, "Another fox.")]) }
            _ = spoken.store.owners(after: 0, limit: 100)
        }
    }

    @Test func aDiskThatTakesNothingIsAskedInVain() throws {
        let id = try #require(library.upsert(probe(1))).id
        let owner = try #require(library.spokenState(id)?.owner)
        for path in ["/nowhere/spoken.db", nil] {
            let nowhere = SpokenLibrary(library: library, store: SpokenStore(path: path))
            nowhere.speak(id, [(0, "The red fox.")])
            #expect(nowhere.said("fox").isEmpty && nowhere.items("fox").isEmpty)
            #expect(!nowhere.store.add(owner, [(0, Array("The red fox.".utf8))]) && nowhere.store.isFull)
        }
    }
}
