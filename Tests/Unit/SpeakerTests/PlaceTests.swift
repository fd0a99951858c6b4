// SPDX-License-Identifier: Apache-2.0
import Core
import Foundation
import Media
import Model
import Playback
import TestSupport
import Testing

@testable import Library
@testable import Speaker
@testable import SpeakerBench

/// Two books of files of a minute, and two files that are alone in their folders.
private let folders = ["/a": 4, "/b": 3, "/x": 1, "/y": 1]
private let files = folders.sorted { $0.key < $1.key }.flatMap { folder, count in
    (1...count).map { (folder: folder, name: "\(folder.dropFirst())\($0)") }
}

private func filled(_ bench: Bench) {
    for file in files { bench.add(file.name, folder: file.folder) }
}

/// The power is cut: another speaker over what was written.
private func afterCut(_ bench: Bench, _ rules: PlayingRules, _ start: BoardStart? = nil) throws -> Bench {
    bench.library.restoredState = try SpeakerRow.read(bench.library.database)
    return Bench(
        library: bench.library, start: start, rules: rules, wallSeconds: bench.speaker.listening.rewind.wallSeconds)
}

/// The expected state: the heard place, and the places of files that are no part of a book.
private struct PlaceModel {
    var file = 0
    var place = 0
    var plays = false
    var isLoaded = true
    var left = [Int](repeating: 0, count: files.count)

    static let length = 60_000
    func isBook(_ file: Int) -> Bool { folders[files[file].folder]! > 1 }
    func areOne(_ one: Int, _ other: Int) -> Bool {
        files.indices.contains(other) && files[one].folder == files[other].folder
    }
    /// The last seconds are an end, but not those of a book's file that another follows.
    func resumed(_ place: Int, in file: Int) -> Int {
        if place <= PlaceModel.length - 5000 { return place }
        return isBook(file) && areOne(file, file + 1) ? min(place, PlaceModel.length - 1) : 0
    }

    mutating func go(to other: Int, _ milliseconds: Int? = nil) {
        left[file] = place
        if other == file {
            place = milliseconds ?? resumed(place, in: file)
        } else {
            place = milliseconds ?? (isBook(other) ? 0 : resumed(left[other], in: other))
            file = other
        }
        isLoaded = true
    }

    mutating func skip(_ milliseconds: Int) {
        if !isLoaded {
            place = min(PlaceModel.length, max(0, resumed(place, in: file) + milliseconds))
            isLoaded = true
            return
        }
        var (wanted, other) = (place + milliseconds, file)
        while wanted < 0, areOne(other, other - 1) { (wanted, other) = (wanted + PlaceModel.length, other - 1) }
        while wanted >= PlaceModel.length, areOne(other, other + 1) {
            (wanted, other) = (wanted - PlaceModel.length, other + 1)
        }
        if other != file { return go(to: other, max(0, min(wanted, PlaceModel.length - 1))) }
        place = max(0, min(wanted, PlaceModel.length))
        if place == PlaceModel.length { plays = false }
    }

    mutating func listen(_ milliseconds: Int) {
        guard plays else { return }
        place += milliseconds
        if place < PlaceModel.length { return }
        if areOne(file, file + 1) {
            (file, place) = (file + 1, 0)
        } else {
            (place, plays) = (PlaceModel.length, false)
        }
    }

    /// A finished item is not resumed.
    mutating func restart() {
        isLoaded = true
        if place < PlaceModel.length { return }
        let next = file + 1 < files.count ? file + 1 : 0
        left[file] = place
        let begins = isBook(next) && areOne(file, next)
        (file, place) = (next, begins ? 0 : isBook(next) ? -1 : resumed(left[next], in: next))
    }
}

@Suite("The place") struct PlaceTests {
    private static let rules = PlayingRules(rewindsAfterPause: false, afterPowerCut: .play)

    private func bench() -> Bench {
        let bench = Bench(rules: PlaceTests.rules)
        filled(bench)
        return bench
    }

    private func place(_ bench: Bench) -> String { "\(bench.title ?? "none") \(bench.player.positionMilliseconds)" }

    @Test(arguments: [true, false]) func whatIsGoneToIsKept(plays: Bool) throws {
        let ways: [(String, (Bench) -> Void)] = [
            ("a3 10000", { $0.speaker.go(to: 2, milliseconds: 10_000, play: plays, isChosen: true) }),
            ("a2 0", { $0.press(.next) }),
            ("x1 0", { $0.press(.playEntry(id: 8)) }),
            (
                "b2 7000",
                { _ = $0.speaker.play($0.speaker.queue.entries[5].itemID, fromMilliseconds: 7000, asked: nil) }
            ),
            ("a2 20000", { $0.press(.skip(milliseconds: 30_000)) }),
            ("a1 51000", { $0.press(.skip(milliseconds: 1000)) }),
        ]
        for (expected, way) in ways {
            let bench = bench()
            bench.press(.playEntry(id: 1))
            bench.player.positionMilliseconds = 50_000
            bench.press(plays ? .play : .pause)
            way(bench)
            #expect(try place(afterCut(bench, PlaceTests.rules)) == expected)
        }
    }

    /// Histories of commands, each cut at any moment; NIGHTSTAND_HISTORIES=100000 for more.
    @Test func historiesThatAreCut() throws {
        let count = ProcessInfo.processInfo.environment["NIGHTSTAND_HISTORIES"].flatMap { Int($0) } ?? 3000
        var random = SeededGenerator(seed: 20)
        var bench = bench()
        var model = PlaceModel()
        for history in 0..<count {
            var told: [String] = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let file = Int.random(in: 0..<files.count, using: &random)
                let milliseconds = Int.random(in: 0..<54_000, using: &random)
                let way = Int.random(in: 0..<11, using: &random)
                told.append("\(way) \(files[file].name) \(milliseconds)")
                switch way {
                case 0: bench.press(.playEntry(id: bench.speaker.queue.entries[file].songID))
                case 1: bench.speaker.go(to: file, milliseconds: milliseconds, play: model.plays, isChosen: true)
                case 2:
                    _ = bench.speaker.play(
                        bench.speaker.queue.entries[file].itemID, fromMilliseconds: milliseconds, asked: nil)
                case 3: bench.press(.next)
                case 4: bench.press(.previous)
                case 5: bench.press(.skip(milliseconds: milliseconds * 3))
                case 6: bench.press(.skip(milliseconds: -milliseconds * 3))
                case 7: bench.press(.pause)
                case 8 where !bench.player.isAtEnd: bench.press(.play)
                case 9: bench.press(.stop)
                case 10: bench.press(.seek(milliseconds: milliseconds))
                default: break
                }
                switch way {
                case 0:
                    model.go(to: file)
                    model.plays = true
                case 1: model.go(to: file, milliseconds)
                case 2:
                    model.go(to: file, milliseconds)
                    model.plays = true
                case 3 where model.file + 1 < files.count: model.go(to: model.file + 1)
                case 4: model.go(to: max(0, model.file - 1), model.file == 0 ? 0 : nil)
                case 5: model.skip(milliseconds * 3)
                case 6: model.skip(-milliseconds * 3)
                case 7: model.plays = false
                case 8 where !model.isLoaded || model.place < PlaceModel.length:
                    if !model.isLoaded { model.go(to: model.file) }
                    model.plays = true
                case 9: (model.plays, model.isLoaded) = (false, false)
                case 10:
                    model.place = milliseconds
                    model.isLoaded = true
                default: break
                }
                // Some seconds of it are heard.
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    model.listen(5000)
                    if bench.player.wantsToPlay {
                        bench.player.positionMilliseconds += 5000
                        if bench.player.positionMilliseconds >= PlaceModel.length { bench.player.reachEnd() }
                    }
                    bench.timers.pass(milliseconds: 5000)
                }
                told.append("-> \(place(bench)), model \(files[model.file].name) \(model.place)")
            }
            bench = try afterCut(bench, PlaceTests.rules)
            model.restart()
            let heard = bench.player.positionMilliseconds
            // The speaker knows the place of a book that is entered from elsewhere.
            if model.place < 0 {
                model.place = heard
                let file = files.firstIndex { $0.name == bench.title } ?? 0
                #expect(file == model.file || model.areOne(file, model.file))
                model.file = file
            }
            let isThere = bench.title == files[model.file].name && (0...5000).contains(model.place - heard)
            #expect(
                isThere,
                "history \(history): \(told), at \(place(bench)), expected \(files[model.file].name) \(model.place)")
            #expect(bench.player.wantsToPlay == model.plays)
            if !isThere { return }
            model.place = heard
        }
    }

    // MARK: A book

    @Test func aBookHasOnePlace() throws {
        let bench = bench()
        bench.press(.playEntry(id: 3), .seek(milliseconds: 29_000))
        // Another file of it is chosen by hand, and passes into the one that was left in its middle.
        bench.press(.playEntry(id: 2))
        #expect(place(bench) == "a2 0")
        bench.player.reachEnd()
        #expect(place(bench) == "a3 0")
        bench.press(.seek(milliseconds: 26_000), .skip(milliseconds: -28_000))
        #expect(place(bench) == "a2 58000")
        bench.player.reachEnd()
        #expect(place(bench) == "a3 0")
        // It goes on where it was left.
        bench.press(.seek(milliseconds: 33_000), .playEntry(id: 5))
        let book = try #require(bench.library.book(of: bench.speaker.queue.entries[0].itemID))
        #expect(bench.speaker.goOn(with: book.id, asked: nil) && place(bench) == "a3 33000")
        // A file of its own keeps its own place.
        bench.press(.playEntry(id: 8), .seek(milliseconds: 12_000), .playEntry(id: 1), .playEntry(id: 8))
        #expect(place(bench) == "x1 12000")
    }

    @Test func skippingGoesByTheRecordingsTime() {
        let bench = bench()
        bench.press(.playEntry(id: 1), .skip(milliseconds: 150_000))
        #expect(place(bench) == "a3 30000")
        bench.press(.skip(milliseconds: -130_000))
        #expect(place(bench) == "a1 20000")
        bench.press(.skip(milliseconds: 600_000))
        #expect(place(bench) == "a4 59999")
    }

    @Test func aBookDoesNotFlowIntoTheNext() {
        let bench = bench()
        bench.press(.playEntry(id: 4))
        bench.player.reachEnd()
        #expect(bench.title == "a4" && !bench.player.wantsToPlay && bench.player.isAtEnd)
        bench.press(.play)
        #expect(place(bench) == "b1 0" && bench.player.wantsToPlay)
        bench.speaker.rules.flowsIntoNextBook = true
        bench.press(.playEntry(id: 4))
        bench.player.reachEnd()
        #expect(place(bench) == "b1 0" && bench.player.wantsToPlay)
        // A queue that a person has put together plays as it is.
        bench.speaker.rules.flowsIntoNextBook = false
        _ = try? bench.speaker.insert([bench.speaker.queue.entries[8].itemID], at: 0)
        bench.press(.playEntry(id: 4))
        bench.player.reachEnd()
        #expect(bench.title == "b1" && bench.player.wantsToPlay)
    }

    @Test func aLooseFileBeginsNoBook() {
        let bench = Bench(rules: PlaceTests.rules)
        bench.add("loose", folder: "/a")
        bench.add("b1", "b2", folder: "/b")
        bench.press(.play)
        bench.player.reachEnd()
        #expect(bench.title == "loose" && !bench.player.wantsToPlay && bench.player.isAtEnd)
        bench.press(.play)
        #expect(place(bench) == "b1 0" && bench.player.wantsToPlay)
    }

    @Test func sentencesGoOverTheBordersOfFiles() {
        let bench = bench()
        bench.press(.playEntry(id: 1))
        bench.worker.runAll()
        bench.press(.seek(milliseconds: 3500), .sentence(.next))
        #expect(place(bench) == "a2 0")
        bench.worker.runAll()
        bench.press(.sentence(.previous))
        #expect(place(bench) == "a1 55000")
        bench.worker.runAll()
        #expect(place(bench) == "a1 3000")
        bench.press(.sentence(.previous), .sentence(.previous), .sentence(.previous))
        #expect(place(bench) == "a1 0" && bench.said().last == .firstSentence)
        bench.press(.playEntry(id: 4))
        bench.worker.runAll()
        bench.press(.seek(milliseconds: 3500), .sentence(.next))
        #expect(bench.title == "a4" && bench.said().last == .lastSentence)
    }

    @Test func aStretchIsOfOneFile() {
        let bench = bench()
        bench.press(.playEntry(id: 1), .loop(.from), .next, .loop(.to))
        #expect(bench.said().last == .loopInOneFile && !bench.speaker.loop.isOn)
        bench.press(.loop(.from), .seek(milliseconds: 9000), .loop(.to))
        #expect(bench.speaker.loop.bounds == 0..<9000)
    }

    // MARK: Finished

    @Test func finishedIsWhatWasHeard() {
        let bench = bench()
        let last = bench.speaker.queue.entries[3].itemID
        bench.press(.playEntry(id: 4), .skip(milliseconds: 500_000))
        #expect(!bench.library.isFinished(last))
        bench.press(.seek(milliseconds: 58_000), .pause, .play)
        bench.player.reachEnd()
        #expect(!bench.library.isFinished(last))
        bench.press(.playEntry(id: 4))
        bench.player.positionMilliseconds = 57_000
        bench.press(.pause)
        #expect(bench.library.isFinished(last))
        // A person's word stays.
        _ = bench.library.setFinished(last, false)
        bench.press(.play)
        bench.pass(milliseconds: 5000)
        bench.press(.seek(milliseconds: 59_000), .pause)
        #expect(!bench.library.isFinished(last))
        bench.press(.playEntry(id: 1), .playEntry(id: 4))
        bench.player.reachEnd()
        #expect(bench.library.isFinished(last))
        _ = bench.library.setFinished(last, false)
        bench.press(.pause, .volume(step: -5))
        bench.pass(milliseconds: 10_000)
        #expect(!bench.library.isFinished(last))
    }

    @Test func playedAnewItIsNotFinished() {
        let bench = bench()
        let single = bench.speaker.queue.entries[7].itemID
        bench.press(.playEntry(id: 8))
        bench.player.positionMilliseconds = 20_000
        bench.pass(milliseconds: 5000)
        _ = bench.library.setFinished(single, true)
        bench.player.positionMilliseconds = 25_000
        bench.pass(milliseconds: 5000)
        #expect(bench.library.isFinished(single))
        bench.press(.seek(milliseconds: 0), .playEntry(id: 1), .playEntry(id: 8))
        bench.player.positionMilliseconds = 4000
        bench.pass(milliseconds: 5000)
        #expect(!bench.library.isFinished(single))
    }

    // MARK: Sleep, and the power

    @Test func sleepAtTheEndOfTheBook() {
        let bench = bench()
        bench.speaker.rules.flowsIntoNextBook = true
        bench.press(.playEntry(id: 3), .sleep(.book))
        bench.player.reachEnd()
        #expect(bench.title == "a4" && bench.player.wantsToPlay && bench.speaker.sleep.setting == .book)
        bench.player.reachEnd()
        #expect(!bench.player.wantsToPlay && bench.speaker.sleep.setting == .off)
        #expect(bench.library.book(of: bench.speaker.queue.entries[4].itemID)?.left == nil || bench.title == "b1")
    }

    @Test func sleepSurvivesAPowerCut() throws {
        var bench = bench()
        bench.press(.playEntry(id: 1), .sleep(.minutes(30)))
        for _ in 0..<120 { bench.timers.pass(milliseconds: 5000) }
        bench = try afterCut(bench, PlaceTests.rules)
        #expect(
            bench.player.wantsToPlay
                && (20 * 60_000...21 * 60_000).contains(bench.speaker.status.sleepMilliseconds ?? 0))
        bench.press(.sleep(.chapter))
        bench = try afterCut(bench, PlaceTests.rules)
        #expect(bench.speaker.sleep.setting == .chapter)
        bench.press(.sleep(.off))
        bench = try afterCut(bench, PlaceTests.rules)
        #expect(bench.speaker.sleep.setting == .off)
    }

    /// A book that is left in the last seconds of one of its files goes on there, and not at the file's beginning.
    @Test func theEndOfAFileIsNoEndOfItsBook() throws {
        let bench = Bench(rules: PlaceTests.rules)
        let ids = bench.add("a1", "a2", "a3", folder: "/a")
        for (index, resumed) in [(0, 58_000), (1, 58_000), (2, 0)] {
            bench.speaker.go(to: index, milliseconds: 58_000, play: false, isChosen: true)
            let book = try #require(bench.library.book(of: ids[index]))
            bench.speaker.go(to: 0, milliseconds: 0, play: false)
            bench.speaker.go(to: index, milliseconds: 58_000, play: false)
            #expect(bench.speaker.goOn(with: book.id, asked: nil))
            #expect(bench.player.positionMilliseconds == resumed)
            #expect(bench.library.resumeMilliseconds(of: try #require(bench.library.item(ids[index]))) == resumed)
        }
    }

    /// After any edit of the queue, a book begun from outside the queue continues through its files.
    @Test func aBookGoesOnThoughAClientHasEditedTheQueue() throws {
        let bench = Bench(rules: PlaceTests.rules)
        let book = bench.add("a1", "a2", "a3", folder: "/a")
        let other = bench.add("x1", folder: "/x")
        bench.speaker.remove(0..<bench.speaker.queue.count)
        _ = try bench.speaker.insert(other, at: 0)
        bench.speaker.go(to: 0, play: true)
        #expect(bench.speaker.play(book[1], fromMilliseconds: 0, asked: nil))
        #expect(bench.speaker.queue.entries.map(\.itemID) == other + book[1...])
        #expect(bench.title == "a2")
        // Once more, as an alarm does each morning: nothing is put in twice.
        #expect(bench.speaker.play(book[1], fromMilliseconds: 0, asked: nil))
        #expect(bench.speaker.play(book[0], fromMilliseconds: 0, asked: nil))
        #expect(bench.speaker.queue.entries.filter { $0.itemID == book[0] }.count == 1)
    }

    /// A phone has made the queue. A book that is chosen at the speaker plays to its end and stops there, and forward leads to a book
    /// that came later.
    @Test func aChosenBookHasTheLibraryPlayAgain() throws {
        let bench = Bench(rules: PlaceTests.rules)
        let book = bench.add("a1", "a2", folder: "/a")
        let other = bench.add("x1", folder: "/x")
        bench.speaker.remove(0..<bench.speaker.queue.count)
        _ = try bench.speaker.insert(other + other, at: 0)
        bench.speaker.go(to: 1, play: true)
        let later = bench.add("b1", "b2", folder: "/b")
        let chosen = try #require(bench.library.book(of: later[0]))
        #expect(bench.speaker.goOn(with: chosen.id, asked: bench.timers.now))
        #expect(bench.title == "b1" && bench.speaker.queue.followsScans)
        #expect(Set(bench.speaker.queue.entries.map(\.itemID)) == Set(book + other + later))
        bench.player.reachEnd()
        #expect(bench.title == "b2" && bench.player.wantsToPlay)
        bench.player.reachEnd()
        #expect(bench.title == "b2" && !bench.player.wantsToPlay)
        // A client's edit, and a single choice out of a list.
        bench.speaker.remove(0..<1)
        bench.press(.playItem(book[0]))
        #expect(bench.title == "a1" && bench.speaker.queue.followsScans && bench.speaker.queue.count == 5)
    }

    @Test func theFirstPowerCutIsNoticed() throws {
        // Just installed: nothing is remembered yet.
        let bench = Bench(start: BoardStart(identity: "one", isClockKnown: true), rules: PlaceTests.rules)
        #expect(bench.library.restoredBoot() == "one")
        filled(bench)
        bench.press(.playEntry(id: 1))
        let rules = PlayingRules(afterPowerCut: .pause)
        #expect(
            try !afterCut(bench, rules, BoardStart(identity: "two", isClockKnown: true)).player.wantsToPlay)
    }

    @Test func whatPlaysAfterAPowerCut() throws {
        let now = wallClockSecondsForTests()
        func plays(
            _ wanted: PlayingRules.AfterPowerCut, _ boot: String, isClockKnown: Bool = true, later: Int64 = 60
        ) throws -> Bool {
            let first = BoardStart(identity: "one", isClockKnown: true)
            let before = Bench(start: first, rules: PlaceTests.rules)
            filled(before)
            let bench = try afterCut(before, PlaceTests.rules, first)
            bench.press(.playEntry(id: 1))
            bench.speaker.listening.rewind.wallSeconds = { now + later }
            let rules = PlayingRules(afterPowerCut: wanted)
            return try afterCut(bench, rules, BoardStart(identity: boot, isClockKnown: isClockKnown)).player.wantsToPlay
        }
        #expect(try plays(.pause, "one") && plays(.playIfShort, "one", isClockKnown: false))
        #expect(try plays(.play, "two", isClockKnown: false, later: 90_000) && !plays(.pause, "two"))
        #expect(try plays(.playIfShort, "two") && !plays(.playIfShort, "two", isClockKnown: false))
        #expect(try !plays(.playIfShort, "two", later: 3600) && !plays(.playIfShort, "two", later: -3600))
    }
}

private func wallClockSecondsForTests() -> Int64 { Int64(Date().timeIntervalSince1970) }
