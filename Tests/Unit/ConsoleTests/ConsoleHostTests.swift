// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Library
import Model
import Playback
import Posix
import Scanning
import Speaker
import Testing

@testable import Console
@testable import SpeakerBench
@testable import Wire

@Suite("The speaker as consoles see it") struct ConsoleHostTests {
    // MARK: Status

    @Test func statusFollowsWhatIsDone() throws {
        let desk = Desk()
        #expect(desk.host.status.state == .stopped && desk.host.status.current == nil)
        #expect(desk.host.status.queueLength == 0 && desk.host.status.audioFormat == nil)
        desk.bench.add("a", "b", "c")
        try desk.host.play(position: 1)
        var status = desk.host.status
        #expect(status.state == .playing && status.queueLength == 3)
        #expect(status.current?.position == 1 && status.next?.position == 2)
        #expect(status.current.map { desk.bench.speaker.queue.index(ofSongID: $0.id) } == 1)
        #expect(status.durationMilliseconds == 60_000 && status.bitrateKbps == 128)
        #expect(status.audioFormat == .init(sampleRate: 44_100, bits: 16, channels: 2))
        try desk.host.setPaused(true)
        #expect(desk.host.status.state == .paused)
        try desk.host.setPaused(false)
        #expect(desk.host.status.state == .playing)
        try desk.host.perform(.stop)
        status = desk.host.status
        #expect(status.state == .stopped && status.current?.position == 1 && status.audioFormat == nil)
        // MPD's pause carries on with what is paused, and begins nothing.
        try desk.host.setPaused(false)
        #expect(desk.host.status.state == .stopped)
        try desk.host.perform(.next)
        try desk.host.perform(.play)
        #expect(desk.host.status.next == nil)
    }

    @Test func whatIsWrongIsTold() throws {
        let desk = Desk()
        desk.bench.add("a")
        try desk.host.perform(.play)
        desk.bench.player.loseDevice()
        #expect(desk.host.status.error == "sound device hw: No such device")
        #expect(desk.host.status.state == .playing)
        desk.bench.player.findDevice()
        desk.bench.player.fail(EIO)
        #expect(desk.host.status.error != nil)
        desk.bench.speaker.clearTrouble()
        #expect(desk.host.status.error == nil)
    }

    @Test func aScanSaysHowFarItIs() throws {
        let desk = Desk()
        #expect(desk.host.status.updateJob == nil && desk.host.status.updateFiles == nil)
        desk.scans.runningScan = 4
        desk.scans.progress = ScanProgress(filesSeen: 1204)
        #expect(desk.host.status.updateJob == 4 && desk.host.status.updateFiles == 1204)
        var session = Session(host: desk.host, manner: .plain)
        var response = ResponseBuffer()
        var budget = WorkBudget()
        session.receive(.complete(Array("status".utf8)[...]), &budget, &response)
        let lines = String(decoding: response.bytes, as: UTF8.self).split(separator: "\n")
        #expect(lines.contains("updating_db: 4") && lines.contains("updating_db_files: 1204"))
    }

    // MARK: Changes

    /// A change may come from a command that a console is still carrying out.
    @Test func consolesAreToldOnceATurnAndNeverFromWithinAnAction() throws {
        let desk = Desk()
        desk.bench.add("a", "b")
        desk.forgetTold()
        try desk.host.perform(.play)
        try desk.host.perform(.setVolume(percent: 40))
        #expect(desk.told.isEmpty)
        desk.turn()
        #expect(desk.told == [[.player, .mixer]])
        desk.turn()
        #expect(desk.told.count == 1)
        // Changes without a word in MPD wake no client.
        desk.host.note([.scanProgress])
        desk.turn()
        #expect(desk.told.count == 1)
        for (change, subsystem) in [
            (.queue, .playlist), (.library, .database), (.scan, .update), (.favourites, .sticker), (.output, .output),
        ] as [(Changes, Subsystems)] {
            desk.host.note(change)
            desk.turn()
            #expect(desk.told.last == subsystem)
        }
    }

    @Test func aCommandCountsFromWhenItsLineCame() throws {
        let desk = Desk()
        desk.bench.add("a", "b")
        desk.turnBegan = MonotonicTime(nanoseconds: 77)
        try desk.host.play(position: 1)
        #expect(desk.bench.player.asked == desk.turnBegan)
        desk.turnBegan = MonotonicTime(nanoseconds: 99)
        try desk.host.setPaused(true)
        #expect(desk.bench.player.asked == desk.turnBegan)
    }

    // MARK: Library

    private func filled(_ desk: Desk) {
        desk.bench.add("intro")
        desk.bench.add("1", "2", "10", folder: "/books/Tales/Part A")
        desk.bench.add("x", folder: "/books/Tales")
        desk.bench.add("y", folder: "/books/Zoo")
    }

    @Test func foldersAreToldBeforeWhatIsInThemInPortionsOfAnySize() throws {
        let desk = Desk()
        filled(desk)
        let all = [
            "Tales/", "Tales/Part A/", "Tales/Part A/1.mp3", "Tales/Part A/2.mp3", "Tales/Part A/10.mp3",
            "Tales/x.mp3", "Zoo/", "Zoo/y.mp3", "intro.mp3",
        ]
        for limit in [1, 2, 3, 64] {
            let listing = try desk.host.contents(of: "", recursive: true)
            #expect(desk.names(listing, by: limit) == all, "by \(limit)")
        }
        #expect(desk.names(try desk.host.contents(of: "", recursive: false)) == ["Tales/", "Zoo/", "intro.mp3"])
        #expect(
            desk.names(try desk.host.contents(of: "Tales", recursive: false)) == ["Tales/Part A/", "Tales/x.mp3"])
        // A song is itself, under either name.
        for name in ["Tales/x.mp3", "/books/Tales/x.mp3"] {
            #expect(desk.names(try desk.host.contents(of: name, recursive: true)) == ["Tales/x.mp3"])
        }
        for name in ["Tale", "Tales/Part", "Tales/none.mp3", "/elsewhere"] {
            let refused = desk.refusal { () throws(ConsoleError) in
                _ = try desk.host.contents(of: name, recursive: true)
            }
            #expect(refused?.code == .noExist, "\(name)")
        }
    }

    @Test func questionsAreAskedOfTheDatabase() throws {
        let desk = Desk()
        filled(desk)
        let isX = ItemFilter.match(.tag(.title), .equals, "x", foldsCase: false)
        #expect(desk.names(desk.host.songs(ItemQuery(filter: isX))) == ["Tales/x.mp3"])
        let below = ItemQuery(filter: .base("Tales"), order: .tag(.title), isDescending: true)
        #expect(desk.names(desk.host.songs(below), by: 1).first == "Tales/x.mp3")
        let file = ItemFilter.match(.file, .begins, "Zoo/", foldsCase: false)
        #expect(desk.names(desk.host.songs(ItemQuery(filter: file))) == ["Zoo/y.mp3"])
        let tally = desk.host.tally(.not(.base("Tales")), groupedBy: nil)
        var songs = 0
        while let page = tally(64) { for count in page { songs += count.songs } }
        #expect(songs == 2)
        let titles = desk.host.values(of: [.title], matching: .base("Tales/Part A"))
        var values: [String] = []
        while let page = titles(1) { values += page.map { $0[0] } }
        #expect(Set(values) == ["1", "2", "10"])
    }

    @Test func theLibraryInNumbers() throws {
        let desk = Desk()
        filled(desk)
        desk.bench.pass(milliseconds: 61_000)
        let tally = desk.host.statistics()
        var counted: LibraryStatistics?
        for _ in 0..<100 where counted == nil { counted = tally() }
        let numbers = try #require(counted)
        #expect(numbers.items == 6 && numbers.artists == 0 && numbers.durationMilliseconds == 360_000)
        #expect(numbers.uptimeSeconds == 61 && numbers.playedSeconds == 0 && numbers.updatedSeconds > 1_700_000_000)
    }

    @Test func onlyWhatIsOfTheLibraryIsLookedThrough() throws {
        let desk = Desk()
        #expect(try desk.host.updateLibrary("", readsAnew: false) == 1)
        #expect(try desk.host.updateLibrary("Tales", readsAnew: false) == 2)
        #expect(desk.scans.asked == ["", "/books/Tales"])
        let refused = desk.refusal { () throws(ConsoleError) in
            _ = try desk.host.updateLibrary("/etc", readsAnew: false)
        }
        #expect(refused?.code == .noExist)
    }

    @Test func whatIsForgottenIsAChangeOfTheLibrary() throws {
        let desk = Desk()
        let ids = desk.bench.add("a", "b", "c")
        desk.bench.library.setPresent([ids[0]], false)
        desk.forgetTold()
        #expect(try desk.host.forgetItems(goneForDays: 365) == 0)
        desk.turn()
        #expect(desk.told.isEmpty)
        #expect(try desk.host.forgetItems(goneForDays: -5) == 0)
        desk.bench.library.setPresent([ids[0]], true)
        #expect(desk.bench.library.item(ids[0]) != nil)
    }

    // MARK: Queue

    @Test func theQueueIsToldAsItStood() throws {
        let desk = Desk()
        desk.bench.add("a", "b", "c")
        let before = desk.host.queue
        let version = desk.host.status.queueVersion
        desk.bench.speaker.remove(1..<2)
        #expect(before.count == 3 && before.songs(1..<2).first?.uri == "b.mp3")
        #expect(desk.queue == ["a.mp3", "c.mp3"])
        #expect(desk.bench.speaker.queue.positionsChanged(since: version) == [1..<2])
        try desk.add("b.mp3", before: 0)
        #expect(desk.queue == ["b.mp3", "a.mp3", "c.mp3"])
        #expect(desk.host.queue.songs(0..<3).map { $0.entry?.position } == [0, 1, 2])
    }

    @Test func aStoppedQueueStaysStoppedWithoutItsCurrentEntry() throws {
        let desk = Desk()
        desk.bench.add("a", "b", "c")
        try desk.host.play(position: 1)
        try desk.host.perform(.stop)
        desk.bench.speaker.remove(1..<2)
        #expect(desk.host.status.state == .stopped && desk.host.status.current?.position == 1)
        #expect(desk.host.status.title == desk.bench.speaker.currentItem?.title)
        try desk.host.perform(.play)
        #expect(desk.host.status.state == .playing)
        try desk.host.setPaused(true)
        desk.bench.speaker.remove(1..<2)
        #expect(desk.host.status.state != .playing)
    }

    /// Clients that keep a copy of the library get it anew after that.
    @Test func whenTheLibraryChangedOutlivesTheSpeaker() throws {
        let desk = Desk()
        desk.bench.library.save(changedSeconds: 1_600_000_000)
        func told(_ host: ConsoleHost) -> Int64? {
            let tally = host.statistics()
            for _ in 0..<100 { if let numbers = tally() { return numbers.updatedSeconds } }
            return nil
        }
        let again = ConsoleHost(
            speaker: desk.bench.speaker, figures: desk.figures, scans: desk.scans, timers: desk.bench.timers,
            turnBegan: { MonotonicTime(nanoseconds: 5) }, root: "/books", outputName: "")
        #expect(told(again) == 1_600_000_000)
        again.note(.library)
        #expect(told(again) ?? 0 > 1_700_000_000)
        #expect(desk.bench.library.restoredChangedSeconds == told(again))
    }

    @Test func aFullQueueTakesWhatThereIsRoomFor() throws {
        let desk = Desk()
        let ids = desk.bench.add("a")
        let song = SongDescription(uri: "a.mp3", identifier: ids[0])
        let room = Queue.usualLimit - 1
        _ = try desk.host.addToQueue(Array(repeating: song, count: room - 3), before: nil)
        let refused = desk.refusal { () throws(ConsoleError) in
            _ = try desk.host.addToQueue(Array(repeating: song, count: 5), before: nil)
        }
        #expect(refused?.code == .playlistMax)
        #expect(desk.host.status.queueLength == Queue.usualLimit)
    }

    @Test func aJumpToAnotherEntryPlaysOnlyWhatPlayed() throws {
        let desk = Desk()
        desk.bench.add("a", "b")
        try desk.host.seek(position: 1, toMilliseconds: 7000)
        #expect(desk.host.status.state == .paused && desk.host.status.positionMilliseconds == 7000)
        try desk.host.perform(.skip(milliseconds: -2000))
        #expect(desk.host.status.positionMilliseconds == 5000)
        try desk.host.perform(.play)
        try desk.host.seek(position: 0, toMilliseconds: 1000)
        #expect(desk.host.status.state == .playing && desk.host.status.current?.position == 0)
    }

    // MARK: Favourites, transcript, machinery

    @Test func favourites() throws {
        let desk = Desk()
        desk.bench.add("a", "b")
        try desk.host.perform(.play)
        #expect(try desk.host.addFavourite(nil))
        #expect(try !desk.host.addFavourite("a.mp3"))
        #expect(try desk.host.addFavourite("b.mp3"))
        #expect(
            desk.bench.library.favourites(by: .newest, offset: 0, limit: 10).map(\.item.path) == [
                "/books/b.mp3", "/books/a.mp3",
            ])
        #expect(desk.bench.library.favourites(by: .title, offset: 0, limit: 1).map(\.item.title) == ["a"])
        #expect(try desk.host.removeFavourite("a.mp3"))
        #expect(try !desk.host.removeFavourite("a.mp3"))
        let refused = desk.refusal { () throws(ConsoleError) in _ = try desk.host.addFavourite("none.mp3") }
        #expect(refused?.code == .noExist)
        let nothing = Desk()
        #expect(nothing.refusal { () throws(ConsoleError) in _ = try nothing.host.addFavourite(nil) } != nil)
    }

    @Test func theTranscriptAroundTheEar() throws {
        let desk = Desk()
        desk.bench.add("a")
        #expect(desk.host.transcript(neighbours: 2, at: nil) == nil)
        desk.bench.worker.runAll()
        try desk.host.perform(.play)
        try desk.host.perform(.skip(milliseconds: 2500))
        let told = try #require(desk.host.transcript(neighbours: 1, at: nil))
        #expect(told.count == 3 && told.currentIndex == 1)
        #expect(told.segments.map(\.text) == ["One.", "Two.", "Three."])
        #expect(told.firstIndex == 0)
        // Elsewhere, wherever the ear is.
        #expect(desk.host.transcript(neighbours: 0, at: 0)?.segments.map(\.text) == ["One."])
        #expect(desk.host.transcript(neighbours: 0, at: 0)?.count == 3)
    }

    @Test func howTheMachineryDoes() throws {
        let desk = Desk()
        let counters = desk.host.counters(isRaw: false)
        func value(_ name: String) -> String? { counters.first { $0.name == name }?.value }
        #expect(value("period_us") == "25000" && value("ring_fill_min_bytes") == "4096")
        #expect(value("xruns") != nil && value("real_time") == "0" && value("clock_known") != nil)
        #expect((Int(value("wakeups") ?? "") ?? 0) > 0)
        let more = desk.host.counters(isRaw: true).dropFirst(counters.count).map(\.name)
        #expect(more == ["decode", "scheduling", "read_ahead", "silence", "sound", "first_sound"])
        #expect(desk.host.outputs.map(\.name) == ["hw:CARD=DAC"])
    }
}

@Suite("Names of songs on the console") struct SongNamesTests {
    @Test(arguments: ["/books", "/books/"]) func pathsAreThoseBelowTheLibrary(root: String) {
        let names = SongNames(root: root)
        #expect(names.uri(of: "/books/Tales/x.mp3") == "Tales/x.mp3")
        #expect(names.path(of: "Tales/x.mp3") == "/books/Tales/x.mp3")
        #expect(names.path(of: "") == root)
        // A name alike is no folder of it.
        #expect(names.uri(of: "/books2/x.mp3") == "/books2/x.mp3")
        #expect(names.path(of: "/books2/x.mp3") == "/books2/x.mp3")
    }

    @Test func withoutALibraryPathsAreWhole() {
        let names = SongNames(root: "")
        #expect(names.uri(of: "/music/x.mp3") == "/music/x.mp3")
        #expect(names.path(of: "music/x.mp3") == "/music/x.mp3")
        #expect(names.path(of: "") == "/")
    }
}
