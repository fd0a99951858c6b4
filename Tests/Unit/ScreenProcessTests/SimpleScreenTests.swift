import Core
import Interaction
import Posix
import Scenes
import Testing
// SPDX-License-Identifier: Apache-2.0
import Wire

@testable import ScreenProcess

/// The process that draws, large and simple by a person's choice: two screens, for any request.
@Suite struct SimpleScreenTests {
    private func rig(_ state: String = Rig.paused) -> Rig {
        // Fewer frames: it is not how it moves that is looked at.
        let rig = Rig(state) {
            $0.isSimple = true
            $0.savesPower = true
        }
        rig.speaker.answer(
            "books newest", "book: e\nTitle: Emma\nfile: e/1.mp3\nduration: 90\nbook: u\nTitle: Up\nduration: 90\n")
        return rig
    }

    private func say(_ message: String, to rig: Rig) {
        let isShow = message.hasPrefix("show")
        rig.speaker.answer("readmessages", (isShow ? "channel: screen\n" : "") + "message: \(message)\n")
        rig.speaker.asked = []
        rig.speaker.users.changed(["message"])
        rig.settle()
        rig.speaker.answer("readmessages", "")
    }

    private func isPlayer(_ rig: Rig) -> Bool {
        let labels = rig.tree.map { $0.label == "Pause" ? "Play" : $0.label }
        return labels == ["Title", "1 minute left"] + buttons
    }
    private let buttons = ["Back", "Play", "Forward", "Books"]
    private func isBooks(_ rig: Rig) -> Bool { rig.tree.map { $0.label } == ["Emma", "Up", "Back"] }

    @Test func pressesOnThePlayer() {
        let rig = rig()
        #expect(isPlayer(rig), "\(rig.tree)")
        #expect(rig.tap("Play").contains("pause 0"))
        #expect(rig.tap("Back").contains("seekcur -10"))
        #expect(rig.tap("Forward").contains("seekcur +10"))
        #expect(rig.tap("Books").contains("books newest 0:100"))
        #expect(isBooks(rig), "\(rig.tree)")
    }

    /// A book goes on where it was left, and what plays is shown.
    @Test func aTouchPlaysABook() {
        let rig = rig()
        rig.tap("Books")
        #expect(rig.tap("Up").contains("book play \"u\""))
        #expect(isPlayer(rig))
        rig.tap("Books")
        #expect(!rig.tap("Back").contains { $0.hasPrefix("seek") || $0.hasPrefix("book play") })
        #expect(isPlayer(rig))
    }

    /// Keys, words at the console, buttons of the speaker and strokes: there is no way to any other screen.
    @Test func thereAreTwoScreens() {
        let rig = rig()
        for screen in ScreenName.allCases {
            say("show player", to: rig)
            #expect(isPlayer(rig))
            _ = rig.press(.show(screen))
            #expect(screen == .player ? isPlayer(rig) : isBooks(rig))
            say("show \(screen.rawValue)", to: rig)
            #expect(screen == .player ? isPlayer(rig) : isBooks(rig))
        }
        for key in [ScreenInputs.Key.search, .letter(0x61), .hold, .choose, .move(.left), .after, .erase, .leave] {
            for start in ["show player", "show library"] {
                say(start, to: rig)
                let told = rig.press(key)
                #expect(isPlayer(rig) || isBooks(rig), "\(key): \(rig.tree)")
                // Without a focus the play button plays and pauses on any screen: none of its presses does nothing.
                if case .choose = key { #expect(!told.isEmpty) }
            }
        }
        _ = rig.press(.search)
        #expect(isBooks(rig))
        // Nothing that plays is told of over it, and nothing is asked that other screens show.
        rig.say(Rig.paused.replacing("pause", with: "play").replacing("a.mp3", with: "b.mp3"))
        #expect(isBooks(rig))
        for name in ["sticker", "stored_playlist", "options"] {
            rig.speaker.asked = []
            rig.speaker.users.changed([name])
            rig.settle()
            #expect(!rig.speaker.asked.contains { $0.hasPrefix("favourite") || $0.hasPrefix("list") })
        }
    }

    /// A stroke to the left leads to the books, which the smallest panels have no button for, and one to the right back.
    @Test func strokesLeadToTheBooksAndBack() {
        let rig = rig()
        func stroke(from: Float, to: Float) {
            for (phase, part) in [(Contact.Phase.down, from), (.moved, (from + to) / 2), (.moved, to), (.up, to)] {
                rig.hands.touched(
                    ScreenInputs.Place(finger: 0, phase: phase, x: part, y: 0.3, calibration: .none),
                    rig.timers.now.moment)
                rig.timers.pass(milliseconds: 20)
            }
            rig.settle()
        }
        stroke(from: 0.8, to: 0.3)
        #expect(isBooks(rig))
        stroke(from: 0.3, to: 0.8)
        #expect(isPlayer(rig))
    }

    /// Two fingers and a finger that stays set nothing and bring nothing up.
    @Test func aSleepingHandBringsNothingUp() {
        let rig = rig()
        rig.tap("Books")
        let all = rig.tree
        let first = all.first { $0.label == "Emma" }!.frame
        for phase in [Contact.Phase.down, .up] {
            rig.hands.touched(
                ScreenInputs.Place(
                    finger: 0, phase: phase, x: Float(first[0] + 90) / 480, y: Float(first[1] + 40) / 320,
                    calibration: .none), rig.timers.now.moment)
            rig.timers.pass(milliseconds: 900)
        }
        rig.settle()
        // Held for long, a book plays: nothing else can be done with it.
        #expect(isPlayer(rig))
        rig.speaker.asked = []
        for (finger, phase, x) in [
            (0, Contact.Phase.down, Float(0.4)), (1, .down, 0.5), (1, .moved, 0.9), (1, .up, 0.9), (0, .up, 0.4),
        ] {
            rig.hands.touched(
                ScreenInputs.Place(finger: finger, phase: phase, x: x, y: 0.3, calibration: .none),
                rig.timers.now.moment)
            rig.timers.pass(milliseconds: 50)
        }
        rig.settle()
        #expect(rig.written.isEmpty && isPlayer(rig))
    }

    /// With nothing but the speaker's buttons: the books, one after the other, play, and back.
    @Test func theSpeakersButtonsWorkTheBooks() {
        let rig = rig()
        #expect(!rig.speaker.asked.contains { $0.hasPrefix("buttons take") })
        say("show library", to: rig)
        #expect(rig.speaker.asked.contains { $0.hasPrefix("buttons take \"play press\"") })
        say("forward press", to: rig)
        say("play press", to: rig)
        #expect(rig.speaker.asked.contains("book play \"u\"") && isPlayer(rig))
        say("show library", to: rig)
        say("play long", to: rig)
        #expect(rig.speaker.asked.contains("buttons give") && isPlayer(rig))
        say("show library", to: rig)
        say("back long", to: rig)
        #expect(isPlayer(rig))
    }

    /// The first book has the focus as soon as it is known.
    @Test func theFirstBookHasTheFocus() {
        let rig = rig()
        say("show library", to: rig)
        say("play press", to: rig)
        #expect(rig.speaker.asked.contains("book play \"e\""))
    }

    @Test func anEmptyLibrarySaysHowItIsFilled() {
        let rig = rig("state: stop\n")
        rig.speaker.answer("books newest", "")
        #expect(rig.shows("Nothing is playing"))
        rig.tap("Books")
        #expect(rig.shows("No books yet") && rig.shows("Back"))
        rig.speaker.answer("books newest", "book: e\nTitle: Emma\nduration: 90\n")
        rig.say("state: stop\n", changed: "database")
        #expect(rig.shows("Emma"))
    }

    /// Recordings that lie beside each other are no books: each is a card then, until there is a book.
    @Test func looseRecordingsAreCards() {
        let rig = rig()
        rig.speaker.answer("books newest", "")
        rig.speaker.answer("search \"(file != '')\"", "file: a b.mp3\nTitle: Up\nduration: 90\nfile: c.mp3\n")
        let asked = rig.tap("Books")
        #expect(asked.filter { $0.hasPrefix("books") || $0.hasPrefix("search") }.count == 2)
        #expect(rig.shows("Up") && !rig.shows("No books yet"))
        rig.speaker.answer("addid", "Id: 9\n")
        let played = rig.tap("Up")
        #expect(played.contains("addid \"a b.mp3\"") && played.contains("playid 9"))
        rig.speaker.answer("books newest", "book: e\nTitle: Emma\nduration: 90\n")
        rig.say(Rig.paused, changed: "database")
        rig.tap("Books")
        #expect(rig.shows("Emma") && !rig.shows("Up"))
    }

    /// It draws when something happens and once a minute, and dimmed it is the clock that it is everywhere.
    @Test func nothingIsDrawnWhileNothingChanges() {
        let still = Rig {
            $0.isSimple = true
            $0.dimSeconds = 0
        }
        let shown = still.panel!.shown
        still.timers.pass(milliseconds: 600_000)
        #expect(still.panel!.shown == shown)
        let playing = Rig(
            Rig.paused.replacing("pause", with: "play").replacing("duration: 60\n", with: "duration: 600\n")
        ) {
            $0.isSimple = true
            $0.dimSeconds = 5
        }
        #expect(playing.shows("Play") || playing.shows("Pause"))
        playing.timers.pass(milliseconds: 6000)
        #expect(playing.shows("Clock") && !playing.shows("Books"))
        playing.touch(240, 60)
        #expect(playing.shows("Books") && !playing.shows("Clock"))
    }

    /// The panel requests the current lines as large as it shows them.
    @Test func aPanelThatSaysItsSizeHasLargerLines() {
        let small = FakePanel()
        small.widthMillimetres = 80
        let rig = Rig(panel: small) { $0.isSimple = true }
        let other = self.rig()
        let heights = [rig, other].map { rig in rig.tree.first { $0.label == "1 minute left" }!.frame[3] }
        #expect(heights[0] > heights[1])
    }
}
