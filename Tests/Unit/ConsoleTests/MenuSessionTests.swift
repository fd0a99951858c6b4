// SPDX-License-Identifier: Apache-2.0
import Model
import Testing

@testable import Console
@testable import SpeakerBench
@testable import Wire

@Suite("Menu on the console") struct MenuSessionTests {
    @Test func itIsToldAndGoneThrough() {
        let desk = Desk()
        for title in ["Emma", "The River\nBank"] {
            desk.shelve("\(title.prefix(4))/1.mp3", title: "1", album: title, milliseconds: 36_000_000)
        }
        let river = desk.bench.speaker.queue.entries[1].itemID
        desk.bench.library.savePosition(river, milliseconds: 3_600_000)
        desk.bench.press(.play)
        _ = answer(desk, "favourite add")
        _ = desk.bench.said()
        #expect(answer(desk, "menu", "menu next") == "OK\nOK\n")
        let menu = answer(desk, "menu open")
        #expect(menu.hasPrefix("list: Menu\nentry: Continue\nplace: 1\ncount: ") && answer(desk, "menu") == menu)
        let books = answer(desk, "menu next")
        #expect(books.hasPrefix("list: Menu\nentry: Books\nplace: 2\ncount: "))
        #expect(answer(desk, "menu previous", "menu next") == menu + books)
        #expect(
            answer(desk, "menu choose")
                == "list: Books\nentry: Emma\nplace: 1\ncount: 2\nduration: 36000.000\nOK\n")
        let bank = "list: Books\nentry: The River Bank\nplace: 2\ncount: 2\nduration: 36000.000\nheard: 10\nOK\n"
        #expect(answer(desk, "menu next") == bank && desk.bench.said() == [])
        #expect(answer(desk, "menu next") == bank && desk.bench.said() == [.lastItem])
        #expect(answer(desk, "menu back") == books)
        #expect(
            answer(desk, "menu next", "menu choose").hasSuffix(
                "list: Favorites\nentry: 1\nplace: 1\ncount: 1\nduration: 36000.000\ncurrent: 1\nOK\n"))
        #expect(answer(desk, "menu leave", "menu") == "OK\nOK\n")
        #expect(answer(desk, "menu open", "menu open") == menu + "OK\n")
        _ = answer(desk, "menu open", "menu next", "menu choose", "menu next")
        #expect(desk.effect("menu choose") == "playing 1 at 3600000")
    }

    @Test(arguments: ["", "up", "OPEN", "next next"])
    func whatIsNoStepIsRefused(word: String) {
        #expect(answer(.playing(), "menu \"\(word)\"").hasPrefix("ACK [2@0] {menu} "), "\(word)")
    }
}
