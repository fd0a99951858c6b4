// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Console

@Suite struct BookCommandTests {
    private let speaker = FakeSpeaker.playing()

    @Test func tellsOfABookAndItsChapters() {
        let told = answer(speaker, "book")
        #expect(told.hasPrefix("book: stories\nTitle: Stories\nAuthor: Jane Doe\nfiles: 2\n"))
        #expect(told.contains("finished: 0\nfile: stories/lamp.mp3\nposition: 20.000\n"))
        #expect(told.contains("\npage: 57\n"))
        #expect(told.hasSuffix("chapter: One\nstart: 1.500\nlevel: 1\nchapter: Within\nstart: 2.500\nlevel: 2\nOK\n"))
        #expect(answer(speaker, "book loose.mp3") == "ACK [50@0] {book} It is part of no book\n")
    }

    @Test func goesOnWithABook() {
        #expect(answer(speaker, "book play stories") == "OK\n")
        #expect(speaker.actions == ["book stories"])
        #expect(answer(speaker, "book page 57") == "OK\n" && speaker.actions.last == "page 57")
        #expect(answer(speaker, "book page 58") == "ACK [50@0] {book} The book has no page 58\n")
        #expect(answer(speaker, "book play nix") == "ACK [50@0] {book} No book is called so\n")
        #expect(answer(speaker, "book pla stories").hasPrefix("ACK [2@0] {book} Expected play NAME"))
        var guest = Session(speaker: speaker, manner: .plain, access: PeerAccess(permissions: .read))
        #expect(answer(&guest, ["book play stories"]).hasPrefix("ACK [4@0] {book}"))
        #expect(answer(&guest, ["book"]).hasSuffix("OK\n"))
    }

    @Test func booksAreListedByWhatIsAskedFor() {
        func titles(_ line: String) -> [Substring] {
            answer(speaker, line).split(separator: "\n").filter { $0.hasPrefix("Title") }
        }
        #expect(titles("books").count == 20)
        #expect(titles("books author 3:5") == ["Title: author 3", "Title: author 4"])
        #expect(titles("books 19:30") == ["Title: newest 19"])
        for line in ["books big", "books 3:5 title", "books title author"] {
            #expect(answer(speaker, line).hasPrefix("ACK [2@0] {books}"), "\(line)")
        }
    }

    @Test func aPersonSaysThatABookIsFinished() {
        #expect(answer(speaker, "finished on", "finished off stories/lamp.mp3") == "OK\nOK\n")
        #expect(speaker.actions == ["finished true current", "finished false stories/lamp.mp3"])
        #expect(answer(speaker, "finished maybe").hasPrefix("ACK [2@0] {finished}"))
    }
}
