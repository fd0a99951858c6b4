// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

/// The sentences for the voice.
private final class FakeVoice: VoicePort {
    private(set) var said: [String] = []
    private(set) var hushes = 0
    var isSpeaking = false

    private(set) var announced: [Announcement] = []

    func say(_ text: String) { said.append(text) }
    func announce(_ announcement: Announcement) -> Bool {
        announced.append(announcement)
        return announced.count < 9
    }
    func hush() { hushes += 1 }

    func take() -> [String] {
        defer { said = [] }
        return said
    }
}

@Suite("Answers") struct AnswersTests {
    private let voice = FakeVoice()

    private func bench(_ manner: VoiceManner = .always, _ names: [String] = ["a", "b", "c"]) -> Bench {
        let bench = Bench()
        for name in names { bench.add(name) }
        bench.speaker.listening.rewind.wallMinute = { nil }
        bench.speaker.audience.answers = Answers(voice, manner, timers: bench.timers)
        _ = bench.said()
        return bench
    }

    /// As a hand does it, and not the speaker by itself.
    private func press(_ bench: Bench, _ commands: Command...) -> [String] {
        for command in commands { bench.speaker.perform(command, asked: bench.timers.now) }
        return voice.take()
    }

    @Test func whatHasTheFocusOfAScreenIsSaid() {
        let bench = bench(.menu)
        bench.speaker.sayFocus("Emma", "3 h 20 min", "opens it", isSelected: false)
        bench.speaker.sayFocus("Light", "", "", isSelected: true)
        #expect(voice.take() == ["Emma, 3 h 20 min. opens it.", "Light, chosen."])
    }

    @Test func theWifiIsSaidOnceAndNeverOverAStory() {
        let bench = bench(.menu)
        bench.press(.play)
        bench.speaker.tell(wifi: .wifiOpen("bedside"))
        #expect(voice.announced.isEmpty && bench.said() == [.wifiOpen("bedside")])
        bench.press(.pause)
        for _ in 1...3 { bench.speaker.tell(wifi: .wifiOpen("bedside")) }
        bench.speaker.tell(wifi: .wifiJoined)
        let announced = voice.announced.map { if case .text(let text) = $0 { text } else { "" } }
        #expect(announced == ["Join Wi-Fi bedside", "Wi-Fi joined"])
        #expect(bench.said() == Array(repeating: .wifiOpen("bedside"), count: 3) + [.wifiJoined])
    }

    // MARK: Sticks

    private func benchWithStick(_ manner: VoiceManner = .always) -> (bench: Bench, stick: [Item.ID]) {
        let bench = bench(manner)
        let first = bench.add("River Bank", folder: "/books/stick/A River Bank", language: "fr")
        return (bench, first + bench.add("Otters", folder: "/books/stick/Otters", language: "fr"))
    }

    @Test func playStartsAStickThatWasPluggedIn() {
        let (bench, _) = benchWithStick()
        bench.speaker.libraryDidMount("/books/stick")
        #expect(voice.take() == ["\u{1}fr\u{2}A River Bank\u{3}, from the stick."])
        #expect(bench.title == "River Bank" && !bench.speaker.wantsToPlay)
        bench.press(.play)
        #expect(bench.title == "River Bank" && bench.player.wantsToPlay)
    }

    /// As recorders call files and folders.
    @Test func aStickWithoutNamesIsCalledByItsOwn() {
        let bench = bench(.always)
        bench.add("0001", "0002", folder: "/books/BLUE/01")
        bench.speaker.libraryDidMount("/books/BLUE")
        #expect(voice.take() == ["BLUE, from the stick."])
    }

    @Test func itIsTheBookThatWasHeardLastOfIt() {
        let (bench, stick) = benchWithStick()
        _ = bench.speaker.play(stick[1], fromMilliseconds: 30_000, asked: nil)
        bench.press(.pause)
        _ = bench.speaker.play(1, fromMilliseconds: 20_000, asked: nil)
        bench.press(.pause)
        _ = voice.take()
        bench.speaker.libraryDidMount("/books/stick")
        #expect(voice.take() == ["\u{1}fr\u{2}Otters\u{3}, from the stick."])
        #expect(bench.title == "Otters" && bench.player.positionMilliseconds == 30_000)
    }

    @Test func whatPlaysGoesOnWhenAStickIsPluggedIn() {
        let (bench, _) = benchWithStick()
        bench.press(.play)
        _ = voice.take()
        bench.speaker.libraryDidMount("/books/stick")
        #expect(voice.take().count == 1 && bench.title == "a" && bench.player.wantsToPlay)
    }

    @Test func aStickThatComesBackKeepsItsPlace() {
        let (bench, stick) = benchWithStick()
        _ = bench.speaker.play(stick[1], fromMilliseconds: 30_000, asked: nil)
        bench.press(.pause)
        bench.player.positionMilliseconds = 31_000
        bench.speaker.libraryDidMount("/books/stick")
        #expect(bench.title == "Otters" && bench.player.positionMilliseconds == 31_000)
    }

    @Test func aStickIsNotOfferedWhereThatIsSwitchedOffOrNothingIsOnIt() {
        let (bench, _) = benchWithStick()
        bench.speaker.libraryDidMount("/books/stic")
        bench.speaker.libraryDidMount("/books/other")
        bench.speaker.rules.takesSticks = false
        bench.speaker.libraryDidMount("/books/stick")
        #expect(voice.take().isEmpty && bench.title == "a")
        let (quiet, _) = benchWithStick(.menu)
        quiet.speaker.libraryDidMount("/books/stick")
        #expect(voice.take().isEmpty && quiet.title == "River Bank")
    }

    @Test func languagesAreNamedInManyWays() {
        for tag in ["de", "DE", "deu", "ger", "German", "deutsch", "de-AT", "de_DE", "ger-x"] {
            #expect(languageCode(tag) == "de", "\(tag)")
        }
        #expect(languageCode("Français") == "fr" && languageCode("XXX") == "" && languageCode("") == "")
        for odd in ["d", "-", "de ", "|", "de deu", "xx|en", "\u{1F319}", "english\u{0}"] {
            #expect(languageCode(odd) == "", "\(odd)")
        }
    }

    @Test func aTitleIsOfTheLanguageOfItsTags() {
        let bench = bench(.always, [])
        bench.teach([0, 5000, 10_000])
        for tag in ["eng", "", "French"] { bench.add("T" + tag, folder: "/" + tag, language: tag) }
        func marked(_ text: String, _ language: String) -> String { "\u{1}\(language)\u{2}\(text)\u{3}" }
        #expect(press(bench, .play) == ["Playing."])
        #expect(press(bench, .next) == [marked("Chapter 2", "en") + "."])
        #expect(
            press(bench, .pause, .next, .next) == ["Paused.", marked("Chapter 3", "en") + ".", "T. Chapter 1. Paused."])
        let what = press(bench, .next, .next, .next, .say).last ?? ""
        #expect(what.hasPrefix(marked("TFrench", "fr") + ". " + marked("Chapter 1", "fr") + ". Paused."), "\(what)")
        // In the menu, too.
        _ = press(bench, .menu(.open))
        while bench.showing.menu?.entry.title != "Books" { _ = press(bench, .menu(.next)) }
        let all = [press(bench, .menu(.choose))] + (0..<2).map { _ in press(bench, .menu(.next)) }
        #expect(
            all.joined().contains { $0.contains("\u{1}fr\u{2}") }
                && all.joined().contains { $0.contains("\u{1}en\u{2}") })
    }

    @Test func whatAPersonCausesIsAnswered() {
        let bench = bench()
        #expect(press(bench, .play) == ["Playing."])
        #expect(press(bench, .playPause) == ["Paused."] && press(bench, .playPause) == ["Playing."])
        #expect(press(bench, .next) == ["b."])
        #expect(press(bench, .toggleFavourite) == ["Added to Favorites."])
        #expect(press(bench, .toggleFavourite) == ["Removed from Favorites."])
        #expect(press(bench, .pause, .next) == ["Paused.", "c. Paused."])
        #expect(press(bench, .next) == ["Last item."])
        #expect(press(bench, .setVolume(percent: 98), .volume(step: 5)) == [])
        #expect(press(bench, .volume(step: 5)) == ["Volume at its highest."])
        #expect(press(bench, .sleep(.minutes(90))) == ["Sleep timer 1 hour 30 minutes."])
        #expect(press(bench, .sleepStep) == ["Sleep timer end of chapter."])
        #expect(press(bench, .sleepStep) == ["Sleep timer off."])
        #expect(press(bench, .speed(step: 25)) == ["Speed 1.25 times."])
        // Audible effects are not announced; each press interrupts the present sentence.
        let hushes = voice.hushes
        #expect(press(bench, .skip(milliseconds: 5000), .setVolume(percent: 30), .none) == [])
        #expect(voice.hushes == hushes + 3)
    }

    /// A choice in the spoken menu announces its effect.
    @Test func whatIsChosenIsTold() {
        let bench = bench()
        bench.teach([0, 20_000, 40_000])
        bench.speaker.listening.readChapters()
        #expect(press(bench, .menu(.open)).last?.hasPrefix("Menu.") == true)
        while bench.speaker.menu.status?.entry.title != "Chapters" { _ = press(bench, .menu(.next)) }
        _ = press(bench, .menu(.choose))
        #expect(press(bench, .menu(.choose)).last?.hasPrefix("a.") == true)
        #expect(SpokenWords.days(.workdays) == "Monday to Friday" && SpokenWords.days(.daily) == "every day")
        #expect(SpokenWords.days(AlarmDays(bits: 0b1000101)) == "Monday, Wednesday, Sunday")
    }

    @Test func nothingIsSaidUnasked() {
        let bench = bench()
        #expect(press(bench, .play) == ["Playing."])
        bench.player.reachEnd()
        bench.press(.next, .pause, .play, .toggleFavourite)
        bench.speaker.setSleep(.minutes(5))
        #expect(voice.take() == ["Added to Favorites."])
        bench.timers.pass(milliseconds: 15_000)
        bench.press(.toggleFavourite)
        #expect(voice.take() == [])
    }

    @Test func theMenuIsSpoken() {
        let bench = bench()
        _ = press(bench, .play)
        #expect(press(bench, .menu(.open), .menu(.leave)).last == "Menu closed.")
        bench.teach([0, 20_000, 40_000])
        bench.speaker.listening.readChapters()
        let opened = press(bench, .menu(.open))
        #expect(opened.count == 1 && opened[0].hasPrefix("Menu. "))
        #expect(press(bench, .menu(.previous)) == ["First."])
        for _ in 0..<20 where bench.showing.menu?.entry.choice != .list(.chapters) {
            bench.timers.pass(milliseconds: 500)
            _ = press(bench, .menu(.next))
        }
        #expect(press(bench, .menu(.choose)) == ["Chapters, 3. Chapter 1, 20 seconds, chosen."])
        bench.timers.pass(milliseconds: 500)
        #expect(press(bench, .menu(.next)) == ["Chapter 2, 20 seconds."])
        #expect(press(bench, .menu(.back)) != [])
        _ = press(bench, .menu(.choose), .menu(.next))
        #expect(press(bench, .menu(.choose)) == ["Chapter 2."])
    }

    @Test func whoeverAsksIsTold() {
        let bench = bench(.menu)
        #expect(press(bench, .say) == ["a. Paused. 1 minute left in this part. 3 minutes left in the book."])
        #expect(press(bench, .play) == [])
        bench.player.positionMilliseconds = 15_000
        #expect(press(bench, .say) == ["a. 45 seconds left in this part. 3 minutes left in the book."])
        bench.teach([0, 20_000])
        bench.speaker.listening.readChapters()
        bench.speaker.listening.rewind.wallMinute = { 6 * 60 + 5 }
        // The 28th of November 2026.
        bench.speaker.listening.rewind.wallDay = { 20_785 }
        _ = press(bench, .sleep(.minutes(30)), .pause)
        #expect(
            press(bench, .say) == [
                "a. Chapter 1. Paused. It is 6:05, Saturday, in the morning. 5 seconds left in the chapter. 45 seconds left in this part. "
                    + "3 minutes left in the book. Sleep timer, 30 minutes left."
            ])
        _ = press(bench, .speed(step: 100))
        #expect(
            press(bench, .say).first?.contains("3 minutes left in the book, 1 minute at this speed.") == true)
        // It neither plays on nor leaves the menu.
        #expect(!bench.player.wantsToPlay)
        _ = press(bench, .menu(.open))
        #expect(press(bench, .say).count == 1 && bench.speaker.isMenuOpen)
    }

    @Test func atNightOnlyWhatIsAskedFor() {
        for (minute, expected) in [(23 * 60, [String]()), (12 * 60, ["Playing."])] {
            let bench = bench(.byDay)
            bench.speaker.rules.night = PlayingRules.Night(
                hours: NightHours(from: 22 * 60, to: 7 * 60), sleep: .off, startPercent: 100, mostPercent: 100)
            bench.speaker.listening.rewind.wallMinute = { minute }
            #expect(press(bench, .play) == expected)
            #expect(press(bench, .menu(.open)).count == 1 && press(bench, .say).count == 1)
        }
    }

    @Test func whatGoesWrongIsToldOnce() {
        let bench = bench()
        _ = press(bench, .play)
        bench.removeDisk()
        bench.player.fail()
        bench.pass(milliseconds: 100)
        bench.speaker.troubleMayHaveChanged()
        bench.speaker.troubleMayHaveChanged()
        #expect(Set(voice.take()) == ["File is missing."])
        bench.speaker.troubleMayHaveChanged()
        #expect(voice.take() == [])
    }

    @Test func lengthsAsPeopleSayThem() {
        for (milliseconds, words) in [
            (Int64.min, "0 seconds"), (-1, "0 seconds"), (0, "0 seconds"), (1999, "1 second"), (59_999, "59 seconds"),
            (60_000, "1 minute"), (89_999, "1 minute"), (90_000, "2 minutes"), (3_569_999, "59 minutes"),
            (3_570_000, "1 hour"), (3_600_000, "1 hour"), (12_000_000, "3 hours 20 minutes"),
            (7_260_000, "2 hours 1 minute"), (.max, "2562047788015 hours 13 minutes"),
        ] { #expect(SpokenWords.length(milliseconds: milliseconds) == words) }
        #expect(SpokenWords.sentences(["", "One", "", "Two?", "Three."]) == "One. Two? Three.")
        #expect(SpokenWords.time(minute: 0, day: nil) == "It is 0:00, at night")
        #expect(SpokenWords.time(minute: 1079, day: 0) == "It is 17:59, Thursday, in the evening")
    }
}
