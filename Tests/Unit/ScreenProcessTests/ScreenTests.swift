import Foundation
import Interaction
import Model
import PNG
import Posix
import Scenes
import TestSupport
import Testing
// SPDX-License-Identifier: Apache-2.0
import Wire

@testable import ScreenProcess

/// The process that draws, among fakes of all that it stands among.
@Suite struct ScreenTests {
    // MARK: What a press does

    @Test func pressesOnThePlayer() {
        let rig = Rig()
        #expect(rig.shows("The River Bank"))
        #expect(rig.tap("Play").contains("pause 0"))
        rig.say(Rig.paused.replacing("pause", with: "play"))
        #expect(rig.tap("Pause").contains("pause 1"))
        #expect(rig.press(.act(.forward)) == ["seekcur +10"])
        #expect(rig.press(.louder) == ["volume +5"])
        #expect(rig.press(.act(.toggleFavourite)) == ["favourite add"])
    }

    @Test func aFingerThatStaysOrGoesUpOnThePlayer() throws {
        let rig = Rig()
        func finger(_ label: String, up distance: Int, forMilliseconds wait: Int) throws -> [String] {
            let frame = try #require(rig.tree.first { $0.label == label }).frame
            rig.speaker.asked = []
            for (phase, y) in [(Contact.Phase.down, 0), (.moved, distance / 2), (.moved, distance), (.up, distance)] {
                rig.hands.touched(
                    ScreenInputs.Place(
                        finger: 0, phase: phase, x: Float(frame[0] + frame[2] / 2) / Float(rig.panel!.width),
                        y: Float(frame[1] + frame[3] / 2 - y) / Float(rig.panel!.height), calibration: .none),
                    rig.timers.now.moment)
                rig.timers.pass(milliseconds: wait)
            }
            rig.settle()
            return rig.speaker.asked
        }
        #expect(try finger("Forward", up: 0, forMilliseconds: 600).contains("next"))
        #expect(try finger("Back", up: 0, forMilliseconds: 600).contains("previous"))
        let told = try finger("Volume", up: 40, forMilliseconds: 30).filter { $0.hasPrefix("setvol") }
        let percents = told.compactMap { Int($0.split(separator: " ")[1]) }
        #expect(percents.count == 2 && percents == percents.sorted() && percents[0] > 50, "\(told)")
        #expect(rig.shows("The River Bank") && rig.shows("50 percent"))
    }

    @Test func pressesInTheLibrary() {
        let rig = Rig()
        rig.speaker.answer("books newest", "book: b\nTitle: Emma\nfile: b/1.mp3\nduration: 90\n")
        rig.speaker.answer(
            "listallinfo", "file: b/1.mp3\nTitle: One\nduration: 9\nfile: b/2.mp3\nTitle: Two\nduration: 9\n")
        rig.speaker.answer("playlistfind file \"b/2.mp3\"", "file: b/2.mp3\nId: 7\n")
        #expect(rig.press(.show(.library)).contains { $0.hasPrefix("books newest 0:") })
        #expect(rig.shows("Emma"))
        #expect(rig.tap("Emma").contains("listallinfo \"b\""))
        #expect(rig.tap("Two").contains("playid 7"))
        #expect(rig.shows("The River Bank"))
    }

    /// A hand that falls on the glass with two fingers changes no letters; one that means it does.
    @Test func twoFingersAreMeantAfterHalfASecond() {
        let rig = Rig()
        func pinch(waitingMilliseconds wait: Int) -> [String] {
            for (finger, phase, x, pause) in [
                (0, Contact.Phase.down, Float(0.45), 20), (1, .down, 0.55, wait), (1, .moved, 0.9, 20),
                (1, .up, 0.9, 20),
                (0, .up, 0.45, 20),
            ] {
                rig.hands.touched(
                    ScreenInputs.Place(finger: finger, phase: phase, x: x, y: 0.2, calibration: .none),
                    rig.timers.now.moment)
                rig.timers.pass(milliseconds: pause)
            }
            return rig.tree.map { $0.label }.filter { $0.hasPrefix("Text ") }
        }
        #expect(pinch(waitingMilliseconds: 100) == [])
        #expect(pinch(waitingMilliseconds: 600) == ["Text 120 %"])
    }

    /// After the chapters of what plays stands what the queue has next; nothing of it where the order is by chance.
    @Test func whatComesNextIsInTheLibrary() {
        let rig = Rig()
        rig.speaker.answer("book", "chapter: The Mole\nstart: 0\nchapter: The Toad\nstart: 30\n")
        rig.speaker.answer("status", "song: 4\nrandom: 0\n")
        rig.speaker.answer("playlistinfo 5:55", "file: next.mp3\nTitle: The Open Road\nduration: 90\nPos: 5\nId: 9\n")
        rig.speaker.answer("playlistfind file \"next.mp3\"", "file: next.mp3\nId: 9\n")
        _ = rig.press(.show(.library))
        rig.tap("Chapters")
        #expect(rig.shows("The Mole") && rig.shows("The Toad") && rig.shows("The Open Road"))
        rig.speaker.answer("playlistinfo 5:55", "file: other.mp3\nTitle: Wild Wood\nduration: 90\n")
        rig.say(Rig.paused, changed: "playlist")
        #expect(rig.shows("Wild Wood") && !rig.shows("The Open Road"))
        rig.speaker.answer("playlistinfo 5:55", "file: next.mp3\nTitle: The Open Road\nduration: 90\n")
        rig.say(Rig.paused, changed: "playlist")
        #expect(rig.tap("The Open Road").contains("playid 9"))
        rig.speaker.answer("status", "song: 4\nrandom: 1\n")
        _ = rig.press(.show(.library))
        #expect(rig.shows("The Mole") && !rig.shows("The Open Road"))
    }

    @Test func pressesInTheFavourites() {
        let rig = Rig()
        rig.speaker.answer("favourite list", "file: f.mp3\nTitle: The Open Road\nduration: 90\n")
        rig.speaker.answer("addid", "Id: 9\n")
        #expect(rig.press(.show(.favourites)).contains { $0.hasPrefix("favourite list newest 0:") })
        let asked = rig.tap("The Open Road")
        #expect(asked.contains("addid \"f.mp3\"") && asked.contains("playid 9"))
    }

    /// A refusal is announced, no false state is shown, and the position of the hand stays.
    @Test func refusalsAreSaid() {
        func refuse(_ rig: Rig, _ command: String) {
            var answer = SpeakerLink.Answer()
            answer.refusal = "Nothing is current"
            rig.speaker.set(command, answer)
        }
        let rig = Rig()
        refuse(rig, "favourite add")
        #expect(rig.tap("Favourite").contains("favourite add"))
        rig.timers.pass(milliseconds: 10)
        #expect(rig.shows("Nothing is current") && !rig.shows("Added to Favorites"))
        let other = Rig()
        _ = other.tap("Favourite")
        other.timers.pass(milliseconds: 10)
        #expect(other.shows("Added to Favorites"))

        rig.speaker.answer("favourite list", "file: f.mp3\nTitle: The Open Road\nduration: 90\n")
        rig.speaker.answer("addid", "Id: 9\n")
        refuse(rig, "playid")
        _ = rig.press(.show(.favourites))
        _ = rig.tap("The Open Road")
        rig.timers.pass(milliseconds: 10)
        #expect(rig.shows("The Open Road") && rig.shows("Nothing is current"))
    }

    /// An empty playlist does not clear the queue.
    @Test(arguments: [true, false]) func anEmptyPlaylistClearsNothing(isEmpty: Bool) {
        let rig = Rig()
        rig.speaker.answer("listplaylists", "playlist: Evening\n")
        rig.speaker.answer("listplaylist \"", isEmpty ? "" : "file: a.mp3\n")
        _ = rig.press(.show(.library))
        _ = rig.tap("Playlists")
        rig.settle()
        _ = rig.tap("Evening")
        rig.timers.pass(milliseconds: 10)
        let asked = rig.speaker.asked
        #expect(asked.contains("clear") == !isEmpty && asked.contains("load \"Evening\"") == !isEmpty, "\(asked)")
        #expect(rig.shows("The playlist is empty") == isEmpty)
    }

    @Test func aSpeakerThatIsGoneAsksNothing() {
        let rig = Rig()
        _ = rig.tap("Speed")
        rig.settle()
        #expect(rig.shows("1.25×") || rig.shows("1.25"))
        rig.speaker.isThere = false
        rig.speaker.users.lost("away")
        rig.timers.pass(milliseconds: 3000)
        #expect(!rig.shows("1.25×") && !rig.shows("1.25"))
    }

    /// The mark of the chapter goes with the ear, on the library's page and on the book's own.
    @Test(arguments: [false, true]) func theMarkGoesWithTheEar(isOfBook: Bool) {
        let rig = Rig()
        rig.speaker.answer("books newest", "book: b\nTitle: Keeper\nfile: a.mp3\nduration: 60\n")
        rig.speaker.answer("listallinfo", "file: a.mp3\nTitle: Keeper\nduration: 60\n")
        rig.speaker.answer(
            "book",
            "book: b\nTitle: Keeper\nchapter: One\nstart: 0\nchapter: Two\nstart: 20\nchapter: Three\nstart: 40\n")
        rig.speaker.answer("books newest", "book: b\nTitle: Keeper\nfile: a.mp3\nduration: 60\n")
        _ = rig.press(.show(.library))
        _ = rig.tap(isOfBook ? "Keeper" : "Chapters")
        rig.settle()
        #expect(rig.selectedRows == ["One"])
        for (place, title) in [(25, "Two"), (59, "Three"), (3, "One"), (41, "Three")] {
            rig.say(Rig.paused.replacing("elapsed: 5", with: "elapsed: \(place)"))
            #expect(rig.selectedRows == [title], "\(place)")
        }
    }

    /// By three buttons: held, play leads to the library; from there to each list, and back as one came.
    @Test(arguments: ["Library", "Favorites", "Settings"], [20, 100, 300, 1200])
    func backByButtonsLeadsToWhereOneWas(name: String, milliseconds: Int) {
        let rig = Rig()
        let player = rig.tree.map { $0.label }
        rig.message("show library")
        let library = rig.tree.map { $0.label }
        #expect(library != player)
        for _ in 0..<20 where !rig.isFocused(name) { rig.message("forward press") }
        #expect(rig.isFocused(name))
        rig.message("play press")
        for expected in name == "Library" ? [player] : [library, player] {
            rig.message("back long", settlingMilliseconds: milliseconds)
            #expect(rig.tree.map { $0.label } == expected, "\(name)")
        }
    }

    /// Back leads to where one was: each pair of screens, and on from there to the player.
    @Test func backLeadsToWhereOneWas() {
        let tabs: [Element.Tab] = [.player, .library, .favourites, .settings]
        for from in tabs {
            for to in tabs where to != from && to != .player {
                let rig = Rig()
                _ = rig.press(.show(from))
                let before = rig.tree.map { $0.label }
                _ = rig.press(.show(to))
                #expect(rig.tree.map { $0.label } != before, "\(from) \(to)")
                _ = rig.press(.leave)
                rig.settle()
                #expect(rig.tree.map { $0.label } == before, "\(from) \(to)")
                _ = rig.press(.leave)
                rig.settle()
                #expect(rig.shows("The River Bank") && rig.shows("Play"), "\(from) \(to)")
            }
        }
    }

    /// Speed and the sleep timer are a touch and a choice away from what plays.
    @Test func speedAndSleepAreChosenOnThePlayer() {
        let rig = Rig()
        rig.tap("Speed")
        #expect(rig.tree.filter { $0.label.hasSuffix("×") }.map { $0.label }.contains("1.25×"))
        #expect(rig.tap("1.25×").contains("speed 1.25"))
        rig.tap("Sleep timer")
        #expect(rig.tap("End of chapter").contains("sleep chapter"))
        // Beside it is out of it, and nothing is set.
        rig.tap("Sleep timer")
        rig.speaker.asked = []
        rig.touch(240, 20)
        #expect(!rig.speaker.asked.contains { $0.hasPrefix("sleep") } && rig.shows("Play"))
    }

    /// The panel asks once for the chapters of each recording that has some, and cuts the bar there.
    @Test func theBarIsCutBetweenChapters() {
        let rig = Rig()
        #expect(!rig.speaker.asked.contains("book"))
        let whole = rig.panel!.last
        rig.speaker.answer("book", "chapter: One\nstart: 0\nchapter: Two\nstart: 30\n")
        rig.say(Rig.paused + "chapter_number: 1\nchapter_count: 2\n")
        rig.say(Rig.paused + "chapter_number: 2\nchapter_count: 2\n")
        #expect(rig.speaker.asked.filter { $0 == "book" }.count == 1)
        let bar = rig.tree.first { $0.label == "Progress" }!.frame
        let row = bar[1] + bar[3] / 2
        func isOther(_ x: Int) -> Bool { rig.panel!.last.pixels[row * 480 + x] != whole.pixels[row * 480 + x] }
        let cut = (bar[0] + bar[2] / 3..<bar[0] + bar[2]).filter(isOther)
        #expect(!cut.isEmpty && cut.allSatisfy { abs($0 - bar[0] - bar[2] / 2) <= 3 })
    }

    /// They stand there as the speaker tells of them, and are its to change.
    @Test func whatIsChosenOfTheSpeaker() throws {
        let rig = Rig(panel: FakePanel(width: 480, height: 1200))
        rig.speaker.answer(
            "setting",
            "setting: loudest\nvalue: 80\nwords: 80 %\nsetting: tone\nwords: High\nsetting: language\nwords: Deutsch\n")
        _ = rig.press(.show(.settings))
        #expect(rig.shows("80 %") && rig.shows("Deutsch") && !rig.shows("High") && !rig.shows("Voice"))
        #expect(rig.tap("Loudest, less").contains("setting loudest previous"))
        #expect(rig.tap("Language, more").contains("setting language next"))
        #expect(rig.written.isEmpty)
        // All that the menu has.
        for setting in SpeakerSetting.allCases {
            rig.speaker.answer("setting", "setting: \(setting.rawValue)\nvalue: x\nwords: So\n")
            rig.speaker.users.changed(["options"])
            rig.settle()
            #expect(rig.tap(setting.words + ", more").contains("setting \(setting.rawValue) next"))
        }
        // Changed elsewhere.
        rig.speaker.answer("setting", "setting: voice\nwords: By day only\n")
        rig.speaker.users.changed(["options"])
        rig.settle()
        #expect(rig.shows("By day only") && !rig.shows("Deutsch"))
        // Of a language without words here all is English, and nothing is drawn anew for it again.
        rig.speaker.answer("screenstate", Rig.paused + "language: xx\n")
        rig.speaker.users.changed(["options"])
        rig.settle()
        #expect(rig.shows("Settings"))
    }

    /// A change asks for what it can change, and for nothing else; in another language, all words are asked for again.
    @Test func aChangeAsksForLittle() {
        let rig = Rig(panel: FakePanel(width: 480, height: 1200))
        rig.speaker.answer("setting", "setting: language\nvalue: x\nwords: So\n")
        #expect(rig.press(.show(.settings)).contains("household"))
        rig.touch(2, 2)
        #expect(rig.tap("Brightness, less") == [])
        #expect(rig.tap("Volume, more") == ["volume +5"])
        rig.speaker.asked = []
        rig.say(Rig.paused.replacing("volume: 50", with: "volume: 55"), changed: "mixer")
        #expect(rig.speaker.asked.filter { !$0.hasPrefix("screenstate") } == [] && rig.shows("55 %"))
        rig.speaker.asked = []
        rig.say(Rig.paused.replacing("volume: 50", with: "volume: 55"), changed: "options")
        #expect(rig.speaker.asked.filter { !$0.hasPrefix("screenstate") } == ["alarm list", "setting"])
        rig.say(Rig.paused + "language: xx\n", changed: "options")
        #expect(rig.speaker.asked.contains("household"))
    }

    /// The way back and the heading come first for a voice, a menu's title before its entries.
    @Test func aVoiceHearsFirstWhereItIs() {
        let rig = Rig(panel: FakePanel(width: 800, height: 480))
        rig.speaker.answer("books newest", "book: b\nTitle: Emma\nfile: b/1.mp3\n")
        rig.speaker.answer("favourite list", "file: f.mp3\nTitle: Road\n")
        _ = rig.press(.show(.library))
        #expect(rig.tree.first?.label == "Library")
        rig.tap("Emma")
        #expect(rig.tree.prefix(2).map { $0.label } == ["Back", "Book"])
        _ = rig.press(.show(.favourites))
        rig.message("play long")
        #expect(rig.tree.first?.label == "Road" && rig.tree.count > 2, "\(rig.tree)")
        let other = Rig()
        other.tap("Sleep timer")
        #expect(other.tree.first?.label == "Sleep timer")
    }

    /// No menu stays over a speaker that is not there, nor comes back with it.
    @Test func aMenuGoesWithTheSpeaker() {
        let rig = Rig()
        rig.tap("Sleep timer")
        #expect(rig.shows("Sleep timer") && rig.shows("Off"))
        rig.speaker.isThere = false
        rig.speaker.users.lost("the speaker went away")
        rig.timers.pass(milliseconds: 3000)
        #expect(rig.shows("The speaker is not there") && !rig.shows("Off"), "\(rig.tree)")
        rig.speaker.isThere = true
        rig.speaker.users.connected()
        rig.settle()
        #expect(!rig.shows("Off") && !rig.shows("The speaker is not there"), "\(rig.tree)")
    }

    /// Once, before any picture: a cover then comes in a few pieces.
    @Test func largePiecesAreAskedForOnce() {
        let rig = Rig()
        rig.say(Rig.paused + "picture: 1\n")
        _ = rig.press(.show(.library))
        #expect(rig.firstAsked == "binarylimit 65536")
    }

    @Test func pressesInTheSettings() {
        let rig = Rig(panel: FakePanel(width: 480, height: 800))
        #expect(rig.press(.show(.settings)).contains("stats"))
        #expect(rig.tree.contains { $0.label == "Brightness" && $0.value == "80 %" })
        #expect(rig.tap("Speed, more").contains("speed 1.1"))
        let before = rig.panel!.last
        rig.tap("Appearance, more")
        #expect(rig.written.last == "theme light\n")
        #expect(rig.panel!.last != before)
    }

    @Test func aButtonOfTheSpeakerMovesTheFocusWhereAListIs() {
        let rig = Rig()
        #expect(!rig.speaker.asked.contains { $0.hasPrefix("buttons take") })
        #expect(rig.press(.show(.library)).contains { $0.hasPrefix("buttons take \"play press\"") })
        rig.speaker.answer("readmessages", "message: back long\n")
        rig.speaker.asked = []
        rig.speaker.users.changed(["message"])
        rig.settle()
        #expect(rig.speaker.asked.contains("buttons give"))
        #expect(rig.shows("Play"))
    }

    // MARK: What can be undone

    private func choose(_ entry: String, of row: String, _ rig: Rig) {
        let frame = rig.tree.first { $0.label == row }?.frame ?? [0, 0, 0, 0]
        let (x, y) = (frame[0] + frame[2] / 2, frame[1] + frame[3] / 2)
        for phase in [Contact.Phase.down, .up] {
            rig.hands.touched(
                ScreenInputs.Place(
                    finger: 0, phase: phase, x: Float(x) / Float(rig.panel!.width),
                    y: Float(y) / Float(rig.panel!.height), calibration: .none), rig.timers.now.moment)
            rig.timers.pass(milliseconds: 900)
        }
        rig.tap(entry)
    }

    /// A playlist, which has no copy, is deleted when it is too late to undo that; until then it is only not shown.
    @Test(arguments: [true, false]) func aDeletedPlaylistComesBack(isUndone: Bool) {
        let rig = Rig()
        rig.speaker.answer("listplaylists", "playlist: Evening\nplaylist: Night\n")
        rig.tap("Library")
        rig.tap("Playlists")
        choose("Delete", of: "Evening", rig)
        #expect(!rig.shows("Evening") && rig.shows("Night") && rig.shows("Deleted"))
        #expect(!rig.speaker.asked.contains { $0.hasPrefix("rm") })
        if isUndone {
            rig.tap("Undo")
            rig.timers.pass(milliseconds: 6000)
            #expect(!rig.speaker.asked.contains { $0.hasPrefix("rm") } && rig.shows("Evening"))
        } else {
            rig.speaker.asked = []
            rig.timers.pass(milliseconds: 5000)
            #expect(rig.speaker.asked.contains("rm \"Evening\"") && !rig.shows("Undo"))
        }
    }

    @Test func aDeletedAlarmComesBack() {
        let rig = Rig(panel: FakePanel(width: 480, height: 800))
        rig.speaker.answer("alarm list", "alarm: 3\ntime: 06:40\ndays: daily\nplays: x\nenabled: 1\n")
        rig.tap("Settings")
        let row = rig.tree.first { $0.label.hasPrefix("6:40") }?.label ?? ""
        choose("Delete", of: row, rig)
        #expect(!rig.shows(row) && rig.shows("Undo"))
        rig.tap("Undo")
        #expect(rig.shows(row) && !rig.speaker.asked.contains { $0.hasPrefix("alarm remove") })
    }

    /// A favorite goes at once, and is kept anew; found, it says that it is one, and goes from there.
    @Test func aRemovedFavouriteComesBack() {
        let rig = Rig()
        rig.speaker.answer("favourite list", "file: f.mp3\nTitle: The Open Road\nduration: 90\n")
        rig.tap("Favorites")
        choose("Remove from Favorites", of: "The Open Road", rig)
        #expect(rig.tap("Undo").contains("favourite add \"f.mp3\""))
        rig.speaker.answer("listplaylists", "")
        var answer = SpeakerLink.Answer()
        (answer.refusal, answer.refusalCode) = ("already in favourites", 56)
        let other = Rig()
        other.speaker.answer("books newest", "book: b\nTitle: Emma\nfile: b/1.mp3\nduration: 90\n")
        other.speaker.answer("listallinfo", "file: b/1.mp3\nTitle: One\nfile: b/2.mp3\nTitle: Two\n")
        other.speaker.set("favourite add", answer)
        other.tap("Library")
        other.tap("Emma")
        choose("Add to Favorites", of: "Two", other)
        #expect(other.shows("Already in Favorites"))
        #expect(other.tap("Remove").contains("favourite remove \"b/2.mp3\""))
    }

    /// By buttons the focus is on Undo while that is offered; to go on leaves it.
    @Test func undoneByButtons() {
        let rig = Rig()
        rig.speaker.answer("favourite list", "file: f.mp3\nTitle: Road\nfile: g.mp3\nTitle: River\n")
        rig.message("show favourites")
        rig.message("play long")
        while !rig.isFocused("Remove from Favorites") { rig.message("forward press", settlingMilliseconds: 300) }
        rig.message("play press", settlingMilliseconds: 800)
        #expect(rig.focused == "Undo")
        rig.speaker.asked = []
        rig.message("play press", settlingMilliseconds: 300)
        #expect(rig.speaker.asked.contains("favourite add \"f.mp3\""))
        #expect(rig.focused == "Road")
    }

    /// A list opened by a finger leaves the buttons their meaning: play is play, on any screen.
    @Test func withoutAFocusTheButtonsAreTheSpeakers() {
        let rig = Rig()
        rig.speaker.answer("books newest", "book: b\nTitle: Emma\nfile: b/1.mp3\nduration: 90\n")
        #expect(!rig.tap("Library").contains { $0.hasPrefix("buttons") } && rig.shows("Emma"))
        // A key brings a focus, a finger takes it away.
        #expect(rig.press(.move(.down)).contains { $0.hasPrefix("buttons take") })
        rig.speaker.asked = []
        rig.touch(2, 2)
        #expect(rig.speaker.asked.contains("buttons give"))
        #expect(rig.press(.choose).contains("pause 0"))
        // A very long press of play, where the library is shown already, brings the focus.
        rig.message("show library")
        #expect(rig.focused == "Emma")
    }

    /// By buttons alone: each page that is opened has its focus where a hand wants it, and the way back finds it where it was.
    @Test func aPageOpenedByButtonsHasItsFocus() {
        let rig = Rig()
        rig.speaker.answer(
            "books newest", "book: b\nTitle: Emma\nfile: b/1.mp3\nbook: c\nTitle: Ivy\nfile: c/1.mp3\n")
        rig.speaker.answer("listallinfo", "file: c/1.mp3\nTitle: One\nfile: c/2.mp3\nTitle: Two\n")
        rig.message("show library")
        #expect(rig.focused == "Emma")
        rig.message("forward press")
        rig.message("play press")
        #expect(rig.shows("Two") && rig.isFocused("Play"))
        #expect(!rig.speaker.asked.contains("buttons give"))
        rig.message("back long")
        #expect(rig.focused == "Ivy")
        rig.message("back longer")
        #expect(rig.focused == "Library")
        while !rig.isFocused("Settings") { rig.message("forward press") }
        rig.message("play press")
        #expect(rig.focused == "Speed, less")
        rig.message("jog right")
        #expect(rig.focused == "Speed, more")
    }

    /// Forward, held, runs through 5,000 books that are asked for page by page.
    @Test func aHeldButtonRunsThroughALongList() {
        let rig = Rig { $0.dimSeconds = 0 }
        for page in 0..<50 {
            let books = (page * 100..<page * 100 + 100).map { "book: b\($0)\nTitle: Book \($0)\nfile: b\($0)/1.mp3\n" }
            rig.speaker.answer("books newest \(page * 100):", books.joined())
        }
        rig.message("show library")
        rig.message("forward press")
        for _ in 0..<110 { rig.message("forward hold", settlingMilliseconds: 200) }
        rig.settle()
        #expect(rig.focused == "Book 4999")
        for _ in 0..<12 where !rig.isFocused("Search") { rig.message("forward press") }
        #expect(rig.focused == "Search")
    }

    /// A very long press of play, or a word at the console: the library, in the dark, too, and buttons go on from there.
    @Test func aScreenIsShownWhereNothingCanBeTouched() {
        let rig = Rig()
        rig.minuteOfDay = 23 * 60
        rig.timers.pass(milliseconds: 61_000)
        #expect(!rig.panel!.isLit)
        rig.speaker.answer("books newest", "book: b\nTitle: Emma\nfile: b/1.mp3\nduration: 90\n")
        rig.speaker.answer("readmessages", "channel: screen\nmessage: show library\n")
        rig.speaker.asked = []
        rig.speaker.users.changed(["message"])
        rig.settle()
        #expect(rig.panel!.isLit)
        #expect(rig.speaker.asked.contains { $0.hasPrefix("buttons take \"play press\"") })
        #expect(rig.shows("Emma"))
        for message in ["show settings", "show favourites", "show player"] {
            rig.speaker.answer("readmessages", "channel: screen\nmessage: \(message)\n")
            rig.speaker.users.changed(["message"])
            rig.settle()
        }
        #expect(rig.shows("Play"))
    }

    /// A clock on the panel continues without playback and without a touch: on the player, and dimmed.
    @Test(arguments: [false, true]) func aClockGoesOn(isDimmed: Bool) {
        let rig = Rig(panel: FakePanel(width: 800, height: 480)) { $0.dimSeconds = isDimmed ? 5 : 0 }
        rig.timers.pass(milliseconds: 10_000)
        let before = rig.panel!.last
        rig.minuteOfDay! += 1
        rig.timers.pass(milliseconds: 60_000)
        #expect(rig.panel!.last != before)
        #expect(rig.tree.contains { $0.label == "Clock" && $0.value.hasPrefix("12:01") })
        // Once a minute is enough.
        let shown = rig.panel!.shown
        rig.timers.pass(milliseconds: 50_000)
        #expect(rig.panel!.shown == shown)
    }

    /// A clock that is set is seen at once, and by a board that had none, too.
    @Test(arguments: [nil, 12 * 60]) func aClockThatIsSetIsSeenAtOnce(minute: Int?) {
        let rig = Rig(panel: FakePanel(width: 800, height: 480), minuteOfDay: minute)
        rig.timers.pass(milliseconds: 10_000)
        rig.minuteOfDay = 7 * 60 + 5
        rig.timers.pass(milliseconds: 3000)
        #expect(!rig.tree.contains { $0.label == "Clock" && $0.value.hasPrefix("7:05") })
        rig.clockWasSet()
        rig.timers.pass(milliseconds: 100)
        #expect(rig.tree.contains { $0.label == "Clock" && $0.value.hasPrefix("7:05") })
    }

    /// Each change of the focus is reported at once, and once, for the voice.
    @Test func theFocusIsToldToTheVoice() {
        let rig = Rig()
        func told() -> [String] { rig.speaker.asked.filter { $0.hasPrefix("screen focus ") } }
        _ = rig.press(.after)
        let first = told()
        #expect(first.count == 1)
        _ = rig.press(.after)
        #expect(told().count == 1 && told() != first)
        rig.timers.pass(milliseconds: 3000)
        #expect(told().count == 1)
    }

    // MARK: Covers

    /// The cover before stays until another has been read, and one that is the same changes nothing.
    @Test func coversNeverFlash() throws {
        let library = try PNGLibrary()
        func cover(_ pixel: UInt32) throws -> [UInt8] {
            let pixels = [UInt32](repeating: pixel, count: 64 * 64)
            return try #require(library.encode(pixels, width: 64, height: 64))
        }
        func state(_ file: String) -> String {
            Rig.paused.replacing("a.mp3", with: file) + "picture: 1\n"
        }
        let rig = Rig(state("a.mp3"))
        func give(_ file: String, _ bytes: [UInt8]) {
            var answer = SpeakerLink.Answer()
            answer.fields = [("size", "\(bytes.count)")]
            answer.binary = bytes
            rig.speaker.set("readpicture \"" + file + "\"", answer)
        }
        for file in ["a.mp3", "b.mp3"] { give(file, try cover(0xFF20_4060)) }
        give("c.mp3", try cover(0xFFE0_C080))
        rig.speaker.users.connected()
        func read() {
            rig.timers.pass(milliseconds: 20)
            rig.worker.runAll()
            // The longest a cover needs to give way.
            rig.timers.pass(milliseconds: 4000)
        }
        read()
        let first = rig.panel!.last
        let shown = rig.panel!.shown
        // The same cover, in another file.
        rig.speaker.answer("screenstate", state("b.mp3"))
        rig.speaker.users.changed(["player"])
        rig.timers.pass(milliseconds: 300)
        #expect(rig.panel!.last.bounds(ofDifferencesFrom: first) == nil)
        read()
        #expect(rig.panel!.last.bounds(ofDifferencesFrom: first) == nil)
        #expect(rig.panel!.shown <= shown + 1)
        // Another one: it stays for 400 ms, then what has not been read is not waited for.
        rig.speaker.answer("screenstate", state("c.mp3"))
        rig.speaker.users.changed(["player"])
        rig.timers.pass(milliseconds: 380)
        #expect(rig.panel!.last.bounds(ofDifferencesFrom: first) == nil)
        rig.settle()
        let without = rig.panel!.last
        #expect(without != first)
        read()
        #expect(rig.panel!.last != first && rig.panel!.last != without)
    }

    // MARK: Light

    private let playing =
        Rig.paused.replacing("state: pause", with: "state: play")
        + "segments: 2\nsegment: 0 0.000-30.000 By the river.\nsegment: 1 30.000-60.000 Home.\n"

    @Test func itDimsAndATouchThatWakesItDoesNothingElse() {
        let rig = Rig()
        #expect(rig.lamp == [80])
        rig.timers.pass(milliseconds: 60_000)
        #expect(rig.lamp == [80, 10])
        #expect(rig.shows("Clock") && !rig.shows("Settings"))
        rig.speaker.asked = []
        rig.touch(240, 60)
        #expect(rig.lamp == [80, 10, 80])
        #expect(!rig.speaker.asked.contains { $0.hasPrefix("pause") })
        #expect(rig.shows("Settings"))
    }

    @Test func standbysButtonsActAtTheFirstTouchAndLightNoRoom() {
        let rig = Rig()
        rig.timers.pass(milliseconds: 60_000)
        #expect(rig.lamp == [80, 10] && rig.shows("Clock"))
        rig.speaker.asked = []
        rig.tap("Play")
        #expect(rig.speaker.asked.contains { $0.hasPrefix("pause") || $0.hasPrefix("play") })
        rig.say(Rig.paused.replacing("state: pause", with: "state: play"))
        #expect(rig.lamp == [80, 10] && rig.shows("Clock") && rig.shows("Pause"))
        // A touch beside the buttons wakes it.
        rig.touch(240, 60)
        #expect(rig.lamp == [80, 10, 80])
    }

    /// Any page gives way to standby after its time, with a menu over it, too. The touch that wakes it brings the page back, but one that was
    /// left for more than ten minutes does not wait.
    @Test(arguments: [120, 900]) func aPageThatIsLeftOpenGivesWay(seconds: Int) {
        let rig = Rig(panel: FakePanel(width: 480, height: 1600))
        rig.tap("Settings")
        #expect(rig.shows("Reduce motion"))
        rig.timers.pass(milliseconds: 61_000)
        #expect(rig.lamp.last == 10 && rig.shows("Clock") && !rig.shows("Reduce motion"))
        rig.timers.pass(milliseconds: (seconds - 61) * 1000)
        rig.touch(240, 1590)
        #expect(rig.lamp.last == 80 && rig.shows("Reduce motion") == (seconds == 120) && !rig.shows("Clock"))
        #expect(rig.shows("Favourite") == (seconds == 900))
    }

    @Test func aDimmedPlayersButtonsActAtTheFirstTouch() {
        let rig = Rig()
        rig.say(playing)
        rig.timers.pass(milliseconds: 61_000)
        #expect(rig.lamp.last == 10 && rig.shows("Settings"))
        #expect(rig.tap("Pause").contains("pause 1"))
    }

    /// A reader of the words keeps them by day; at night there is a clock, and the sentence below it.
    @Test(arguments: [false, true]) func theWordsStayWhileItPlays(isNight: Bool) {
        let rig = Rig()
        if isNight { rig.minuteOfDay = 23 * 60 }
        rig.say(playing)
        rig.timers.pass(milliseconds: 61_000)
        if isNight {
            #expect(rig.lamp.last == 0)
            rig.touch(240, 60)
            #expect(rig.shows("Clock"))
        } else {
            #expect(rig.lamp.last == 10 && rig.shows("Settings"))
        }
    }

    @Test func atNightItIsDarkAndDrawsNothing() {
        let rig = Rig()
        rig.minuteOfDay = 23 * 60
        rig.timers.pass(milliseconds: 61_000)
        #expect(rig.lamp.last == 0)
        #expect(!rig.panel!.isLit)
        let shown = rig.panel!.shown
        rig.say(Rig.paused.replacing("River Bank", with: "Open Road"))
        #expect(rig.panel!.shown == shown)
        rig.touch(240, 60)
        #expect(rig.panel!.isLit)
        #expect(rig.lamp.last == 10)
        #expect(rig.panel!.shown > shown)
        #expect(rig.shows("Clock") && rig.shows("The Open Road"))
        rig.touch(240, 60)
        #expect(rig.lamp.last == 20)
        #expect(rig.shows("Settings"))
        // All of it without blue, and in the morning as it was.
        #expect(rig.panel!.last.pixels.allSatisfy { $0 & 0xFF == 0 })
        rig.minuteOfDay = 7 * 60
        rig.timers.pass(milliseconds: 60_000)
        rig.touch(240, 60)
        #expect(rig.lamp.last == 80)
        #expect(rig.panel!.last.pixels.contains { $0 & 0xFF > 200 })
    }

    // MARK: Nothing to draw

    @Test func nothingIsDrawnWhileNothingChanges() {
        let rig = Rig { $0.dimSeconds = 0 }
        let shown = rig.panel!.shown
        #expect(shown > 0)
        rig.timers.pass(milliseconds: 120_000)
        #expect(rig.panel!.shown == shown)
        // The same once more is no change.
        rig.say(Rig.paused)
        #expect(rig.panel!.shown == shown)
        rig.say(Rig.paused.replacing("River Bank", with: "Open Road"))
        #expect(rig.panel!.shown > shown)
    }

    @Test func aPanelThatIsBusyIsNotWaitedFor() {
        let rig = Rig()
        rig.panel!.isBusy = true
        let shown = rig.panel!.shown
        rig.say(Rig.paused.replacing("River Bank", with: "Open Road"))
        #expect(rig.panel!.shown == shown)
    }

    // MARK: What goes and comes back

    /// The playback of a hanging speaker is unknown: after two seconds its play button says so, until the speaker answers.
    @Test(arguments: [false, true]) func aSpeakerThatHangsIsNotSaidToBePaused(isSimple: Bool) {
        let rig = Rig(playing) { $0.isSimple = isSimple }
        func says() -> Bool { rig.shows("waits for the speaker") }
        rig.speaker.hangs = true
        rig.tap("Pause")
        rig.timers.pass(milliseconds: 500)
        let before = rig.panel!.last
        #expect(!says() && rig.shows("Play"))
        rig.timers.pass(milliseconds: 500)
        #expect(says() && rig.panel!.last != before)
        rig.timers.pass(milliseconds: 20_000)
        #expect(says())
        rig.speaker.answer("screenstate", Rig.paused)
        rig.speaker.hangs = false
        rig.settle()
        #expect(!says() && rig.shows("Play"))
    }

    /// One that never answered is still starting: nothing is said of what plays there.
    @Test func aSpeakerThatHangsFromTheStartIsAwaited() {
        let rig = Rig(hangs: true)
        rig.timers.pass(milliseconds: 5000)
        #expect(rig.shows("Starting"))
        rig.timers.pass(milliseconds: 20_000)
        #expect(rig.shows("The speaker is not there"))
    }

    @Test func aSpeakerThatGoesIsMissedAndOneThatComesBackIsShown() {
        let rig = Rig()
        rig.speaker.isThere = false
        rig.speaker.users.lost("the speaker has ended")
        rig.timers.pass(milliseconds: 1000)
        #expect(rig.shows("Play"))
        rig.settle()
        #expect(!rig.shows("Play"))
        rig.tap("Try again")
        #expect(rig.speaker.retries == 1)
        rig.speaker.isThere = true
        rig.speaker.users.connected()
        rig.settle()
        #expect(rig.shows("The River Bank"))
    }

    @Test func aPanelThatIsUnpluggedIsLookedForUntilItIsThere() {
        let rig = Rig()
        let first = rig.panel!
        first.isThere = false
        rig.panel = nil
        rig.say(Rig.paused.replacing("River Bank", with: "Open Road"))
        #expect(rig.opened > 1)
        let second = FakePanel()
        rig.panel = second
        rig.timers.pass(milliseconds: 6000)
        #expect(second.shown > 0)
        #expect(rig.shows("The Open Road"))
    }

    /// Another size is another picture, and what was set at the screen is no less so.
    @Test func whatWasSetIsSetOnAnotherPanelToo() {
        let rig = Rig(panel: FakePanel(width: 480, height: 800))
        _ = rig.press(.show(.settings))
        rig.tap("Brightness, less")
        #expect(rig.written.last == "brightness 70\n")
        rig.settle()
        #expect(rig.lamp.last == 70)
        rig.panel!.isThere = false
        rig.panel = FakePanel(width: 800, height: 480)
        rig.say(Rig.paused.replacing("River Bank", with: "Open Road"))
        rig.timers.pass(milliseconds: 6000)
        #expect(rig.panel!.shown > 0)
        #expect(rig.lamp.last == 70)
    }

    // MARK: Pictures

    @Test func aPictureThatCannotBeReadIsLeftOut() {
        let rig = Rig(Rig.paused + "picture: 1\n")
        var answer = SpeakerLink.Answer()
        answer.binary = Array("no picture at all".utf8)
        answer.fields = [("size", "\(answer.binary.count)"), ("binary", "\(answer.binary.count)")]
        rig.speaker.set("readpicture", answer)
        rig.say(Rig.paused.replacing("a.mp3", with: "b.mp3") + "picture: 1\n")
        #expect(rig.speaker.asked.contains("readpicture \"b.mp3\" 0"))
        #expect(rig.worker.runOne())
        rig.settle()
        #expect(rig.shows("The River Bank"))
        rig.speaker.asked = []
        rig.say(Rig.paused.replacing("a.mp3", with: "b.mp3") + "picture: 1\n")
        #expect(!rig.speaker.asked.contains { $0.hasPrefix("readpicture") })
    }

    /// A picture may be read, and kill the process only when it is drawn: its mark stands until the first frame with it is done.
    @Test func aPictureThatKilledItIsPassedOver() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("deaths-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func marks() -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.contains("reading") }
        }
        let library = try PNGLibrary()
        let pixels = [UInt32](repeating: 0xFF20_4060, count: 64 * 64)
        var answer = SpeakerLink.Answer()
        answer.binary = try #require(library.encode(pixels, width: 64, height: 64))
        answer.fields = [("size", "\(answer.binary.count)")]
        func begin() -> Rig {
            let rig = Rig(Rig.paused + "picture: 1\n", deaths: folder)
            rig.speaker.set("readpicture \"a.mp3\"", answer)
            rig.speaker.users.connected()
            rig.timers.pass(milliseconds: 20)
            return rig
        }
        let rig = begin()
        var standing: [Int] = []
        rig.panel?.willShow = { standing.append(marks().count) }
        rig.worker.runAll()
        rig.timers.pass(milliseconds: 500)
        #expect(standing.first == 1 && standing.last == 0 && marks().isEmpty)
        // Killed in between, the mark stands; the next process asks for the picture no more than once, and reads it not at all.
        let bytes = Array("a.mp3\n".utf8)
        try Files.replace(folder + "/screen-reading-0000000000000001", with: bytes)
        let next = begin()
        #expect(marks().isEmpty)
        #expect(next.worker.jobs.isEmpty)
    }

    @Test func whereNoneIsWithinTheFileTheOneBesideItIsAskedFor() {
        let rig = Rig(Rig.paused + "picture: 1\n")
        #expect(
            rig.speaker.asked.filter { $0.hasSuffix("\"a.mp3\" 0") } == [
                "readpicture \"a.mp3\" 0", "albumart \"a.mp3\" 0",
            ])
        #expect(rig.worker.jobs.isEmpty)
    }
}

/// The keyboard has the scripts that the library's titles have.
@Suite struct ScriptsToSearchIn {
    private let rig = Rig()

    /// Returns the panel's questions about scripts when the screen for searching words opened.
    private func open(_ found: [String]) -> [String] {
        for pattern in found {
            rig.speaker.answer("search \"(any =~ '\(pattern)')\"", "file: z.mp3\nTitle: Ζορμπάς\n")
        }
        return rig.press(.search).filter { $0.contains("=~") }
    }

    @Test func whatOccursIsOffered() {
        let asked = open([KeyboardLayout.foreignPattern, KeyboardLayout.greek.pattern!])
        #expect(asked.count == 1 + KeyboardLayout.allCases.filter { $0.pattern != nil }.count)
        #expect(rig.shows("q") && rig.shows("Greek letters"))
        #expect(rig.tap("Greek letters") == ["buttons give"])
        #expect(rig.shows("ζ") && rig.shows("Digits"))
        #expect(rig.tap("ζ").contains { $0.hasPrefix("search any \"ζ\"") })
    }

    /// Chinese has no alphabet: the keyboard offers the characters of titles, and then those that follow in them.
    @Test func lettersOfTitlesLeadOn() {
        func tell(_ command: String, _ letters: String) {
            rig.speaker.answer(command, letters.map { "letter: \($0)" }.joined(separator: "\n"))
        }
        let many = String(String.UnicodeScalarView((0..<40).map { Unicode.Scalar(0x5000 + $0)! }))
        tell("letters \"\" 0:", many)
        tell("letters \"\" 40:", "红楼")
        tell("letters \"红\" 0:", "楼梦")
        _ = open([])
        #expect(rig.tap("Letters of titles") == ["buttons give"])
        #expect(rig.shows("\u{5000}") && !rig.shows("红"))
        #expect(rig.tap("More letters").contains("letters \"\" 40:80"))
        #expect(rig.tap("红").contains("letters \"红\" 0:40"))
        #expect(rig.shows("梦") && !rig.tree.contains { $0.label == "红" } && !rig.shows("More letters"))
        // Nothing follows: any may begin.
        #expect(rig.tap("梦").filter { $0.hasPrefix("letters") } == ["letters \"红梦\" 0:40", "letters \"\" 0:40"])
        #expect(rig.shows("\u{5000}"))
        #expect(rig.tap("More letters").contains("letters \"\" 40:80"))
        #expect(rig.tap("More letters").suffix(2) == ["letters \"\" 80:120", "letters \"\" 0:40"])
    }

    @Test func aLibraryInLatinIsAskedOnce() {
        #expect(open([]).count == 1)
        #expect(rig.shows("Digits") && !rig.shows("Greek letters") && !rig.shows("Letters of titles"))
    }
}
