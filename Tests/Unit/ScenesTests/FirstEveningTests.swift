// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Testing

@testable import Scenes

/// The messages of a speaker that has nothing to play yet, or cannot play.
@Suite struct FirstEveningTests {
    @Test func wordsNameTheSpeakerAndItsFolder() {
        let known = FirstEvening(host: "bedside", folder: "/srv/nightstand")
        #expect(known.words.contains("bedside.local") && known.words.contains("/srv/nightstand"))
        let unknown = FirstEvening(host: "", folder: "/media/books")
        #expect(unknown.words.contains("/media/books") && !unknown.words.contains(".local"))
    }

    /// The squares that a camera looks for stand in three of its corners.
    @Test func aCodeHasTheThreeSigns() throws {
        let code = try #require(FirstEvening(host: "bedside", folder: "/srv/nightstand").code)
        #expect(code.side >= 21 && (code.side - 17) % 4 == 0)
        let far = code.side - 7
        for (left, top) in [(0, 0), (far, 0), (0, far)] {
            for row in 0..<7 {
                for column in 0..<7 {
                    let edge = [0, 6].contains(row) || [0, 6].contains(column)
                    let middle = (2...4).contains(row) && (2...4).contains(column)
                    #expect(code.isBlack(column: left + column, row: top + row) == (edge || middle))
                }
            }
        }
    }

    /// On the panel each of its squares is black or white in any theme, with white around all of them.
    @Test(arguments: [Theme.light, .dark, .night.withMoreContrast()]) func theCodeStandsOnThePanel(theme: Theme) throws
    {
        let stage = try Screens.stage((800, 480), theme)
        let gallery = Screens.gallery(stage, "Up")
        let picture = try #require(gallery.draw("first"))
        let element = try #require(gallery.elements.first { $0.label == "Code" })
        let code = try #require(FirstEvening(host: "bedside", folder: "/srv/nightstand").code)
        let size = element.frame.height
        let module = size / (code.side + 8)
        #expect(module >= 2 && module * (code.side + 8) == size)
        let left = element.frame.x + (element.frame.width - size) / 2
        for row in -4..<code.side + 4 {
            for column in -4..<code.side + 4 {
                let isWithin = (0..<code.side).contains(row) && (0..<code.side).contains(column)
                let isBlack = isWithin && code.isBlack(column: column, row: row)
                let at = (left + (column + 4) * module + module / 2, element.frame.y + (row + 4) * module + module / 2)
                #expect(picture.pixel(x: at.0, y: at.1) == Color(isBlack ? 0x000000 : 0xFFFFFF))
            }
        }
    }

    /// Without room for squares that a camera can tell apart, the words stand alone.
    @Test func aSmallPanelHasTheWordsAlone() throws {
        let stage = try Screens.stage((320, 240))
        let gallery = Screens.gallery(stage, "Up")
        stage.drawnTexts = []
        _ = gallery.draw("first")
        #expect(!gallery.elements.contains { $0.label == "Code" })
        #expect(stage.drawnTexts?.contains { $0.text.contains("bedside.local") } == true)
    }

    /// An obstacle is named with advice, whole and at 7:1, in the place of the sentence: on the player, on standby and on the bar, on wide
    /// panels and tall ones, with and without something to play.
    @Test(arguments: Trouble.allCases, [100, 150, 200]) func whatHindersTheSpeakerIsSaid(trouble: Trouble, percent: Int)
        throws
    {
        let words = Words.trouble(trouble)
        for size in [(800, 480), (480, 800), (480, 320), (320, 240), (240, 240)] {
            for (screen, title) in [("player", ""), ("player", "Emma"), ("standby", ""), ("standby", "Emma")] {
                let stage = try Screens.stage(size, textSize: Float(percent) / 100)
                let lines =
                    "state: pause\ntitle: \(title)\ntrouble: \(trouble.text)\nsegment: 0 0.000-9.000 He said so.\n"
                let gallery = Gallery(stage, lines: lines) { _, _ in nil }
                stage.drawnTexts = []
                _ = gallery.draw(screen)
                let texts = stage.drawnTexts ?? []
                let told = texts.filter { $0.text.contains(words.title) || $0.text.contains(words.advice) }
                let place = "\(screen) \(size) \(percent) '\(title)'"
                if trouble == .clockNotSet || trouble == .settingsMistaken {
                    #expect(!gallery.elements.contains { $0.label == words.title }, "\(place)")
                    continue
                }
                #expect(!gallery.elements.contains { $0.label == "He said so." }, "\(place)")
                #expect(told.contains { $0.text.contains(words.advice) }, "\(place)")
                for text in told {
                    #expect(text.contrast >= 7, "\(place): \(text)")
                    if percent == 100 { #expect(!text.isTruncated && !text.isCut, "\(place): \(text)") }
                }
                #expect(gallery.elements.contains { $0.label == words.title && $0.value == words.advice }, "\(place)")
                if screen == "player" { #expect(ScreenFaults.of(texts, on: stage) == [], "\(place)") }
            }
        }
    }

    /// It becomes known a moment after its file has failed.
    @Test(arguments: ["player", "standby"]) func theNameOfAStickIsSaid(screen: String) throws {
        for stick in ["", "stick: BLUE\n"] {
            let stage = try Screens.stage((480, 320))
            let lines = "state: pause\ntitle: Emma\ntrouble: \(Trouble.fileMissing.text)\n" + stick
            let gallery = Gallery(stage, lines: lines) { _, _ in nil }
            stage.drawnTexts = []
            _ = gallery.draw(screen)
            let said = stage.drawnTexts?.contains { $0.text.contains("BLUE is missing") } == true
            #expect(said != stick.isEmpty)
            #expect(gallery.elements.contains { $0.label == "BLUE is missing" } != stick.isEmpty)
        }
    }

    @Test(arguments: [(480, 800), (1280, 800)]) func theBarSaysWhatHindersTheSpeaker(size: (Int, Int)) throws {
        let stage = try Screens.stage(size)
        let gallery = Gallery(stage, lines: "state: play\ntitle: Emma\ntrouble: No sound device\n") { _, _ in nil }
        stage.drawnTexts = []
        _ = gallery.draw("settings")
        let told = stage.drawnTexts?.filter { ["No sound card", "Is the DAC plugged in?"].contains($0.text) } ?? []
        #expect(told.count == 2 && told.allSatisfy { $0.contrast >= 7 && !$0.isTruncated }, "\(told)")
    }
}
