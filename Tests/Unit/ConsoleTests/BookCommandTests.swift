// SPDX-License-Identifier: Apache-2.0
import Media
import Testing

@testable import Console
@testable import SpeakerBench
@testable import Wire

@Suite struct BookCommandTests {
    /// The lamp and the moth are a book, of which pages and chapters are known. The lesson is none.
    private let desk = Desk.playing()

    init() {
        desk.bench.library.root = "/books"
        desk.bench.library.setChapters(
            of: desk.bench.speaker.queue.entries[0].itemID,
            [
                Chapter(startMilliseconds: 1500, title: "One", level: 1),
                Chapter(startMilliseconds: 2500, title: "Within", level: 2),
            ], pages: [Chapter(startMilliseconds: 0, title: "57")])
        desk.bench.library.setChapters(
            of: desk.bench.speaker.queue.entries[1].itemID, [],
            pages: [Chapter(startMilliseconds: 9000, title: "58")])
    }

    @Test func tellsOfABookAndItsChapters() {
        _ = answer(desk, "pause 1")
        #expect(
            answer(desk, "book") == """
                book: stories
                Title: Nights
                Author: Ada Reader
                files: 2
                duration: 300.500
                heard: 5.123
                finished: 0
                file: stories/lamp.mp3
                position: 5.123
                page: 57
                chapter: One
                start: 1.500
                level: 1
                chapter: Within
                start: 2.500
                level: 2
                OK

                """)
        #expect(answer(desk, "book \"stories/moth \\\"grey\\\".mp3\"").hasSuffix("position: 5.123\npage: 57\nOK\n"))
        #expect(answer(desk, "books unfinished").hasPrefix("book: stories\n"))
        #expect(answer(desk, "book \(Desk.lesson)") == "ACK [50@0] {book} It is part of no book\n")
        #expect(answer(desk, "book nix.mp3").hasPrefix("ACK [50@0] {book} No such song"))
    }

    @Test func goesOnWithABook() {
        #expect(desk.effect("play 2") == "playing 2 at 0")
        #expect(desk.effect("book play stories") == "playing 0 at 5123")
        #expect(desk.effect("book page 58") == "playing 1 at 9000")
        #expect(answer(desk, "book page 59") == "ACK [50@0] {book} The book has no page 59\n")
        #expect(answer(desk, "book play nix") == "ACK [50@0] {book} No book is called so\n")
        #expect(answer(desk, "book pla stories").hasPrefix("ACK [2@0] {book} Expected play NAME"))
        var guest = Session(host: desk.host, manner: .plain, access: PeerAccess(permissions: .read))
        #expect(answer(&guest, ["book play stories"]).hasPrefix("ACK [4@0] {book}"))
        #expect(answer(&guest, ["book"]).hasSuffix("OK\n"))
        _ = answer(desk, "stop", "disableoutput 0")
        #expect(answer(desk, "book play stories").hasPrefix("ACK [5@0] {book}"))
        #expect(desk.bench.player.track == nil)
    }

    /// Some of the files are looked at in each turn.
    @Test func aPageIsFoundInEachFileOfALongBook() {
        let desk = Desk.holding(60)
        desk.bench.press(.play)
        desk.bench.library.setChapters(
            of: desk.bench.speaker.queue.entries[59].itemID, [], pages: [Chapter(startMilliseconds: 9000, title: "iv")])
        #expect(desk.effect("book page IV") == "playing 59 at 9000")
        #expect(answer(desk, "book page v") == "ACK [50@0] {book} The book has no page v\n")
    }

    @Test func booksAreListedByWhatIsAskedFor() {
        let desk = Desk()
        // Newer ones are earlier by their titles; their authors alternate.
        for number in 0..<20 {
            desk.shelve(
                "\(number)/1.mp3", title: "Begin", artist: "Author \(number % 2) \(number)",
                album: "Title \(19 - number)")
            desk.bench.library.updateBooks()
        }
        func titles(_ line: String) -> [Substring] {
            answer(desk, line).split(separator: "\n").filter { $0.hasPrefix("Title") }.map { $0.dropFirst(7) }
        }
        let newest = (0..<20).map { "Title \($0)" }
        #expect(titles("books") == newest.map { $0[...] })
        #expect(titles("books newest 3:5") == ["Title 3", "Title 4"])
        #expect(titles("books 19:30") == ["Title 19"])
        #expect(titles("books title 10:12") == ["Title 10", "Title 11"])
        #expect(titles("books author 9:11") == ["Title 1", "Title 18"])
        #expect(titles("books unfinished") == [] && titles("books finished") == [])
        for line in ["books big", "books 3:5 title", "books title author"] {
            #expect(answer(desk, line).hasPrefix("ACK [2@0] {books}"), "\(line)")
        }
    }

    @Test func aPersonSaysThatABookIsFinished() {
        #expect(answer(desk, "finished on") == "OK\n" && answer(desk, "book").contains("\nfinished: 1\n"))
        #expect(answer(desk, "books finished").hasPrefix("book: stories\n"))
        #expect(answer(desk, "finished off stories/lamp.mp3") == "OK\n")
        #expect(answer(desk, "book").contains("\nfinished: 0\n") && answer(desk, "books finished") == "OK\n")
        #expect(answer(desk, "finished maybe").hasPrefix("ACK [2@0] {finished}"))
    }
}
