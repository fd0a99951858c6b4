// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Alignment

@Suite struct SentenceTests {
    private func split(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return SentenceSplitter.sentences(bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    @Test(arguments: [
        ("Mr. Fox left. Nobody saw him.", 2), ("Der 3. Mai war kalt. Es gab z. B. Schnee, usw. und so fort.", 2),
        ("\u{201E}Geh!\u{201C} Er ging.", 2), ("M. Dupont arriva. Mme. Dupont aussi.", 2),
        ("¿Vienes? ¡Sí! El Sr. López no.", 3),
        ("J. R. Smith wrote it. \"Why?\" she asked.", 2), ("Il sig. Rossi dorme. È tardi.", 2),
        ("Prof. Nowak wyszedł. Żal mu.", 2),
        ("O dr. Silva saiu. Às dez.", 2), ("Dhr. de Vries sliep. Hij droomde.", 2), ("Wait… Then it came.", 2),
        ("No stop at all", 1),
    ]) func splits(_ text: String, _ count: Int) { #expect(split(text).count == count, "\(split(text))") }

    @Test func longOnesEndAtAComma() {
        let parts = split(String(repeating: "one two three four five, ", count: 60))
        #expect(parts.count >= 3)
        #expect(parts.allSatisfy { $0.utf8.count < 450 })
    }

    @Test func paragraphsOfPlainText() {
        let paragraphs = BookText.paragraphs(
            plain: Array("CHAPTER I\n\nIt was _very_ dark\nand\u{A0}co\u{AD}ld.\r\n\r\n* * *\n\nEnd.".utf8))
        #expect(
            paragraphs.map { String(decoding: $0, as: UTF8.self) } == [
                "CHAPTER I", "It was very dark and cold.", "End.",
            ])
    }

    @Test func paragraphsOfMarkup() {
        let html =
            "<html lang=\"de\"><head><title>T</title></head><body><h1>Eins</h1><p>Das ist <b>gut</b> &amp; sch&ouml;n<!-- > -->.</p><script>x</script>Drei"
        #expect(
            BookText.paragraphs(html: Array(html.utf8)).paragraphs.map { String(decoding: $0, as: UTF8.self) } == [
                "Eins", "Das ist gut & schön.", "Drei",
            ])
        #expect(BookText.language(html: Array(html.utf8)) == "de")
    }

    @Test func headingsOfMarkup() {
        func headings(_ html: String) -> [String] {
            let found = BookText.paragraphs(html: Array(html.utf8))
            return found.headings.map {
                String(decoding: Array(found.paragraphs[$0].joined(separator: [0x20])), as: UTF8.self)
            }
        }
        #expect(
            headings("<h1>One</h1><p>a</p><H2 class='x'>Two,<br/>or more</H2>b<h3></h3><hr><h7>c</h7><h6>Six")
                == ["One", "Two, or more"])
        #expect(headings("<h1>One<h2>Two</h2></h1>") == ["One", "Two"])
    }

    @Test func languageByItsWords() {
        #expect(
            LanguageGuess.language(of: Array("Der Mann und die Frau gingen nicht in das Haus, sie war zu müde.".utf8))
                == "de")
        #expect(LanguageGuess.language(of: Array("The man and the woman did not go to the house.".utf8)) == "en")
        #expect(LanguageGuess.language(of: []) == nil)
    }

    @Test func markupWithoutEndTakesLinearTime() {
        #expect(BookText.paragraphs(html: Array(String(repeating: "<a", count: 200_000).utf8)).paragraphs.isEmpty)
        #expect(BookText.paragraphs(html: Array(String(repeating: "&amp", count: 200_000).utf8)).paragraphs.count == 1)
    }
}
