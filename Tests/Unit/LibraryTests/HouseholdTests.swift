// SPDX-License-Identifier: Apache-2.0
import Core
import Foundation
import Model
import TestSupport
import Testing

@testable import Library
@testable import SQLite

/// Libraries that share what they remember.
@Suite struct HouseholdTests {
    private static let now: Int64 = 1_795_000_000

    private func library(_ items: ClosedRange<Int> = 1...5, at folder: String = "/a") -> Library {
        let library = Library(stateFolder: nil) { Issue.record("\($0)") }
        // Files that lie in it are no book together.
        library.root = folder
        for number in items {
            _ = library.upsert(probe(number, path: "\(folder)/\(number).mp3", title: "Title \(number)"))
        }
        return library
    }

    private func id(_ number: Int, _ library: Library) -> Item.ID {
        library.allItems().first { $0.identity == probe(number).identity }!.id
    }

    /// All records behind a revision.
    private func journal(_ library: Library, since revision: Int64 = 0, page: Int = 500) -> [(
        revision: Int64, record: String
    )] {
        while library.takeChanges(limit: 3, nowMilliseconds: HouseholdTests.now * 1000) {}
        var all: [(revision: Int64, record: String)] = []
        while true {
            let records = library.journal(since: all.last?.revision ?? revision, limit: page)
            if records.isEmpty { return all }
            all += records
        }
    }

    @discardableResult
    private func carry(_ from: Library, _ to: Library, now: Int64 = now) throws -> [Library.Merge] {
        var outcomes: [Library.Merge] = []
        for line in journal(from) {
            outcomes.append(to.merge(try #require(to.record(line.record)), nowMilliseconds: now * 1000))
        }
        return outcomes
    }

    /// Returns the shared contents of a library.
    private func contents(_ library: Library) -> [String] {
        journal(library).map(\.record).sorted()
    }

    @Test func whatOneRemembersTheOtherDoes() throws {
        let (one, other) = (library(), library(3...8, at: "/b"))
        #expect(one.addFavourite(id(3, one), nowSeconds: HouseholdTests.now - 100) == .added)
        #expect(one.joinHousehold() && other.joinHousehold())
        #expect(
            one.addBookmark(id(3, one), milliseconds: 7000, words: "Wörter \"\n", nowSeconds: HouseholdTests.now)
                == .added)
        one.savePosition(id(4, one), milliseconds: 40_000, nowSeconds: HouseholdTests.now)
        one.didHearToEnd(id(5, one))
        #expect(one.save(Speed(text: "1.5"), forBookOf: id(5, one)))
        #expect(one.save(skipped: SkippedEnds(start: 30, end: 20), forBookOf: id(5, one)))
        #expect(one.addFeed(address: "https://x.example/feed", title: "Feed", nowSeconds: HouseholdTests.now) != nil)
        _ = one.addFavourite(id(1, one), nowSeconds: HouseholdTests.now)
        #expect(other.addFavourite(id(8, other), nowSeconds: HouseholdTests.now) == .added)
        try carry(one, other)
        try carry(other, one)
        #expect(contents(one) == contents(other))
        #expect(contents(one).count == 9)
        #expect(other.favourites().map(\.item.path) == ["/b/3.mp3", "/b/8.mp3"])
        #expect(other.favourites().map(\.addedSeconds).first == HouseholdTests.now - 100)
        #expect(other.bookmarks().map(\.words) == ["Wörter \"\n"])
        #expect(other.item(id(4, other))?.positionMilliseconds == 40_000)
        #expect(other.isFinished(id(5, other)))
        #expect(other.speed(ofBookOf: id(5, other)) == Speed(text: "1.5"))
        #expect(other.skippedEnds(ofBookOf: id(5, other)) == SkippedEnds(start: 30, end: 20))
        #expect(other.feeds().map(\.title) == ["Feed"])
        // An absent entry has its name, and waits for its audio.
        #expect(other.absentNames(limit: 10) == ["Title 1"])
        _ = other.upsert(probe(1, path: "/b/1.mp3"))
        #expect(other.favourites().count == 3)
        // Nothing goes to and fro any more.
        #expect(try carry(one, other).allSatisfy { $0 == .same })
        #expect(try carry(other, one).allSatisfy { $0 == .same })
        // A removed favorite stays removed.
        other.removeFavourite(id(3, other))
        _ = other.removeBookmark(other.bookmarks()[0].number)
        _ = other.removeFeed(other.feeds()[0].id)
        #expect(other.save(nil, forBookOf: id(5, other)) && other.save(skipped: nil, forBookOf: id(5, other)))
        other.didBeginAnew(id(5, other))
        try carry(one, other)
        try carry(other, one)
        #expect(contents(one) == contents(other))
        #expect(!one.isFavourite(id(3, one)))
        #expect(one.bookmarks().isEmpty && one.feeds().isEmpty)
        #expect(one.skippedEnds(ofBookOf: id(5, one)) == nil)
        #expect(one.speed(ofBookOf: id(5, one)) == nil && !one.isFinished(id(5, one)))
    }

    /// Two speakers set the speed of one book with different files of it: the later one counts, whichever comes first.
    @Test(arguments: [true, false]) func theLaterSpeedOfABookCounts(oneFirst: Bool) throws {
        func book() -> Library {
            let library = Library(stateFolder: nil) { Issue.record("\($0)") }
            for number in 1...4 { _ = library.upsert(probe(number, path: "/a/Book/\(number).mp3", album: "Book")) }
            library.updateBooks()
            #expect(library.joinHousehold())
            return library
        }
        let (one, other) = (book(), book())
        one.wallSeconds = { HouseholdTests.now }
        other.wallSeconds = { HouseholdTests.now + 2 }
        #expect(one.save(Speed(text: "1.5"), forBookOf: id(1, one)))
        #expect(other.save(Speed(text: "1.25"), forBookOf: id(3, other)))
        for turn in [oneFirst, !oneFirst, oneFirst] {
            try carry(turn ? one : other, turn ? other : one, now: HouseholdTests.now + 5)
        }
        for library in [one, other] {
            for number in 1...4 { #expect(library.speed(ofBookOf: id(number, library)) == Speed(text: "1.25")) }
        }
    }

    /// One board's clock is off by a day, was never set, or steps back in between. A device that heard of the other's place and listened on
    /// is later.
    @Test(arguments: [86_400, -86_400, 40 * 86_400, -now + 100] as [Int64])
    func theLaterActInABookCountsWhateverTheClocks(
        ahead: Int64
    ) throws {
        func book() -> Library {
            let library = Library(stateFolder: nil) { Issue.record("\($0)") }
            for number in 1...4 { _ = library.upsert(probe(number, path: "/a/Book/\(number).mp3", album: "Book")) }
            library.updateBooks()
            #expect(library.joinHousehold())
            return library
        }
        let (one, other) = (book(), book())
        var clocks = (one: HouseholdTests.now + ahead, other: HouseholdTests.now)
        func tell() throws {
            for (from, to, now) in [(one, other, clocks.other), (other, one, clocks.one), (one, other, clocks.other)] {
                let own = from === one ? clocks.one : clocks.other
                while from.takeChanges(limit: 3, nowMilliseconds: own * 1000) {}
                for line in from.journal(since: 0, limit: 500) {
                    _ = to.merge(try #require(to.record(line.record)), nowMilliseconds: now * 1000)
                }
            }
        }
        func left() -> [Item.ID?] {
            [one, other].map { library in
                library.book(of: id(1, library))?.left.flatMap { left in
                    (1...4).first { id($0, library) == left.item }.map { Item.ID($0) }
                }
            }
        }
        var random = SeededGenerator(seed: UInt64(bitPattern: ahead))
        for turn in 1...40 {
            let file = Int.random(in: 1...4, using: &random)
            let isOne = Bool.random(using: &random)
            clocks.one += 100
            clocks.other += 100
            // Its clock is set right, and then is off again.
            if turn == 20 { clocks.one -= ahead }
            if turn == 30 { clocks.one += ahead }
            let (library, now) = isOne ? (one, clocks.one) : (other, clocks.other)
            // Over one boundary or two, before the listener is told.
            for step in 0..<Int.random(in: 1...3, using: &random) {
                let heard = (file + step - 1) % 4 + 1
                library.savePosition(id(heard, library), milliseconds: turn * 100 + step, nowSeconds: now + Int64(step))
            }
            let last = library.book(of: id(1, library))?.left?.item
            let wanted = (1...4).first { id($0, library) == last }.map { Item.ID($0) }
            try tell()
            #expect(left() == [wanted, wanted], "turn \(turn)")
            if left() != [wanted, wanted] { return }
        }
    }

    @Test func aLibraryOfItsOwnIsAsBefore() throws {
        let one = library()
        _ = one.addFavourite(id(1, one))
        one.savePosition(id(1, one), milliseconds: 1000)
        #expect(try one.database.integer("SELECT count(*) FROM household") == 0)
        // The removal is not remembered: a file with it brings it back.
        _ = one.removeFavourite(id(1, one))
        #expect(try one.database.integer("SELECT count(*) FROM fact") == 0)
        #expect(try one.database.integer("SELECT count(*) FROM sqlite_temp_schema") == 0)
        #expect(one.household() == nil && !one.takeChanges(limit: 5) && journal(one).isEmpty)
        #expect(!one.renumberDevice() && !one.note(HouseholdNote(sent: 1)))
    }

    @Test func whoLeavesKeepsAll() throws {
        let one = library()
        #expect(one.joinHousehold())
        _ = one.addFavourite(id(1, one))
        #expect(journal(one).count == 1)
        #expect(one.leaveHousehold())
        _ = one.addFavourite(id(2, one))
        #expect(one.favourites().count == 2 && one.household() == nil)
        #expect(try one.database.integer("SELECT count(*) FROM fact WHERE value IS NULL") == 0)
        #expect(one.joinHousehold())
        #expect(journal(one).count == 2)
    }

    /// The place is saved every few seconds, and noted once.
    @Test func aPlaceThatIsNotedIsNotWrittenAgain() throws {
        let one = library()
        #expect(one.joinHousehold())
        one.savePosition(id(1, one), milliseconds: 1000, nowSeconds: HouseholdTests.now)
        let before = one.database.totalChanges
        one.savePosition(id(1, one), milliseconds: 2000, nowSeconds: HouseholdTests.now + 4)
        #expect(one.database.totalChanges == before + 1)
        let lines = journal(one)
        #expect(lines.count == 1)
        let record = try #require(one.record(lines[0].record))
        #expect(record.time == HybridTime(milliseconds: (HouseholdTests.now + 4) * 1000))
        #expect(record.value == #"{"milliseconds":2000,"saved":\#(HouseholdTests.now + 4),"finished":0}"#)
        #expect(journal(one, since: lines[0].revision).isEmpty)
    }

    /// A device that goes to another's place has not listened to anything.
    @Test func aPlaceThatIsSavedWhereItWasIsNoChange() throws {
        let (one, other) = (library(), library())
        #expect(one.joinHousehold() && other.joinHousehold())
        one.savePosition(id(1, one), milliseconds: 90_000, nowSeconds: HouseholdTests.now)
        try carry(one, other)
        let last = other.household()?.revision
        other.savePosition(id(1, other), milliseconds: 90_000, isHeard: false, nowSeconds: HouseholdTests.now + 60)
        #expect(journal(other).count == 1 && other.household()?.revision == last)
        one.savePosition(id(1, one), milliseconds: 95_000, nowSeconds: HouseholdTests.now + 30)
        #expect(try carry(one, other) == [.added])
        #expect(other.item(id(1, other))?.positionMilliseconds == 95_000)
        other.savePosition(id(1, other), milliseconds: 95_001, nowSeconds: HouseholdTests.now + 90)
        #expect(try carry(other, one) == [.added])
    }

    /// The later act of listening counts, not the further place; and a running playback is never interrupted.
    @Test func thePlaceGoesToWhoListenedLast() throws {
        let (one, other) = (library(), library())
        #expect(one.joinHousehold() && other.joinHousehold())
        one.savePosition(id(1, one), milliseconds: 90_000, nowSeconds: HouseholdTests.now)
        other.savePosition(id(1, other), milliseconds: 5000, nowSeconds: HouseholdTests.now + 60)
        let theirs = try #require(one.record(journal(other)[0].record))
        #expect(one.isPlace(theirs, inWorkOf: id(1, one)) && !one.isPlace(theirs, inWorkOf: id(2, one)))
        #expect(one.merge(theirs, isPlaying: true) == .later)
        #expect(one.item(id(1, one))?.positionMilliseconds == 90_000)
        #expect(one.merge(theirs) == .added)
        #expect(one.item(id(1, one))?.positionMilliseconds == 5000)
        #expect(try carry(one, other) == [.same])
        // Listened to later while it was on its way.
        one.savePosition(id(1, one), milliseconds: 7000, nowSeconds: HouseholdTests.now + 120)
        other.savePosition(id(1, other), milliseconds: 6000, nowSeconds: HouseholdTests.now + 90)
        #expect(one.merge(try #require(one.record(journal(other)[0].record))) == .older)
        #expect(try carry(one, other) == [.added])
        #expect(other.item(id(1, other))?.positionMilliseconds == 7000)
    }

    /// A device that resumes at a place has not yet listened there: a device that has listened since is later.
    @Test func goingOnIsNotYetListening() throws {
        let (one, other) = (library(), library())
        #expect(one.joinHousehold() && other.joinHousehold())
        one.savePosition(id(1, one), milliseconds: 90_000, nowSeconds: HouseholdTests.now)
        other.savePosition(id(1, other), milliseconds: 200_000, nowSeconds: HouseholdTests.now + 60)
        one.savePosition(id(1, one), milliseconds: 95_000, isHeard: false, nowSeconds: HouseholdTests.now + 120)
        #expect(one.placeSavedSeconds(id(1, one)) == HouseholdTests.now)
        #expect(try carry(other, one) == [.added])
        #expect(one.item(id(1, one))?.positionMilliseconds == 200_000)
        one.savePosition(id(1, one), milliseconds: 201_000, isHeard: false, nowSeconds: HouseholdTests.now + 130)
        one.savePosition(id(1, one), milliseconds: 202_000, nowSeconds: HouseholdTests.now + 135)
        #expect(try carry(one, other) == [.added])
        #expect(other.item(id(1, other))?.positionMilliseconds == 202_000)
    }

    /// Two cards with one device number: each takes another as soon as it is told of what the other has changed, and both come to the same end.
    @Test func aCopiedCardIsAnotherDevice() throws {
        let (folder, copy) = (TemporaryFolder(), TemporaryFolder())
        var one = Library(folder)
        for number in 1...3 { _ = one.upsert(probe(number)) }
        #expect(one.joinHousehold() && one.addFavourite(id(1, one), nowSeconds: HouseholdTests.now) == .added)
        _ = journal(one)
        one.close()
        try FileManager.default.copyItem(atPath: folder.database, toPath: copy.database)
        one = Library(folder)
        let other = Library(copy)
        let device = try #require(one.household()?.device)
        #expect(other.household()?.device == device)
        // Knowledge that both share is no sign of it.
        #expect(try carry(one, other) == [.same] && other.household()?.device == device)
        _ = one.addFavourite(id(2, one), nowSeconds: HouseholdTests.now + 5)
        _ = other.addFavourite(id(3, other), nowSeconds: HouseholdTests.now + 5)
        #expect(try carry(one, other) == [.same, .added])
        let renumbered = try #require(other.household()?.device)
        #expect(renumbered != device)
        // Its change before it knew has the number that both had.
        try carry(other, one)
        #expect(one.household()?.device != renumbered)
        #expect(one.favourites().count == 3 && other.favourites().count == 3)
        let last = [one.household()?.device, other.household()?.device]
        try carry(one, other)
        try carry(other, one)
        #expect([one.household()?.device, other.household()?.device] == last)
    }

    /// A station needs no file: every device that hears of it can play it. It is the station of the key's address, and no other.
    @Test func aStationIsWhereItsAddressIs() throws {
        let (one, other) = (library(), library())
        #expect(one.joinHousehold() && other.joinHousehold())
        let stations = ["https://radio.example/owl", "http://fox:den@radio.example/fox"]
        for address in stations {
            var probe = Probe(stream: address)
            probe.tags = TagList([(.title, "Owl radio")])
            _ = one.addFavourite(try #require(one.upsert(probe)).id, nowSeconds: HouseholdTests.now)
        }
        #expect(try carry(one, other) == [.added, .added])
        #expect(other.favourites().map(\.item.path) == [stations[0]])
        #expect(other.favourites().map(\.item.title) == ["Owl radio"])
        #expect(!journal(one).contains { $0.record.contains("den@") })
        #expect(try carry(other, one) == [.same, .same])
        var forged = try #require(one.record(journal(one)[0].record))
        for address in ["https://radio.example/wolf", "file:///etc/passwd", "https://radio.example/ow\\u006c x"] {
            forged.value = "{\"added\":9,\"address\":\"\(address)\"}"
            forged.time = forged.time.next
            #expect(other.merge(forged) == .added)
        }
        #expect(other.stations(offset: 0, limit: 9).count == 1)
        one.removeFavourite(try #require(one.item(path: stations[0])).id)
        let last = try #require(journal(one).last)
        forged = try #require(one.record(last.record))
        forged.time = forged.time.next.next.next.next.next
        #expect(other.merge(forged) == .added && other.favourites().isEmpty)
    }

    @Test func tombstonesGoAfterFourHundredDays() throws {
        let (one, other) = (library(), library())
        #expect(one.joinHousehold() && other.joinHousehold())
        for number in 1...3 {
            _ = one.addFavourite(id(number, one), nowSeconds: HouseholdTests.now)
        }
        _ = journal(one)
        for number in 1...2 { one.removeFavourite(id(number, one)) }
        #expect(journal(one).count == 3)
        let later = (HouseholdTests.now + 500 * 86_400) * 1000
        // A clock alone does not make it so.
        one.dropTombstones(nowMilliseconds: later)
        #expect(try one.database.integer("SELECT count(*) FROM fact") == 3)
        _ = other.addFavourite(id(5, other), nowSeconds: HouseholdTests.now + 500 * 86_400)
        let theirs = try #require(other.record(journal(other)[0].record))
        var moved = theirs
        moved.time = HybridTime(milliseconds: later)
        #expect(one.merge(moved, nowMilliseconds: later) == .added)
        one.dropTombstones(nowMilliseconds: later)
        #expect(try one.database.integer("SELECT count(*) FROM fact WHERE value IS NULL") == 0)
        #expect(journal(one).last?.revision == 6)
        // One of that age is not taken in anew.
        var tombstone = theirs
        tombstone.key = SharedKey(probe(1).identity).words
        tombstone.value = nil
        tombstone.time = HybridTime(milliseconds: HouseholdTests.now * 1000)
        #expect(one.merge(tombstone, nowMilliseconds: later) == .same)
    }

    @Test func aTableEmptiedByHandDeletesNothing() throws {
        let folder = TemporaryFolder()
        var one = Library(folder)
        let other = library()
        for number in 1...5 {
            let id = one.upsert(probe(number))!.id
            _ = one.addFavourite(id, nowSeconds: HouseholdTests.now)
        }
        #expect(one.joinHousehold() && other.joinHousehold())
        try carry(one, other)
        one.close()
        try Database(path: folder.database).execute("DELETE FROM fact")
        one = Library(folder)
        try carry(one, other)
        #expect(other.favourites().count == 5)
    }

    /// Recorded changes survive a restart, and recording continues.
    @Test func aRestartLosesNothing() throws {
        let folder = TemporaryFolder()
        var one = Library(folder)
        let item = one.upsert(probe(1))!.id
        #expect(one.joinHousehold())
        #expect(one.note(HouseholdNote(sent: 7, cursor: "abc")))
        one.savePosition(item, milliseconds: 1000)
        let device = one.household()?.device
        one.close()
        one = Library(folder)
        #expect(one.household()?.note == HouseholdNote(sent: 7, cursor: "abc"))
        #expect(one.household()?.device == device && one.household()?.waiting == 1)
        _ = one.addFavourite(item)
        #expect(journal(one).count == 2)
        #expect(one.renumberDevice() && one.household()?.device != device && one.household()?.note == HouseholdNote())
    }

    /// A file that was exported does not bring back what was removed since, and does what it did without a household.
    @Test func whatWasRemovedAnExportDoesNotBringBack() throws {
        let one = library()
        _ = one.addFavourite(id(1, one), nowSeconds: HouseholdTests.now)
        let objects = one.keptObjects(after: .start, limit: 10).objects
        #expect(one.joinHousehold())
        _ = journal(one)
        one.removeFavourite(id(1, one))
        #expect(one.takeIn(keptObject: objects[0]) == .alreadyThere)
        #expect(one.favourites().isEmpty)
        #expect(one.leaveHousehold())
        #expect(one.takeIn(keptObject: objects[0]) == .added)
    }

    /// A record that arrives before the old ones are taken meets the same state as if they were.
    @Test func whatComesWhileJoiningOverwritesNothingLater() throws {
        let (one, other) = (library(), library())
        for (library, time) in [(one, HouseholdTests.now), (other, HouseholdTests.now - 1000)] {
            _ = library.addFavourite(id(1, library), nowSeconds: time)
            library.savePosition(id(2, library), milliseconds: Int(time % 100_000) + 7, nowSeconds: time)
            #expect(library.joinHousehold())
        }
        // Both know of the favourite, and one has removed it before the other added it.
        _ = journal(other)
        let old = try journal(other).map { try #require(one.record($0.record)) }
        var tombstone = try #require(old.first { $0.kind == .favourite })
        tombstone.value = nil
        for record in [tombstone] + old { #expect(one.merge(record) == .older) }
        #expect(one.isFavourite(id(1, one)))
        #expect(one.item(id(2, one))?.positionMilliseconds == Int(HouseholdTests.now % 100_000) + 7)
        // An item that was never heard has no act of listening.
        one.savePosition(id(3, one), milliseconds: 9, nowSeconds: HouseholdTests.now)
        try carry(one, other)
        #expect(other.item(id(3, other))?.positionMilliseconds == 9)
        #expect(contents(one) == contents(other))
    }

    /// A damaged database's rescued records are there, and a restored library is another device.
    @Test func recordsAreRescuedAndRestored() throws {
        let folder = TemporaryFolder()
        let warnings = Warnings()
        var one = Library(folder, warnings)
        for number in 1...20 { _ = one.addFavourite(one.upsert(probe(number))!.id, nowSeconds: HouseholdTests.now) }
        #expect(one.joinHousehold())
        _ = journal(one)
        one.savePosition(1, milliseconds: 1000, nowSeconds: HouseholdTests.now)
        let device = one.household()?.device
        one.settle()
        let copy = try #require(one.copy(to: folder.path + "/copy"))
        while case .again = copy.step() {}
        let whole = contents(one)
        one.close()
        var bytes = FileManager.default.bytes(folder.database)
        for at in 0..<1024 { bytes[at] = 0xEE }
        folder.write("nightstand.db", bytes)
        one = Library(folder, warnings)
        #expect(warnings.all.count == 1)
        #expect(one.household()?.device == device && contents(one) == whole)
        _ = one.removeFavourite(1)
        #expect(contents(one) != whole)
        one.settle()
        #expect(Library.checkBackup(folder.path + "/copy") == nil)
        one.settle()
        #expect(one.takeUp(folder.path + "/copy") == nil)
        let state = try #require(one.household())
        #expect(state.device != device && state.waiting == 1)
        #expect(journal(one).count == 21)
        _ = one.removeFavourite(2)
        #expect(journal(one).count == 21 && one.household()!.revision > state.revision)
    }

    // MARK: Strangers

    private static let whole = """
        {"kind":"bookmark","key":"00000000deadbeef-5000-61000","value":{"added":1795000000,"words":"x"},"time":"01a1eb5a6a000000",\
        "device":"0123456789abcdef","name":"N"}
        """

    @Test func whatIsNoRecordIsRefused() throws {
        let one = library()
        #expect(one.joinHousehold())
        #expect(one.record(HouseholdTests.whole).map { one.merge($0) } == .added)
        let extremes = [
            "null", "-1", "1e999", "99999999999999999999999", "-9223372036854775808", "9223372036854775807", "\"\"",
            "[]",
            "{}", "\"\\u0000\"", "true", "\"ffffffffffffffff\"", "\"7fffffffffffffff\"", "\"0000000000000000\"",
            "{\"added\":-9223372036854775808,\"words\":\"\",\"saved\":9223372036854775807,\"milliseconds\":9223372036854775807}",
            "{\"added\":1e300}", "\"" + String(repeating: "x", count: 40_000) + "\"",
            String(repeating: "[", count: 9000),
        ]
        let kinds = SharedRecord.Kind.allCases.map(\.rawValue) + ["nothing"]
        for kind in kinds {
            for field in ["key", "value", "time", "device", "name"] {
                for extreme in extremes {
                    var fields = [
                        "key": "\"00000000deadbeef-5000\"", "value": "{\"added\":1}", "time": "\"01a1eb5a6a000000\"",
                        "device": "\"0123456789abcdef\"", "name": "\"N\"",
                    ]
                    fields[field] = extreme
                    let rest = fields.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
                    guard let record = one.record("{\"kind\":\"\(kind)\",\(rest)}") else { continue }
                    _ = one.merge(record)
                }
            }
        }
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<2000 {
            var bytes = Array(HouseholdTests.whole.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...127, using: &generator)
            }
            if let record = one.record(String(decoding: bytes, as: UTF8.self)) { _ = one.merge(record) }
        }
        #expect(one.trouble == nil)
        // All that was taken in, others can read.
        for line in journal(one) { #expect(one.record(line.record) != nil, "\(line.record)") }
    }

    // MARK: Households of chance

    /// Two to five libraries, clocks wrong by years, carried to and fro with partitions, interrupted in the middle, and twice.
    @Test(arguments: 0..<10)
    func allAreEqualAtTheEnd(part: Int) throws {
        for seed in 0..<20 {
            var generator = SeededGenerator(seed: UInt64(part * 100 + seed + 1))
            let count = Int.random(in: 2...5, using: &generator)
            let libraries = (0..<count).map { index in library(1...3, at: "/\(index)") }
            let ids = libraries.map { library in (1...3).map { id($0, library) } }
            let ahead = libraries.map { _ in [0, 0, -56, 5, 70].randomElement(using: &generator)! * 365 * 86_400 }
            for library in libraries { #expect(library.joinHousehold()) }
            var time = HouseholdTests.now
            for _ in 0..<30 {
                time += Int64.random(in: 1...4000, using: &generator)
                let at = Int.random(in: 0..<count, using: &generator)
                let library = libraries[at]
                let item = ids[at].randomElement(using: &generator)!
                let now = max(5, time + Int64(ahead[at]))
                switch Int.random(in: 0..<7, using: &generator) {
                case 0: _ = library.addFavourite(item, nowSeconds: now)
                case 1: library.removeFavourite(item)
                case 2:
                    library.savePosition(
                        item, milliseconds: Int.random(in: 1...90_000, using: &generator), nowSeconds: now)
                case 3: _ = library.addBookmark(item, milliseconds: 7, words: "w", nowSeconds: now)
                case 4: if let first = library.bookmarks().first { library.removeBookmark(first.number) }
                default:
                    let other = libraries.randomElement(using: &generator)!
                    let records = journal(library)
                    // The answer is lost in the middle, or comes in disorder.
                    let come = records.shuffled(using: &generator).prefix(Int.random(in: 0...8, using: &generator))
                    for line in come {
                        _ = other.merge(try #require(other.record(line.record)), nowMilliseconds: now * 1000)
                    }
                }
            }
            for _ in 0..<2 {
                for one in libraries {
                    for other in libraries where one !== other { try carry(one, other, now: time) }
                }
            }
            let first = contents(libraries[0])
            for library in libraries.dropFirst() where contents(library) != first {
                Issue.record("part \(part), seed \(seed): \(contents(library)) is not \(first)")
                return
            }
            // The libraries agree with the records.
            for library in libraries {
                #expect(library.favourites().count == libraries[0].favourites().count, "\(part) \(seed)")
                #expect(library.bookmarks().count == libraries[0].bookmarks().count, "\(part) \(seed)")
                for number in 1...3 {
                    #expect(
                        library.item(id(number, library))?.positionMilliseconds
                            == libraries[0].item(id(number, libraries[0]))?.positionMilliseconds, "\(part) \(seed)")
                }
            }
        }
    }
}
