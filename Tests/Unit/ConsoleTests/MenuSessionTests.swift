// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Testing

@testable import Console

@Suite("Menu on the console") struct MenuSessionTests {
    @Test func itIsToldAndGoneThrough() {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "menu") == "OK\n")
        var entry = MenuEntry(
            .book(7), "The River\nBank", heardMilliseconds: 3_600_000, durationMilliseconds: 36_000_000)
        speaker.status.menu = MenuStatus(list: .books, entry: entry, index: 2, count: 24)
        let told = "list: Books\nentry: The River Bank\nplace: 3\ncount: 24\nduration: 36000.000\nheard: 10\n"
        #expect(answer(speaker, "menu") == told + "OK\n")
        entry.isCurrent = true
        speaker.status.menu?.entry = entry
        for step in ["open", "next", "previous", "choose", "back", "leave"] {
            #expect(answer(speaker, "menu \(step)") == told + "current: 1\nOK\n")
        }
        #expect(speaker.actions == Command.Menu.allCases.map { "menu(Core.Command.Menu.\($0))" })
    }

    @Test(arguments: ["", "up", "OPEN", "next next"])
    func whatIsNoStepIsRefused(word: String) {
        #expect(answer(.playing(), "menu \"\(word)\"").hasPrefix("ACK [2@0] {menu} "), "\(word)")
    }
}
