// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Testing

@testable import Console
@testable import Wire

@Suite struct SearchFoldingTests {
    private func finds(
        _ needle: String, _ title: String, _ comparison: ItemFilter.Comparison = .contains, folds: Bool = true
    )
        -> Bool
    {
        var song = SongDescription(uri: "a.mp3")
        song.tags.append(.title, title)
        return ItemMatch(.match(.any, comparison, needle, foldsCase: folds)).holds(song)
    }

    /// Signs of a keyboard find those of a printer, and the other way.
    @Test func signsThatLookAlike() {
        #expect(finds("captain's", "The Captain’s Log") && finds("CAPTAIN’S", "the captain's log"))
        #expect(finds("\"no\" - he said...", "“No” – he said…", .equals) && finds("well…", "Well...", .equals))
        #expect(finds("a-b", "A\u{2011}B — c") && finds("a b", "a\u{A0}b"))
        #expect(!finds("captain's", "The Captain’s Log", folds: false))
    }

    @Test func accentsApart() {
        #expect(finds("Märchen", "Ma\u{308}rchen", .equals) && finds("Ma\u{308}rchen", "MÄRCHEN", .equals))
        #expect(finds("zażółć", "Zaz\u{307}o\u{301}łc\u{301}") && finds("ёж й", "Е\u{308}Ж И\u{306}"))
        #expect(finds("ő", "o\u{30B}") && finds("ů", "U\u{30A}") && finds("ç", "c\u{327}") && finds("ž", "z\u{30C}"))
        #expect(!finds("Marchen", "Märchen") && !finds("ä", "a"))
        // An accent alone, and one that no letter has.
        #expect(finds("\u{301}x", "\u{301}X") && finds("q\u{301}", "Q\u{301}"))
    }
}
