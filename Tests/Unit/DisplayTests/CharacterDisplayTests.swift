// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import TestSupport
import Testing

@testable import Display

/// A display on a mock glass, with the clock in the test's hand.
private struct Bench {
    let glass: MockGlass
    let display: CharacterDisplay
    let rom: CharacterROM
    var now = MonotonicTime.milliseconds(1_000_000)

    init(_ columns: Int, _ rows: Int, _ rom: CharacterROM = .a00) {
        self.rom = rom
        glass = MockGlass(rom: rom)
        display = CharacterDisplay(columns: columns, rows: rows, rom: rom, surface: glass)
    }

    var picture: [String] { DisplayTests.picture(glass.cells, columns: display.columns, rom: rom) }

    func show(_ showing: SpeakerStatus) { display.show(showing, at: now) }

    /// Lets time pass as the control thread does: sleeping until each next change.
    mutating func pass(milliseconds: Int) {
        let end = now.adding(milliseconds: milliseconds)
        while let next = display.nextChange, next <= end {
            now = next
            display.refresh(at: now)
        }
        now = end
    }
}

private let alice = SpeakerStatus(
    title: "Alice in Wonderland", artist: "Lewis Carroll", state: .playing, positionMilliseconds: 754_000,
    durationMilliseconds: 3_464_000)

@Suite("The menu on the glass") struct MenuPictures {
    private func showing(_ entry: MenuEntry, _ list: MenuList = .books, index: Int = 2, of count: Int = 24)
        -> SpeakerStatus
    {
        var showing = alice
        showing.menu = MenuStatus(list: list, entry: entry, index: index, count: count)
        return showing
    }

    @Test func sixteenByTwo() {
        var bench = Bench(16, 2)
        bench.show(alice)
        bench.show(showing(MenuEntry(.book(1), "The River Bank")))
        #expect(bench.picture == ["Books       3/24", "The River Bank  "])
        // Longer than a row: page by page, with what else is known behind it.
        bench.show(
            showing(
                MenuEntry(
                    .book(1), "The Wind in the Willows", heardMilliseconds: 3_600_000, durationMilliseconds: 9_000_000))
        )
        var rows: [String] = []
        for _ in 0..<4 {
            rows.append(bench.picture[1])
            bench.pass(milliseconds: 3000)
        }
        #expect(rows.joined(separator: "|").contains("The Wind in"))
        #expect(rows.joined(separator: " ").contains("40%"))
        #expect(bench.picture[0] == "Books       3/24")
        bench.show(showing(MenuEntry(.list(.podcasts), "Podcasts"), .menu, index: 0, of: 9))
        #expect(bench.picture == ["Menu         1/9", "Podcasts        "])
        // A name that is longer than there is room for, and a place of many digits.
        bench.show(
            showing(
                MenuEntry(.speed(Speed(percent: 150)), "1.5x", isCurrent: true),
                .episodes(1, title: "A podcast with a name"), index: 49_998, of: 50_000))
        #expect(bench.picture == ["A po 49999/50000", "1.5x *          "])
        bench.show(alice)
        #expect(bench.picture[0].hasPrefix("▶ Alice"))
    }

    @Test func aWordAboveIt() {
        var bench = Bench(16, 2)
        bench.show(showing(MenuEntry(.book(1), "The River Bank")))
        bench.display.announce(.lastItem, at: bench.now)
        #expect(bench.picture == ["Books       3/24", "Last item       "])
        bench.pass(milliseconds: 2000)
        #expect(bench.picture == ["Books       3/24", "The River Bank  "])
        // The next entry does not wait for it.
        bench.display.announce(.lastItem, at: bench.now)
        bench.show(showing(MenuEntry(.book(2), "Mole"), index: 1))
        #expect(bench.picture == ["Books       2/24", "Mole            "])
        #expect(bench.display.nextChange == nil)
    }

    @Test func otherSizes() {
        let entry = MenuEntry(.book(1), "The River Bank", heardMilliseconds: 3_600_000, durationMilliseconds: 9_000_000)
        let four = Bench(20, 4)
        four.show(showing(entry))
        #expect(
            four.picture == [
                "Books           3/24", "The River Bank      ", "                    ", "2:30:00, 40%        ",
            ])
        var one = Bench(8, 1)
        one.show(showing(MenuEntry(.sleep(.off), "off", isCurrent: true), .sleep))
        #expect(one.picture == ["off *   "])
        one.pass(milliseconds: 60_000)
        #expect(one.picture == ["off *   "])
    }
}

@Suite struct Pictures {
    /// The name of a stick becomes known a moment after its file has failed.
    @Test func theNameOfAStickThatIsFoundOutLater() {
        let bench = Bench(16, 2)
        var showing = SpeakerStatus(state: .playing, trouble: .fileMissing)
        bench.show(showing)
        #expect(bench.picture.last == "File is missing ")
        showing.missingStick = "STICK"
        bench.show(showing)
        #expect(bench.picture.joined().contains("STICK is missing"))
    }

    /// A number that grows does not hold its pages up, nor does it draw more than its digits.
    @Test func sixteenByTwoWhileTheLibraryIsLookedThrough() {
        var bench = Bench(16, 2)
        var showing = SpeakerStatus(state: .stopped, trouble: .lookingForAudio)
        bench.show(showing)
        #expect(bench.picture == ["Looking for     ", "audio           "])
        for (files, words) in [(9, "9"), (1204, "1,204"), (50_000, "50,000"), (1_234_567, "1,234,567")] {
            showing.filesSeen = files
            bench.pass(milliseconds: 1000)
            bench.show(showing)
            let row = "audio " + words
            #expect(bench.picture == ["Looking for     ", row + String(repeating: " ", count: 16 - row.count)])
        }
        let written = bench.glass.cellsWritten
        showing.filesSeen = 1_234_568
        bench.show(showing)
        #expect(bench.glass.cellsWritten == written + 1)
        bench.show(showing)
        #expect(bench.glass.cellsWritten == written + 1)
        // Beside an item its title stays, and the words turn below it for as long as they are true.
        showing.trouble = nil
        showing.title = "Under the Lamp"
        showing.filesSeen = 1204
        showing.state = .paused
        bench.show(showing)
        var seen: Set<String> = []
        for second in 0..<60 {
            bench.pass(milliseconds: 1000)
            showing.filesSeen = 1204 + second
            bench.show(showing)
            #expect(bench.picture[0].contains("Lamp"))
            seen.insert(bench.picture[1])
        }
        #expect(seen.contains("Looking for     ") && seen.contains("audio 1,262     "))
        showing.filesSeen = nil
        bench.show(showing)
        #expect(!bench.picture[1].contains("audio"))
        #expect(bench.glass.mistakes.isEmpty)
    }

    @Test func sixteenByTwoWithTranscript() {
        var bench = Bench(16, 2)
        var showing = alice
        showing.segment = .init(
            text: "Alice was beginning to     very tired of sitting by her sister on the bank.",
            startMilliseconds: 754_000, endMilliseconds: 759_000)
        bench.show(showing)
        #expect(bench.picture == ["▶ Alice in      ", "Alice was       "])
        bench.pass(milliseconds: 1000)
        #expect(bench.picture == ["▶ Alice in      ", "beginning to    "])
        bench.pass(milliseconds: 1000)
        #expect(bench.picture == ["▶ Alice in      ", "very tired of   "])
        bench.pass(milliseconds: 1000)
        #expect(bench.picture == ["▶ Alice in      ", "sitting by      "])
        bench.pass(milliseconds: 700)
        #expect(bench.picture == ["▶ Alice in      ", "her sister on   "])
        bench.pass(milliseconds: 1200)
        #expect(bench.picture == ["▶ Alice in      ", "the bank.       "])
        // Due after 6 s, the title waits for the end of the words' time.
        bench.pass(milliseconds: 2000)
        #expect(bench.picture == ["▶ Alice in      ", "the bank.       "])
        bench.pass(milliseconds: 200)
        #expect(bench.picture == ["▶ Wonderland    ", "the bank.       "])
        bench.pass(milliseconds: 3000)
        #expect(bench.picture == ["▶ Alice in      ", "the bank.       "])
        #expect(bench.glass.mistakes == [])
    }

    @Test func twentyByFour() {
        var bench = Bench(20, 4)
        var showing = alice
        showing.isFavourite = true
        showing.title = "Alice"
        showing.segment = .init(
            text: "“What is the use of a book,” thought Alice, “without pictures?”",
            startMilliseconds: 752_000, endMilliseconds: 757_000)
        bench.show(showing)
        #expect(
            bench.picture == [
                "▶ Alice            ♥",
                "\"What is the use of ",
                "a book,\" thought    ",
                "12:34 █▍      -45:10",
            ])
        bench.pass(milliseconds: 1000)
        #expect(
            bench.picture == [
                "▶ Alice            ♥",
                "Alice, \"without     ",
                "pictures?\"          ",
                "12:35 █▍      -45:09",
            ])
        showing.state = .paused
        showing.positionMilliseconds = 755_000
        bench.show(showing)
        #expect(bench.picture[0] == "⏸ Alice            ♥")
        #expect(bench.display.nextChange == nil)
        #expect(bench.glass.mistakes == [])
    }

    @Test func withoutTranscriptTheArtistThenTheTimes() {
        var bench = Bench(16, 2)
        bench.show(alice)
        #expect(bench.picture == ["▶ Alice in      ", "Lewis Carroll   "])
        bench.pass(milliseconds: 4000)
        #expect(bench.picture == ["▶ Alice in      ", "12:38 ▊   -45:06"])
        var tall = Bench(20, 4)
        tall.show(alice)
        #expect(
            tall.picture == [
                "▶ Alice in          ", "Lewis Carroll       ", "                    ", "12:34 █▍      -45:10",
            ])
        tall.pass(milliseconds: 60_000)
        #expect(tall.picture[1] == "Lewis Carroll       ")
        #expect(tall.picture[3] == "13:34 █▋      -44:10")
    }

    @Test func hoursFitToo() {
        let book = SpeakerStatus(
            title: "War and Peace", state: .playing, positionMilliseconds: 35_940_000, durationMilliseconds: 36_000_000)
        var bench = Bench(20, 4)
        bench.show(book)
        #expect(bench.picture[3] == " 9:59:00██▊    -1:00")
        bench.pass(milliseconds: 100_000)
        #expect(bench.picture[3].hasPrefix("10:00:00"), "\(bench.picture[3])")
        #expect(bench.display.nextChange == nil)
    }

    @Test func aFavouriteAndItsMessage() {
        var bench = Bench(16, 2)
        var showing = alice
        showing.title = "Alice"
        showing.artist = ""
        showing.segment = .init(text: "Oh dear!", startMilliseconds: 754_000, endMilliseconds: 764_000)
        bench.show(showing)
        showing.isFavourite = true
        bench.show(showing)
        bench.display.announce("Added to Favorites", at: bench.now)
        // Too long for one row: both, so that it is read at one glance.
        #expect(bench.picture == ["Added to        ", "Favorites       "])
        bench.pass(milliseconds: 1999)
        #expect(bench.picture == ["Added to        ", "Favorites       "])
        bench.pass(milliseconds: 1)
        #expect(bench.picture == ["▶ Alice        ♥", "Oh dear!        "])
        #expect(bench.glass.mistakes == [])

        bench.display.announce("Favorites are full: remove one to add another", at: bench.now)
        #expect(bench.picture == ["Favorites are   ", "full: remove    "])
        bench.pass(milliseconds: 2000)
        #expect(bench.picture == ["one to add      ", "another         "])
        bench.pass(milliseconds: 2000)
        #expect(bench.picture == ["▶ Alice        ♥", "Oh dear!        "])
        bench.display.announce("", at: bench.now)
        bench.display.announce("🙂", at: bench.now)
        #expect(bench.picture == ["▶ Alice        ♥", "Oh dear!        "])

        var tall = Bench(20, 4)
        tall.show(showing)
        tall.display.announce("Added to Favorites", at: tall.now)
        #expect(tall.picture[1...2] == ["Added to Favorites  ", "                    "])
        tall.pass(milliseconds: 1999)
        #expect(tall.picture[1] == "Added to Favorites  ")
        tall.pass(milliseconds: 1)
        #expect(tall.picture[1] == "Oh dear!            ")
    }

    @Test func aMessageStandsWhilePausedAndGoesByItself() {
        var bench = Bench(16, 2)
        var showing = alice
        showing.title = "Alice"
        showing.state = .paused
        bench.show(showing)
        bench.pass(milliseconds: 10_000)
        bench.display.announce("Already in", at: bench.now)
        #expect(bench.picture[1] == "Already in      ")
        #expect(bench.display.nextChange == bench.now.adding(milliseconds: 2000))
        bench.pass(milliseconds: 2000)
        #expect(bench.picture[1] == "12:34 ▊   -45:10")
        #expect(bench.display.nextChange == nil)
    }

    @Test func theVolumeIsShownWhenItChanges() {
        var bench = Bench(16, 2)
        var showing = alice
        showing.volumePercent = 50
        bench.show(showing)
        #expect(bench.picture[1] == "Lewis Carroll   ")
        showing.volumePercent = 60
        bench.show(showing)
        #expect(bench.picture[1] == "Vol ████▎    60%")
        showing.volumePercent = 100
        bench.show(showing)
        #expect(bench.picture[1] == "Vol ███████ 100%")
        bench.pass(milliseconds: 4000)
        #expect(bench.picture[1] == "12:38 ▊   -45:06")
        for columns in 8...40 {
            let narrow = Bench(columns, 2)
            narrow.show(SpeakerStatus(volumePercent: 3))
            narrow.show(SpeakerStatus(volumePercent: 4))
            #expect(narrow.picture[1].hasPrefix("Vol") && narrow.picture[1].hasSuffix(" 4%"))
        }
    }

    @Test func aSpeedThatIsNotItsOwnIsShown() {
        var bench = Bench(20, 2)
        var showing = alice
        bench.show(showing)
        bench.pass(milliseconds: 10_000)
        #expect(bench.picture[0].hasPrefix("▶ Alice in"))
        showing.positionMilliseconds += 10_000
        showing.speed = Speed(percent: 150)
        bench.show(showing)
        #expect(bench.picture[1] == "Speed 1.5           ")
        #expect(bench.picture[0].hasSuffix(" 1.5x"))
        // The clock goes with it.
        bench.pass(milliseconds: 4000)
        #expect(bench.picture[1].hasPrefix("12:50 "))
        showing.isFavourite = true
        showing.positionMilliseconds += 6000
        bench.show(showing)
        #expect(bench.picture[0].hasSuffix(" 1.5x ♥"))
        showing.speed = Speed(percent: 100)
        bench.show(showing)
        #expect(bench.picture[1] == "Speed 1             " && !bench.picture[0].contains("x"))
    }

    @Test func theSleepTimerIsToldWhenItIsSet() {
        var bench = Bench(20, 2)
        var showing = alice
        bench.show(showing)
        bench.pass(milliseconds: 10_000)
        showing.positionMilliseconds += 10_000
        showing.sleep = .minutes(30)
        bench.show(showing)
        #expect(bench.picture[1] == "Sleep: 30 min       ")
        bench.pass(milliseconds: 4000)
        #expect(!bench.picture[1].contains("Sleep"))
        showing.sleep = .off
        bench.show(showing)
        #expect(bench.picture[1] == "Sleep: off          ")
        showing.sleep = .chapter
        bench.show(showing)
        bench.pass(milliseconds: 10_000)
        // The end of the timer has no message.
        showing.sleep = .off
        showing.state = .paused
        bench.show(showing)
        #expect(!bench.picture[1].contains("Sleep"))
    }

    @Test func waitingSaysForWhat() {
        var bench = Bench(16, 2)
        bench.show(SpeakerStatus(wait: .library))
        #expect(bench.picture == ["! Nightstand    ", "Waiting for     "])
        bench.pass(milliseconds: 3000)
        #expect(bench.picture == ["! Nightstand    ", "the library     "])
        bench.pass(milliseconds: 600_000)
        #expect(bench.picture == ["! Nightstand    ", "Waiting for     "])
        #expect(bench.display.nextChange == nil)
        bench.show(SpeakerStatus(title: "Alice", state: .playing, wait: .device))
        bench.pass(milliseconds: 3000)
        #expect(bench.picture == ["! Alice         ", "sound device    "])
        bench.show(SpeakerStatus(title: "Alice", state: .stopped, trouble: .noAudioFound))
        #expect(bench.picture == ["█ Alice         ", "No audio found  "])
    }

    @Test func oneAndThreeRowsAndNarrowGlass() {
        var line = alice
        line.segment = .init(
            text: "Oh dear! Oh dear! I am late!", startMilliseconds: 754_000, endMilliseconds: 756_000)
        var one = Bench(16, 1)
        one.show(alice)
        #expect(one.picture == ["▶ Alice in      "])
        one.show(line)
        #expect(one.picture == ["Oh dear! Oh     "])
        one.pass(milliseconds: 1500)
        #expect(one.picture == ["dear! I am late!"])
        let three = Bench(16, 3)
        three.show(line)
        #expect(three.picture[2] == "12:34 ▊   -45:10")
        let narrow = Bench(8, 2)
        narrow.show(alice)
        #expect(narrow.picture == ["▶Alice  ", "Lewis   "])
    }

    @Test func sizesBeyondReasonAreBroughtIntoRange() {
        let large = Bench(500, 99)
        large.show(alice)
        #expect(large.glass.columns == 40 && large.glass.rows == 4)
        let small = Bench(0, -1)
        small.show(alice)
        #expect(small.glass.columns == 8 && small.glass.rows == 1)
    }
}

@Suite struct Time {
    @Test func aSeekIntoTheMiddleShowsTheRightPageAtOnce() {
        let text = "one two three four five six seven eight nine ten eleven twelve"
        for offset in stride(from: 0, through: 10_000, by: 250) {
            let showing = SpeakerStatus(
                title: "T", state: .paused, positionMilliseconds: 50_000 + offset, durationMilliseconds: 100_000,
                segment: .init(text: text, startMilliseconds: 50_000, endMilliseconds: 60_000))
            let seeked = Bench(16, 2)
            seeked.show(showing)
            var played = Bench(16, 2)
            var start = showing
            start.state = .playing
            start.positionMilliseconds = 50_000
            played.show(start)
            played.pass(milliseconds: offset)
            #expect(seeked.picture[1] == played.picture[1])
        }
    }

    @Test func aLineLingersInThePauseAfterItAndNotAfterASeek() {
        var bench = Bench(16, 2)
        var showing = alice
        showing.segment = .init(text: "Oh dear!", startMilliseconds: 754_000, endMilliseconds: 756_000)
        bench.show(showing)
        bench.pass(milliseconds: 2000)
        showing.segment = nil
        showing.positionMilliseconds = 756_000
        bench.show(showing)
        #expect(bench.picture[1] == "Oh dear!        ")
        bench.pass(milliseconds: 1999)
        #expect(bench.picture[1] == "Oh dear!        ")
        bench.pass(milliseconds: 1)
        #expect(bench.picture[1] == "12:38 ▊   -45:06")

        showing.segment = .init(text: "I shall be late!", startMilliseconds: 760_000, endMilliseconds: 761_000)
        showing.positionMilliseconds = 760_000
        bench.show(showing)
        #expect(bench.picture[1] == "I shall be late!")
        showing.segment = nil
        showing.positionMilliseconds = 600_000
        bench.show(showing)
        #expect(bench.picture[1] == "10:00 ▋   -47:44")
    }

    @Test func aLineLingersThoughTheSoundIsALittleAheadOfTheClock() {
        for ahead in stride(from: -90, through: 90, by: 10) {
            var bench = Bench(16, 2)
            var showing = alice
            showing.segment = .init(text: "Oh dear!", startMilliseconds: 754_000, endMilliseconds: 756_000)
            bench.show(showing)
            bench.pass(milliseconds: 2000 - ahead)
            showing.segment = nil
            showing.positionMilliseconds = 756_001
            bench.show(showing)
            bench.pass(milliseconds: 1000)
            #expect(bench.picture[1] == "Oh dear!        ")
            bench.pass(milliseconds: 1200)
            #expect(bench.picture[1].hasPrefix("12:38"))
        }
    }

    @Test func secondsNeitherTrembleNorDrift() {
        var dice = SeededGenerator(seed: 5)
        var bench = Bench(20, 4)
        var showing = alice
        bench.show(showing)
        let start = bench.now
        var last = ""
        for _ in 0..<500 {
            bench.pass(milliseconds: dice.roll(1...400))
            showing.positionMilliseconds = 754_000 + Int(bench.now.milliseconds(since: start)) + dice.roll(-60...60)
            bench.show(showing)
            let elapsed = String(bench.picture[3].prefix(5))
            #expect(elapsed >= last)
            last = elapsed
            let seconds = 754 + Int(bench.now.milliseconds(since: start)) / 1000
            #expect(elapsed == String(decoding: ProgressRow.clock(seconds), as: UTF8.self))
        }
    }

    @Test func aLongTitleTurnsWithTheClockAtNoWakeUpOfItsOwn() {
        var bench = Bench(20, 4)
        var showing = alice
        showing.title = "The Life and Strange Surprizing Adventures of Robinson Crusoe"
        showing.positionMilliseconds = 754_321
        bench.show(showing)
        let start = bench.now
        var titles: Set<String> = []
        for second in 1...60 {
            titles.insert(bench.picture[0])
            guard let next = bench.display.nextChange else { break }
            #expect(next.milliseconds(since: start) == second * 1000 - 321)
            bench.now = next
            bench.display.refresh(at: next)
        }
        #expect(titles.count == 4, "\(titles)")
    }

    @Test func aLongTitleTurnsWithTheNextWords() {
        var bench = Bench(16, 2)
        var showing = alice
        showing.title = "The Life and Strange Surprizing Adventures of Robinson Crusoe"
        // Four pages of words in eight seconds. The title's turns are due after 6 and 9 s.
        showing.segment = .init(
            text: "One two three... four five six... seven eight nine ten eleven.", startMilliseconds: 754_321,
            endMilliseconds: 762_321)
        showing.positionMilliseconds = 754_321
        bench.show(showing)
        let start = bench.now
        var pictures: [[String]] = []
        var times: [Int64] = []
        while let next = bench.display.nextChange, next.milliseconds(since: start) <= 10_000 {
            bench.now = next
            bench.display.refresh(at: next)
            times.append(next.milliseconds(since: start))
            pictures.append(bench.picture)
        }
        // With the last words, half a second late, and when those have stood for two seconds more.
        #expect(times == [2158, 4317, 6476, 10_000])
        #expect(pictures[1][0] == "▶ The Life      ")
        #expect(pictures[2] == ["▶ and Strange   ", "ten eleven.     "])
        #expect(pictures[3][0] == "▶ Surprizing    ")
    }

    @Test func titlesStopTurningWhenNothingPlays() {
        for (state, wait) in [
            (SpeakerStatus.State.paused, nil), (.stopped, nil), (.playing, SpeakerStatus.Wait.device),
        ] {
            var bench = Bench(16, 2)
            var showing = alice
            showing.title = "The Life and Strange Surprizing Adventures of Robinson Crusoe, of York, Mariner"
            showing.state = state
            showing.wait = wait
            bench.show(showing)
            var wakeUps = 0
            while let next = bench.display.nextChange, wakeUps < 1000 {
                wakeUps += 1
                bench.now = next
                bench.display.refresh(at: next)
            }
            #expect(wakeUps > 4 && wakeUps < 40, "\(wakeUps)")
            #expect(bench.picture[0].hasSuffix(" The Life and  "), "\(bench.picture[0])")
        }
    }

    /// Runs `hour` of reading aloud, and plays the part of the control thread: a new value at each start of a segment. Returns the
    /// display's own wake-ups per second.
    private func wakeUps(columns: Int, rows: Int, seed: UInt64) -> (perSecond: Double, wasted: Double) {
        var dice = SeededGenerator(seed: seed)
        let glass = MockGlass(rom: .a02)
        let display = CharacterDisplay(columns: columns, rows: rows, rom: .a02, surface: glass)
        let start = MonotonicTime.milliseconds(77_777)
        var showing = SpeakerStatus(
            title: "The Life and Strange Surprizing Adventures of Robinson Crusoe", artist: "Daniel Defoe",
            state: .playing, durationMilliseconds: 4_000_000)
        let hour = 3_600_000
        var count = 0
        var wasted = 0

        func play(until position: Int) {
            let end = start.adding(milliseconds: position)
            while let next = display.nextChange, next < end {
                count += 1
                let frames = glass.frames
                display.refresh(at: next)
                if glass.frames == frames { wasted += 1 }
                // A wake-up that does not move on would be a busy loop.
                if let after = display.nextChange, after <= next { Issue.record("stands still") }
            }
            showing.positionMilliseconds = position
            display.show(showing, at: end)
        }

        var position = 0
        while position < hour {
            let text = dice.text(words: 3...24)
            // 15 characters a second.
            let length = text.count * 1000 / 15 + 300
            showing.segment = .init(text: text, startMilliseconds: position, endMilliseconds: position + length)
            play(until: position)
            position += length + dice.roll(100...900)
        }
        #expect(glass.mistakes == [])
        return (Double(count) * 1000 / Double(position), Double(wasted) / Double(count))
    }

    @Test(arguments: [(16, 2), (20, 2), (40, 2), (20, 4), (16, 4), (40, 4)])
    func anHourOfSpeechCostsFewWakeUps(columns: Int, rows: Int) {
        let (perSecond, wasted) = wakeUps(columns: columns, rows: rows, seed: 3)
        print("\(columns)x\(rows): \(perSecond) wake-ups/s, \(wasted) of them for nothing")
        #expect(perSecond <= 1.5)
        #expect(wasted <= 0.02)
    }
}

@Suite struct Glass {
    /// Random days of a speaker on one display. Calls `check` after every step.
    private func live(
        seed: UInt64, steps: Int, display: CharacterDisplay,
        check: (CharacterDisplay, MonotonicTime, inout SeededGenerator) -> Void
    ) {
        var dice = SeededGenerator(seed: seed)
        var showing = SpeakerStatus()
        var now = MonotonicTime.milliseconds(dice.roll(1...1_000_000_000))
        for _ in 0..<steps {
            if dice.once(in: 8) { showing.title = dice.text(words: 0...8) }
            if dice.once(in: 12) { showing.artist = dice.text(words: 0...3) }
            if dice.once(in: 6) {
                showing.state = dice.pick([.playing, .playing, .playing, .paused, .stopped])
                showing.wait = dice.pick([nil, nil, nil, .device, .library])
            }
            if dice.once(in: 10) { showing.durationMilliseconds = dice.pick([nil, dice.roll(0...40_000_000)]) }
            if dice.once(in: 4) { showing.positionMilliseconds = dice.roll(0...40_000_000) }
            if dice.once(in: 9) { showing.isFavourite.toggle() }
            if dice.once(in: 12) { showing.filesSeen = dice.pick([nil, dice.roll(0...2_000_000)]) }
            if dice.once(in: 15) { showing.trouble = dice.pick([nil, nil, dice.pick(Trouble.allCases)]) }
            if dice.once(in: 15) { showing.volumePercent = dice.pick([nil, dice.roll(0...100)]) }
            if dice.once(in: 3) {
                let start = max(0, showing.positionMilliseconds - dice.roll(0...8000))
                showing.segment = dice.pick([
                    nil,
                    .init(
                        text: dice.text(words: 0...30), startMilliseconds: start,
                        endMilliseconds: start + dice.roll(0...12_000)),
                ])
            }
            switch dice.roll(1...10) {
            case 1: display.announce(dice.text(words: 0...9), at: now)
            case 2...6: display.show(showing, at: now)
            default: display.refresh(at: now)
            }
            check(display, now, &dice)
            if let next = display.nextChange, dice.once(in: 2) {
                now = next
            } else {
                now = now.adding(milliseconds: dice.roll(0...3000))
            }
        }
    }

    @Test(arguments: 0..<60) func holdsTheIntendedPictureAndOnlyChangesAreWritten(seed: Int) {
        var dice = SeededGenerator(seed: UInt64(seed) + 1000)
        let rom: CharacterROM = dice.pick([.a00, .a02])
        let glass = MockGlass(rom: rom)
        let display = CharacterDisplay(columns: dice.roll(8...40), rows: dice.roll(1...4), rom: rom, surface: glass)
        live(seed: UInt64(seed), steps: 300, display: display) { display, now, _ in
            #expect(glass.cells == display.intendedCells(at: now))
            if let next = display.nextChange { #expect(next > now) }
        }
        #expect(glass.mistakes == [])
        #expect(glass.frames > 100)
    }

    @Test(arguments: 0..<40) func nextChangeIsNeverLate(seed: Int) {
        var dice = SeededGenerator(seed: UInt64(seed) + 2000)
        let rom: CharacterROM = dice.pick([.a00, .a02])
        let glass = MockGlass(rom: rom)
        let columns = dice.roll(8...40)
        let display = CharacterDisplay(columns: columns, rows: dice.roll(1...4), rom: rom, surface: glass)
        live(seed: UInt64(seed), steps: 200, display: display) { display, now, dice in
            let before = display.intendedCells(at: now)
            let limit = display.nextChange ?? now.adding(milliseconds: 10_000_000)
            let span = Int(limit.nanoseconds - now.nanoseconds)
            let moments = (0..<8).map { _ in dice.roll(0...max(0, span - 1)) } + [max(0, span - 1)]
            for nanoseconds in moments {
                let then = display.intendedCells(at: MonotonicTime(nanoseconds: now.nanoseconds + Int64(nanoseconds)))
                // The title alone may wait up to a second, for what changes then.
                let from = nanoseconds >= span - 1_000_000_000 ? columns : 0
                #expect(before[from...] == then[from...])
            }
        }
    }

    @Test(arguments: 0..<30) func aGlassThatTakesPortionsEndsWithTheSamePicture(seed: Int) {
        var dice = SeededGenerator(seed: UInt64(seed) + 3000)
        let glass = MockGlass(rom: .a00)
        let display = CharacterDisplay(columns: dice.roll(8...40), rows: dice.roll(1...4), rom: .a00, surface: glass)
        live(seed: UInt64(seed), steps: 100, display: display) { display, now, dice in
            glass.cellsPerDraw = dice.roll(1...12)
            var turns = 0
            while let next = display.nextChange, next == now, turns < 1000 {
                display.refresh(at: now)
                turns += 1
            }
            #expect(glass.cells == display.intendedCells(at: now))
        }
        #expect(glass.mistakes == [])
    }

    @Test func aLostGlassIsLookedForWithGrowingPausesAndDrawnAfresh() {
        let glass = MockGlass(rom: .a00)
        glass.refusesToPrepare = true
        let display = CharacterDisplay(columns: 16, rows: 2, rom: .a00, surface: glass)
        var now = MonotonicTime.milliseconds(5)
        display.show(alice, at: now)
        var pauses: [Int] = []
        for _ in 0..<8 {
            guard let next = display.nextChange else { break }
            pauses.append(Int(next.milliseconds(since: now)))
            // In between the display tries nothing, for any events.
            display.announce("x", at: now.adding(milliseconds: 1))
            #expect(display.nextChange == next)
            now = next
            display.refresh(at: now)
        }
        #expect(pauses == [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])

        glass.refusesToPrepare = false
        guard let next = display.nextChange else {
            Issue.record("given up")
            return
        }
        now = next
        display.refresh(at: now)
        #expect(glass.cells == display.intendedCells(at: now))
        glass.failsToDraw = true
        now = now.adding(milliseconds: 10_000)
        display.refresh(at: now)
        #expect(display.nextChange == now.adding(milliseconds: 1000))
        glass.failsToDraw = false
        now = now.adding(milliseconds: 1000)
        display.refresh(at: now)
        #expect(glass.cells == display.intendedCells(at: now))
        #expect(glass.mistakes == [])
    }

    @Test func absurdNumbersDoNoHarm() {
        let numbers = [Int.min, -1, 0, 1, 999, Int.max - 1, Int.max]
        for rows in 1...4 {
            let bench = Bench(16, rows)
            for a in numbers {
                for b in numbers {
                    bench.show(
                        SpeakerStatus(
                            title: "x", state: .playing, positionMilliseconds: a, durationMilliseconds: b,
                            segment: .init(text: "a b", startMilliseconds: b, endMilliseconds: a), volumePercent: a))
                    bench.show(
                        SpeakerStatus(
                            title: "x", state: .playing, positionMilliseconds: a,
                            segment: .init(text: "a b", startMilliseconds: a, endMilliseconds: b), volumePercent: b))
                }
            }
            #expect(bench.glass.mistakes == [])
        }
    }
}
