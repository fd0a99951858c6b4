// SPDX-License-Identifier: Apache-2.0
import Core
import Fuzzing
import Library
import Media
import Model
import Posix
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

/// Lists of numbers below lists of numbers.
private final class FakeSource: MenuSource {
    var counts = [3, 50_000, 4]
    /// The counted part of the list of 50,000; nil once it is counted whole.
    var countedSoFar: Int?
    private(set) var read = 0
    /// So many entries have one letter each; nil for a list by no alphabet.
    var letter: Int?
    private(set) var limits: [Int] = []

    func entriesToLetter(of list: MenuList, from entry: MenuEntry, forward: Bool, limit: Int) -> Int? {
        guard let letter, level(list) == 1, let place = Int(entry.title.dropFirst(5)) else { return nil }
        limits.append(limit)
        return min(limit, forward ? letter - place % letter : (place + letter - 1) % letter + 1)
    }

    private func level(_ list: MenuList) -> Int {
        switch list {
        case .menu: 0
        case .episodes(let feed, _): Int(feed)
        default: 1
        }
    }

    func isCounted(_ list: MenuList) -> Bool { level(list) != 1 || countedSoFar == nil }

    func count(of list: MenuList) -> Int {
        guard level(list) == 1, let counted = countedSoFar else { return counts[level(list)] }
        countedSoFar = counted + 20 < counts[1] ? counted + 20 : nil
        return countedSoFar ?? counts[1]
    }
    func start(of list: MenuList) -> Int { 0 }

    func entries(of list: MenuList, _ places: Range<Int>, from known: (place: Int, entry: MenuEntry)?) -> [MenuEntry] {
        let level = level(list)
        let places = places.clamped(to: 0..<counts[level])
        read += places.count
        return places.map {
            level == 2
                ? MenuEntry(.item(Int64($0)), "item \($0)")
                : MenuEntry(.list(level == 0 ? .books : .episodes(2, title: "below")), "list \($0)")
        }
    }
}

@Suite("Menu") struct MenuTests {
    private let timers = FakeTimers()
    private let source = FakeSource()

    private func menu() -> Menu {
        let menu = Menu(timers: timers)
        menu.source = source
        return menu
    }

    private func take(_ menu: Menu, _ steps: Command.Menu...) -> Menu.Outcome {
        var outcome = Menu.Outcome.nothing
        for step in steps { outcome = menu.take(step, at: timers.now) }
        return outcome
    }

    @Test func upAndDownInAndOut() {
        let menu = menu()
        #expect(take(menu, .next) == .nothing && menu.status == nil)
        #expect(take(menu, .open) == .moved && menu.status?.list == .menu)
        #expect(take(menu, .previous) == .isFirst && menu.status?.index == 0)
        #expect(take(menu, .next, .next) == .moved && menu.status?.entry.title == "list 2")
        #expect(take(menu, .next) == .isLast && menu.status?.index == 2)
        #expect(take(menu, .choose) == .moved && menu.status?.list == .books && menu.status?.count == 50_000)
        #expect(take(menu, .next, .choose, .next) == .moved && menu.status?.entry.title == "item 1")
        // Each list is where it was.
        #expect(take(menu, .back) == .moved && menu.status?.entry.title == "list 1")
        #expect(take(menu, .choose, .choose) == .chosen(.item(0)) && !menu.isOpen)
        #expect(take(menu, .open, .back) == .moved && !menu.isOpen)
        #expect(take(menu, .open, .open) == .moved && !menu.isOpen)
        #expect(take(menu, .open, .choose, .leave) == .moved && !menu.isOpen && timers.count == 0)
    }

    @Test func nobodyIsWaitedForLongerThanFifteenSeconds() {
        let menu = menu()
        var changes = 0
        menu.didChange = { changes += 1 }
        _ = take(menu, .open)
        timers.pass(milliseconds: 14_999)
        #expect(menu.isOpen && changes == 1)
        _ = take(menu, .next)
        timers.pass(milliseconds: 14_999)
        #expect(menu.isOpen && changes == 2)
        timers.pass(milliseconds: 1)
        #expect(!menu.isOpen && changes == 3 && timers.count == 0)
    }

    /// One entry for each press; held, all of 50,000 in half a minute.
    @Test func heldItGoesFaster() {
        let menu = menu()
        _ = take(menu, .open, .choose)
        for expected in 1...8 {
            timers.pass(milliseconds: 400)
            #expect(take(menu, .next) == .moved && menu.status?.index == expected)
        }
        // As a knob turns, and a program asks.
        for _ in 0..<30 { _ = take(menu, .next) }
        #expect(menu.status?.index == 38)
        var steps = 0
        while menu.status?.index != 49_999, steps < 1000 {
            timers.pass(milliseconds: 200)
            _ = take(menu, .next)
            steps += 1
        }
        #expect(steps < 150 && source.read < 300)
        timers.pass(milliseconds: 200)
        #expect(take(menu, .next) == .isLast)
        // The other way it begins slowly again.
        timers.pass(milliseconds: 200)
        #expect(take(menu, .previous) == .moved && menu.status?.index == 49_998)
    }

    /// A long list is counted while a person goes through it, and never seems to end early.
    @Test func aListIsCountedOnTheWay() {
        source.counts[1] = 95
        source.countedSoFar = 0
        let menu = menu()
        #expect(take(menu, .open, .choose) == .moved && menu.status?.count == 20)
        #expect(take(menu, .next) == .moved && menu.status?.count == 40)
        #expect(take(menu, .next, .next, .next) == .moved && menu.status?.count == 95)
        for _ in 0..<90 { #expect(take(menu, .next) == .moved) }
        #expect(menu.status?.index == 94 && take(menu, .next) == .isLast)
    }

    @Test func heldForLongItGoesByLetters() throws {
        let menu = menu()
        source.letter = 400
        _ = take(menu, .open, .choose)
        func hold(_ step: Command.Menu, _ steps: Int) -> [Int] {
            (0..<steps).map { _ in
                timers.pass(milliseconds: 200)
                _ = take(menu, step)
                return menu.status?.index ?? -1
            }
        }
        #expect(hold(.next, 20).last == 60)
        #expect(hold(.next, 3) == [400, 800, 1200])
        #expect(hold(.next, 130).last == 49_999)
        #expect(hold(.previous, 20).last == 49_939)
        #expect(hold(.previous, 3) == [49_600, 49_200, 48_800])
        // A letter of which there are very many is gone through in some steps.
        source.letter = 20_000
        #expect(hold(.previous, 3) == [48_300, 47_800, 47_300])
        #expect(Set(source.limits) == [500])
    }

    @Test func pagesAreReadAndNotLists() {
        let menu = menu()
        _ = take(menu, .open, .choose)
        for _ in 0..<100 { _ = take(menu, .next) }
        #expect(source.read <= 3 + 100 + 2 * Menu.pageEntries)
    }

    @Test func aListThatBecameShorter() {
        let menu = menu()
        source.counts[1] = 40
        _ = take(menu, .open, .choose)
        for _ in 0..<30 { _ = take(menu, .next) }
        source.counts[1] = 33
        for _ in 0..<20 { _ = take(menu, .next) }
        #expect(menu.status?.index == 32 && menu.status?.count == 33)
        source.counts[2] = 0
        #expect(take(menu, .choose) == .nothing && menu.status?.index == 32)
        source.counts[0] = 0
        #expect(take(menu, .leave, .open) == .nothing && !menu.isOpen)
    }

    /// It is left for the list above; the buttons are never in a list of nothing.
    @Test func aListOfWhichNothingIsLeft() {
        let menu = menu()
        source.counts[1] = 40
        _ = take(menu, .open, .next, .choose)
        for _ in 0..<15 { _ = take(menu, .next) }
        source.counts[1] = 0
        #expect(take(menu, .next) == .moved && menu.status?.list == .menu && menu.status?.index == 1)
    }

    /// Whatever is pressed: open, there is an entry, and it is the one that stands at its place.
    @Test func atRandom() {
        var random = SeededGenerator(seed: 7)
        let menu = menu()
        for _ in 0..<20_000 {
            let step = Command.Menu.allCases[Int(random.next() % 6)]
            timers.pass(milliseconds: Int(random.next() % 260))
            if random.next() % 50 == 0 { source.counts[1 + Int(random.next() % 2)] = Int(random.next() % 60) }
            let outcome = menu.take(step, at: timers.now)
            if case .chosen = outcome { #expect(step == .choose && !menu.isOpen) }
            #expect(menu.isOpen == (menu.status != nil))
            guard let status = menu.status else { continue }
            #expect(status.index >= 0 && status.index < status.count)
            #expect(status.entry.title.hasSuffix(" \(status.index)"))
        }
    }
}

@Suite("Menu of a speaker") struct MenuListTests {
    private func titles(_ bench: Bench) -> [String] {
        var titles: [String] = []
        repeat {
            titles.append(bench.showing.menu?.entry.title ?? "")
            bench.press(.menu(.next))
        } while bench.said() == []
        return titles
    }

    /// Opens a list of the menu by its name.
    private func open(_ name: String, _ bench: Bench) {
        bench.press(.menu(.open))
        for _ in 0..<20 where bench.showing.menu?.entry.title != name { bench.press(.menu(.next)) }
        #expect(bench.showing.menu?.entry.title == name)
        bench.press(.menu(.choose))
        _ = bench.said()
    }

    @Test func whatIsEmptyIsNotOffered() {
        let bench = Bench()
        bench.press(.menu(.open))
        #expect(titles(bench) == ["Sleep timer", "Alarms", "Volume", "Speed", "Loudest", "About"])
        bench.press(.menu(.leave))
        #expect(bench.showing.menu == nil)
    }

    /// Those are found on a disk, and come when they come.
    @Test func playlistsThatAreStored() {
        let bench = Bench()
        bench.add("a", "b", "c")
        var found: (([String]) -> Void)?
        bench.speaker.sound.setPlaylists(names: { found = $0 }, read: { $1($0 == "Evening" ? [2, 3] : []) })
        bench.press(.menu(.open))
        #expect(!titles(bench).contains("Playlists"))
        bench.press(.menu(.leave), .menu(.open))
        found?(["Evening", "Gone"])
        while bench.showing.menu?.entry.title != "Playlists" { bench.press(.menu(.next)) }
        bench.press(.menu(.choose))
        #expect(titles(bench) == ["Evening", "Gone"])
        bench.press(.menu(.previous), .menu(.choose))
        #expect(bench.title == "b" && bench.player.wantsToPlay && bench.showing.menu == nil)
        open("Playlists", bench)
        bench.press(.menu(.next), .menu(.choose))
        #expect(bench.said().last == .cannotPlay && bench.title == "b")
    }

    @Test func howLoudAndWhatIsThere() {
        let bench = Bench()
        bench.add("a")
        open("Loudest", bench)
        #expect(bench.showing.menu?.entry.title == "100 %" && bench.showing.menu?.entry.isCurrent == true)
        for _ in 0..<7 { bench.press(.menu(.previous)) }
        #expect(titles(bench) == ["30 %", "40 %", "50 %", "60 %", "70 %", "80 %", "90 %", "100 %"])
        bench.press(.menu(.previous), .menu(.previous), .menu(.choose))
        #expect(bench.showing.volumePercent == 80)
        #expect(bench.speaker.choose("60", of: .loudest) && bench.showing.volumePercent == 60)
        #expect(!bench.speaker.choose("65", of: .loudest) && !bench.speaker.choose("all", of: .voice))
        #expect(bench.speaker.status(of: .voice) == nil && bench.speaker.status(of: .language) == nil)
        #expect(bench.speaker.status(of: .loudest)?.value == "60")
        open("About", bench)
        #expect(titles(bench).first == "All is well")
        // It is there to be read.
        bench.press(.menu(.choose))
        #expect(bench.showing.menu?.list == .about)
    }

    /// If its words are gone nothing changes, and the speaker says so; English needs none.
    @Test func anotherLanguage() {
        let bench = Bench()
        bench.speaker.audience.languages = Languages(
            ["de", "fr"], current: "fr", folder: "/nowhere", worker: bench.worker)
        open("Language", bench)
        #expect(bench.showing.menu?.entry.title == "Français")
        bench.press(.menu(.previous), .menu(.previous))
        #expect(titles(bench) == ["Deutsch", "English", "Français"])
        bench.press(.menu(.previous), .menu(.previous), .menu(.choose))
        bench.worker.runAll()
        #expect(bench.said() == [.notSaved] && bench.library.restoredLanguage == nil)
        #expect(bench.showing.language == "fr")
        #expect(bench.speaker.choose("en", of: .language))
        bench.worker.runAll()
        #expect(bench.showing.language == "en" && bench.library.restoredLanguage == "en")
    }

    @Test func aBookItsFifthChapterASleepAFavourite() {
        let bench = Bench()
        bench.teach([0, 5000, 10_000, 15_000, 20_000, 25_000])
        bench.add("a", "b", "c", folder: "/Tales")
        bench.add("x", folder: "/Other")
        open("Books", bench)
        #expect(bench.showing.menu?.list == .books && (bench.showing.menu?.count ?? 0) > 1)
        let book = bench.showing.menu?.entry.title ?? ""
        bench.press(.menu(.choose))
        #expect(bench.showing.menu == nil && bench.player.wantsToPlay)
        #expect(bench.speaker.currentItem.flatMap { bench.library.book(of: $0.id) }?.title == book)
        open("Chapters", bench)
        #expect(bench.showing.menu?.entry.isCurrent == true && bench.showing.menu?.count == 6)
        bench.press(.menu(.next), .menu(.next), .menu(.next), .menu(.next))
        #expect(bench.showing.menu?.entry.title == "Chapter 5")
        bench.press(.menu(.choose))
        #expect(bench.player.positionMilliseconds == 20_000 && bench.player.wantsToPlay)
        open("Sleep timer", bench)
        #expect(
            titles(bench) == [
                "off", "15 min", "30 min", "45 min", "60 min", "end of chapter", "2 chapters", "3 chapters",
                "5 chapters",
            ])
        for _ in 0..<6 { bench.press(.menu(.previous)) }
        bench.press(.menu(.choose))
        #expect(bench.speaker.sleep.setting == .minutes(30) && bench.showing.menu == nil)
        // Three buttons alone make it louder, and no louder than is allowed.
        bench.press(.setVolume(percent: 55))
        open("Volume", bench)
        #expect(bench.showing.menu?.entry.title == "60 %")
        bench.press(.menu(.choose))
        #expect(bench.showing.volumePercent == 60)
        #expect(bench.speaker.choose("80", of: .loudest))
        open("Volume", bench)
        #expect(bench.showing.menu?.entry.isCurrent == true && titles(bench).last == "80 %")
        bench.press(.menu(.leave))
        open("Speed", bench)
        #expect(bench.showing.menu?.entry.title == "1x" && bench.showing.menu?.entry.isCurrent == true)
        bench.press(.menu(.next), .menu(.next), .menu(.choose))
        #expect(bench.showing.speed == Speed(percent: 125))
        bench.press(.toggleFavourite)
        let favourite = bench.title
        bench.press(.playEntry(id: 4))
        open("Favorites", bench)
        #expect(bench.showing.menu?.entry.title == favourite && bench.showing.menu?.count == 1)
        bench.press(.menu(.choose))
        #expect(bench.title == favourite)
        // A begun book comes first of all, with its heard share.
        bench.press(.menu(.open))
        #expect(bench.showing.menu?.entry.title == "Continue")
    }

    /// A folder's folders stand before its files; a file that was chosen goes on with the next of its folder.
    @Test func everyFileOfEveryFolder() {
        let bench = Bench(source: .library(folder: "/m"))
        bench.press(.menu(.open))
        #expect(!titles(bench).contains("Folders"))
        bench.press(.menu(.leave))
        bench.add("loose", folder: "/m")
        bench.add("a", "b", folder: "/m/Tales/Old")
        bench.add("c", folder: "/m/Tales")
        bench.add("x", folder: "/m/Zoo")
        bench.add("far", folder: "/elsewhere")
        bench.press(.menu(.open))
        #expect(titles(bench).suffix(2) == ["Folders", "About"])
        bench.press(.menu(.previous), .menu(.choose))
        #expect(bench.showing.menu?.list == .folders && bench.showing.menu?.list.words == "Folders")
        #expect(titles(bench) == ["Tales", "Zoo", "loose"])
        bench.press(.menu(.previous), .menu(.previous), .menu(.choose))
        #expect(bench.showing.menu?.list.words == "Tales" && bench.showing.menu?.count == 2)
        #expect(titles(bench) == ["Old", "c"])
        bench.press(.menu(.previous), .menu(.choose))
        #expect(titles(bench) == ["a", "b"])
        // Up again, where the folder stands.
        bench.press(.menu(.back))
        #expect(bench.showing.menu?.entry.title == "Old" && bench.showing.menu?.count == 2)
        bench.press(.menu(.back))
        #expect(titles(bench) == ["Tales", "Zoo", "loose"])
        bench.press(.menu(.previous), .menu(.previous), .menu(.choose), .menu(.choose))
        #expect(bench.speaker.menu.folder?.path == "/m/Tales/Old")
        bench.press(.menu(.choose))
        #expect(bench.title == "a" && bench.player.wantsToPlay && bench.showing.menu == nil)
        #expect(bench.speaker.menu.folder == nil)
        bench.press(.next)
        #expect(bench.title == "b")
    }

    /// In a folder of more than a page of both kinds, each entry stands once.
    @Test func aFolderOfManyFoldersAndFiles() {
        let bench = Bench(source: .library(folder: "/m"))
        for number in 1...21 {
            bench.add("file \(number)", folder: "/m")
            bench.add("a", folder: "/m/folder \(number)")
        }
        open("Folders", bench)
        #expect(titles(bench) == (1...21).map { "folder \($0)" } + (1...21).map { "file \($0)" })
        bench.press(.menu(.choose))
        #expect(bench.title == "file 21")
    }

    /// Files without chapters are the chapters of their book.
    @Test func theFilesOfABook() {
        let bench = Bench()
        bench.add("a", "b", "c", folder: "/Tales")
        bench.press(.playEntry(id: 2))
        open("Chapters", bench)
        #expect(bench.showing.menu?.entry.title == "b" && bench.showing.menu?.entry.isCurrent == true)
        bench.press(.menu(.next), .menu(.choose))
        #expect(bench.title == "c" && bench.player.positionMilliseconds == 0)
    }

    /// Of a talking book the headings of all files are listed.
    @Test func theHeadingsOfABook() {
        let bench = Bench()
        bench.add("a", "b", "c", folder: "/Tales")
        let ids = bench.speaker.library.itemIDs(inFolder: "/Tales")
        bench.speaker.library.setChapters(
            of: ids[0],
            [
                Chapter(startMilliseconds: 0, title: "One", level: 1),
                Chapter(startMilliseconds: 5000, title: "Within", level: 2),
            ])
        bench.speaker.library.setChapters(of: ids[2], [Chapter(startMilliseconds: 0, title: "Three", level: 1)])
        bench.press(.playEntry(id: 3))
        open("Chapters", bench)
        #expect(bench.showing.menu?.count == 4)
        #expect(bench.showing.menu?.entry.title == "Three" && bench.showing.menu?.entry.isCurrent == true)
        bench.press(.menu(.previous))
        #expect(bench.showing.menu?.entry.title == "b")
        bench.press(.menu(.previous), .menu(.choose))
        #expect(bench.title == "a" && bench.player.positionMilliseconds == 5000)
    }

    /// Next and previous go by the headings that a person has chosen, over files that have none of them.
    @Test func headingsOfALevelAreGoneBy() throws {
        let folder = try TemporaryFolder()
        var bench = Bench(stateFolder: folder.path)
        bench.add("a", "b", "c", folder: "/Tales")
        bench.add("Alone")
        let ids = bench.library.itemIDs(inFolder: "/Tales")
        func heading(_ place: Int, _ level: Int) -> Chapter {
            Chapter(startMilliseconds: place, title: "Level \(level)", level: level)
        }
        bench.library.setChapters(of: ids[0], [heading(0, 1), heading(10_000, 2), heading(20_000, 3)])
        bench.library.setChapters(of: ids[2], [heading(1000, 3), heading(30_000, 1)])
        bench.press(.playEntry(id: 1))
        let all = try #require(bench.speaker.status(of: .headings))
        #expect(all.choices == ["1", "2", "6"] && all.value == "6" && all.setting.words(of: "6") == "All")
        open("Headings", bench)
        #expect(bench.showing.menu?.entry.title == "All")
        bench.press(.menu(.previous), .menu(.choose))
        #expect(bench.speaker.status(of: .headings)?.value == "2")
        func go(_ commands: Command..., to place: String) {
            for command in commands { bench.press(command) }
            #expect("\(bench.title ?? "") \(bench.player.positionMilliseconds)" == place)
        }
        go(.next, to: "a 10000")
        go(.next, to: "c 30000")
        go(.next, to: "c 30000")
        #expect(bench.said().last == .lastItem)
        go(.previous, to: "a 10000")
        go(.seek(milliseconds: 40_000), .previous, to: "a 10000")
        go(.previous, to: "a 0")
        go(.previous, to: "a 0")
        #expect(bench.said().last == .firstItem)
        // A file without a heading belongs to the part before it.
        bench.press(.playEntry(id: 2))
        go(.next, to: "c 30000")
        bench.press(.playEntry(id: 2))
        go(.previous, to: "a 10000")
        // It is remembered, and a book without levels is gone through as ever.
        bench.end()
        bench = Bench(stateFolder: folder.path)
        #expect(bench.title == "a" && bench.speaker.status(of: .headings)?.value == "2")
        #expect(bench.speaker.choose("1", of: .headings) && !bench.speaker.choose("3", of: .headings))
        go(.next, to: "c 30000")
        let alone = try #require(bench.library.item(titled: "Alone"))
        bench.press(.playItem(alone))
        #expect(bench.title == "Alone" && bench.speaker.status(of: .headings) == nil)
    }

    /// The pages of all files of a book, from the one that is read on; a book without any offers none.
    @Test func thePagesOfAPrintedBook() {
        let bench = Bench()
        bench.add("a", "b", "c", folder: "/Tales")
        bench.add("Alone")
        let ids = bench.speaker.library.itemIDs(inFolder: "/Tales")
        func pages(_ titles: [String]) -> [Chapter] {
            titles.enumerated().map { Chapter(startMilliseconds: 1000 * $0, title: $1) }
        }
        bench.speaker.library.setChapters(of: ids[0], [], pages: pages(["i", "ii", "1"]))
        bench.speaker.library.setChapters(of: ids[1], [], pages: pages(["2"]))
        bench.press(.playEntry(id: 2))
        open("Go to page", bench)
        #expect(bench.showing.menu?.count == 4)
        #expect(bench.showing.menu?.entry.title == "Page 2" && bench.showing.menu?.entry.isCurrent == true)
        bench.press(.menu(.previous))
        #expect(bench.showing.menu?.entry.title == "Page 1")
        bench.press(.menu(.previous), .menu(.choose))
        #expect(bench.title == "a" && bench.player.positionMilliseconds == 1000)
        bench.press(.playEntry(id: 4), .menu(.open))
        var offered: [String] = []
        for _ in 0..<20 {
            if let title = bench.showing.menu?.entry.title { offered.append(title) }
            bench.press(.menu(.next))
        }
        #expect(offered.contains("Sleep timer") && !offered.contains("Go to page"))
    }

    @Test func whoDoesSomethingElseLeavesIt() {
        let bench = Bench()
        bench.add("a", "b")
        bench.press(.play, .menu(.open), .volume(step: -5))
        #expect(bench.showing.menu != nil && bench.showing.volumePercent == 95)
        bench.press(.next)
        #expect(bench.showing.menu == nil && bench.title == "b")
        // Nothing has changed where nothing was chosen.
        bench.player.positionMilliseconds = 1000
        bench.press(.menu(.open), .menu(.next), .menu(.choose), .menu(.next), .menu(.back))
        bench.pass(milliseconds: 15_000)
        #expect(bench.showing.menu == nil && bench.title == "b" && bench.player.positionMilliseconds == 1000)
        #expect(bench.player.wantsToPlay)
    }
}
