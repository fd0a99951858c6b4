// SPDX-License-Identifier: Apache-2.0
import Design
import Model
import Pixels
import Testing

@testable import Scenes

/// The faults that were seen on sheets of all screens, side by side: six panels, letters as designed and large.
@Suite(.serialized) struct Sheets {
    static let sizes = [(240, 240), (320, 240), (480, 320), (800, 480), (720, 1280), (1920, 1080)]
    static let letters: [Float] = [1, 2, 3.1]

    private func forEach(
        _ name: String, _ lines: String, theme: Theme = .light, _ body: (Gallery, Stage, [DrawnText], String) -> Void
    ) throws {
        for size in Sheets.sizes {
            for letters in Sheets.letters {
                let stage = try Screens.stage(size, theme, textSize: letters)
                stage.drawnTexts = []
                let gallery = Gallery(stage, lines: lines) { _, side in Screens.artwork(0, side: min(side, 96)) }
                _ = gallery.draw(name)
                body(gallery, stage, stage.drawnTexts ?? [], "\(name) \(size) letters \(letters)")
            }
        }
    }

    /// A trouble and its remedy are whole, and speed and sleep do not lie upon them.
    @Test func troublesAreReadWhole() throws {
        let lines = Screens.lines("The Wind in the Willows", playing: false) + "list: nothing\n"
        try forEach("player", "trouble: No sound device\n" + lines) { _, stage, texts, place in
            for words in ["No sound card", "Is the DAC plugged in?"] {
                let text = texts.first { $0.text == words }
                #expect(text != nil && text?.isTruncated != true, "\(place): \(words)")
            }
            for fault in ScreenFaults.of(texts, on: stage) { Issue.record("\(place): \(fault)") }
            let pill = texts.first { $0.text == "1.25×" }
            let card = texts.first { $0.text == "No sound card" }
            #expect(pill.map { pill in card.map { $0.frame.intersection(pill.frame).isEmpty } ?? false } ?? true)
        }
    }

    /// A screen with nothing but a notice has the room to say all of it.
    @Test func noticesAreReadWhole() throws {
        try forEach("error", "state: stop\n") { _, _, texts, place in
            for text in texts { #expect(!text.isTruncated, "\(place): \(text.text)") }
            #expect(texts.count == 3, "\(place): \(texts.map(\.text))")
        }
    }

    /// The names of screens are whole in their headers, and where tabs and the sidebar lead to them.
    @Test(arguments: ["favourites", "search", "book", "library", "settings"])
    func namesOfScreensAreWhole(name: String) throws {
        let names = ["Favorites", "Search", "Book", "Library", "Settings", "Playing"]
        try forEach(name, Screens.lines("Up")) { _, _, texts, place in
            for text in texts where names.contains(text.text) {
                #expect(!text.isTruncated, "\(place): \(text.text)")
            }
        }
    }

    /// In the dark the clock is the largest of all, and the sentence is there even if all else has to go.
    @Test func standbyHasAClockAndASentence() throws {
        try forEach("standby", Screens.lines("The Wind in the Willows")) { _, stage, texts, place in
            let clock = texts.first { $0.text == "23:07" || $0.text == "23" }
            let others = texts.filter { $0 != clock && $0.text != "07" }
            let line = stage.lineHeight(.rowTitle)
            #expect((clock?.frame.height ?? 0) >= line * 9 / 10, "\(place): \(clock?.frame.height ?? 0) of \(line)")
            #expect(others.contains { $0.text.hasSuffix("a few more words.") }, "\(place): \(others.map(\.text))")
            for text in others where text.text == "September 30" { #expect(!text.isTruncated, "\(place)") }
        }
    }

    /// The chosen one of several differs from the others at night, too: 3:1 as it is shown.
    @Test(arguments: ["speed", "sleep", "favourites", "library"]) func theChosenOneIsSeenAtNight(name: String) throws {
        for size in [(320, 240), (480, 320), (1920, 1080)] {
            let stage = try Screens.stage(size, .night)
            let gallery = Gallery(stage, lines: Screens.lines("Up")) { _, _ in nil }
            let surface = try #require(gallery.draw(name))
            NightTone().write(surface.bounds, of: surface, to: surface)
            let chosen = try #require(gallery.elements.first { $0.isSelected && $0.role != .tab })
            // Across its left edge, through the middle.
            let row = surface.row(chosen.frame.midY)
            let ground = Color(row[max(0, chosen.frame.x - 2)] & 0xFFFFFF)
            let edge = (chosen.frame.x..<chosen.frame.x + 4).map { Color(row[$0] & 0xFFFFFF).contrast(with: ground) }
            #expect((edge.max() ?? 0) >= 3, "\(name) \(size): \(edge)")
        }
    }

    /// Larger letters are never smaller than small ones, in choices of several values.
    @Test func largerLettersAreLarger() throws {
        for size in Sheets.sizes {
            var last = 0
            for letters in Sheets.letters {
                let stage = try Screens.stage(size, .light, textSize: letters)
                stage.drawnTexts = []
                _ = Gallery(stage, lines: Screens.lines("Up")) { _, _ in nil }.draw("sleep")
                let width = stage.drawnTexts?.first { $0.text == "End of chapter" }?.frame.width ?? 0
                #expect(width * 20 >= last * 19, "\(size) letters \(letters): \(width) after \(last)")
                last = width
            }
        }
    }

    /// A ringing alarm names its recording if there is room.
    @Test func aRingingAlarmSaysWhatItPlays() throws {
        try forEach("ringing", Screens.lines("The Wind in the Willows")) { _, stage, texts, place in
            if min(stage.width, stage.height) < 480 { return }
            let title = texts.first { $0.text.hasSuffix("The Wind in the Willows") }
            #expect(title != nil && title?.isTruncated != true, "\(place): \(texts.map(\.text))")
        }
    }
}
