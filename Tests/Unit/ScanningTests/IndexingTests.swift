// SPDX-License-Identifier: Apache-2.0
import Foundation
import Library
import Media
import Model
import Posix
import TestSupport
import Testing
import Transcript

@testable import Scanning

@Suite struct IndexingTests {
    private func subtitles(_ texts: String...) -> [UInt8] {
        var file = ""
        for (number, text) in texts.enumerated() {
            file += "\(number + 1)\n00:00:0\(number),000 --> 00:00:0\(number + 1),000\n\(text)\n\n"
        }
        return Array(file.utf8)
    }

    @Test func theWordsOfATalkingBookAreFound() throws {
        let desk = try ScanDesk()
        var silent = DaisyBook.riverBank
        silent.hasText = false
        for (folder, files) in [("a", DaisyBook.riverBank.daisy3()), ("b", silent.daisy2())] {
            for (number, name) in ["zz_part.mp3", "aa_part.mp3", "mm_part.mp3"].enumerated() {
                try desk.write("\(folder)/\(name)", ScanDesk.audio(number + (folder == "a" ? 1 : 5), frames: 400))
            }
            for file in files { try desk.write("\(folder)/\(file.name)", Array(file.text.utf8)) }
        }
        try index(desk)
        #expect(
            said(desk, "mole").sorted() == ["Ratty, said the Mole suddenly.", "The Mole had been working very hard."])
        // Another text is another transcript.
        var other = DaisyBook.riverBank
        other.sections[2][1].text = "The true end."
        for file in other.daisy3() { try desk.write("a/" + file.name, Array(file.text.utf8)) }
        try index(desk)
        #expect(said(desk, "true end") == ["The true end."])
    }

    private func said(_ desk: ScanDesk, _ words: String) -> [String] {
        guard let search = SpokenSearch(desk.spoken, words) else { return [] }
        var texts: [String] = []
        var isOver = false
        while !isOver {
            search.next(10) { page in
                texts += page?.map(\.text) ?? []
                isOver = page == nil
            }
            desk.worker.runAll()
        }
        return texts
    }

    /// Until all is taken in.
    private func index(_ desk: ScanDesk) throws {
        desk.keeper.indexing.startMilliseconds = 0
        try desk.scan()
        try goOn(desk)
    }

    private func goOn(_ desk: ScanDesk) throws {
        let deadline = MonotonicTime.now.adding(milliseconds: 60_000)
        while !desk.keeper.indexing.isIdle {
            if MonotonicTime.now > deadline { throw ScanDesk.Stalled() }
            desk.worker.runAll()
            if !desk.keeper.indexing.isIdle && desk.worker.jobs.isEmpty { try desk.turn() }
        }
    }

    @Test func whatIsSaidIsFoundAndAgainWhenItChanges() throws {
        let desk = try ScanDesk()
        try desk.write("a.mp3", ScanDesk.audio(1))
        try desk.write("a.srt", subtitles("The red fox.", "It sleeps."))
        try desk.write("b/b.mp3", ScanDesk.audio(2))
        try index(desk)
        #expect(said(desk, "fox") == ["The red fox."])
        let taken = desk.worker.takenCount
        try index(desk)
        // A look at the two and at what the index has, and no reading.
        #expect(desk.worker.takenCount - taken <= 6)
        try desk.write("a.srt", subtitles("The grey wolf sleeps."))
        try desk.write("b/b.en.vtt", Array("WEBVTT\n\n00:01.000 --> 00:02.000\nA blue wolf.\n".utf8))
        try index(desk)
        #expect(said(desk, "fox") == [])
        #expect(said(desk, "wolf").sorted() == ["A blue wolf.", "The grey wolf sleeps."])
        try desk.remove("a.srt")
        try index(desk)
        #expect(said(desk, "wolf") == ["A blue wolf."])
        try desk.remove("b/b.mp3")
        try index(desk)
        #expect(said(desk, "wolf") == [])
    }

    @Test func whatWasFetchedForAnEpisodeIsFound() throws {
        let desk = try ScanDesk()
        try desk.write("a.mp3", ScanDesk.audio(1))
        try desk.write("a.srt", subtitles("The red fox."))
        // Outside of the library, as the cache is.
        let cache = try ScanDesk()
        try cache.write("words", subtitles("A fox by night.", "The owl."))
        try cache.write("others", subtitles("A hare by day."))
        try index(desk)
        desk.library.root = desk.root
        let feed = try #require(desk.library.addFeed(address: "https://h/feed", title: "Owls"))
        let episode = try #require(
            desk.library.takeIn([EpisodeDraft(identity: "1", address: "https://h/1")], of: feed).arrived.first)
        func take(_ name: String) {
            desk.keeper.takeIn(
                FetchedTranscript(.file(path: cache.path(name)), type: "application/srt", durationMilliseconds: nil),
                of: episode, name: name)
        }
        take("words")
        #expect(!desk.keeper.indexing.isIdle)
        try goOn(desk)
        #expect(said(desk, "fox").sorted() == ["A fox by night.", "The red fox."])
        // The same again is nothing new, and a scan leaves it alone, though there may be a folder of that name.
        take("words")
        try goOn(desk)
        #expect(said(desk, "fox").count == 2)
        try desk.write("Podcasts/Owls/notes.srt", subtitles("No fox."))
        try index(desk)
        #expect(said(desk, "fox").count == 2)
        // Another takes its place; a request during a scan waits for its end.
        desk.keeper.scan()
        take("others")
        try goOn(desk)
        try index(desk)
        #expect(said(desk, "fox") == ["The red fox."] && said(desk, "hare") == ["A hare by day."])
        _ = desk.library.removeFeed(feed.id)
        #expect(said(desk, "hare") == [])
    }

    @Test func twoFilesNeverMixThoughAScanComesBetween() throws {
        let desk = try ScanDesk()
        for number in 1...3 {
            try desk.write("\(number).mp3", ScanDesk.audio(number))
            let lines = (0..<2000).map {
                "[\($0 / 60):\($0 % 60 + 100)]".replacing(":1", with: ":") + "Line \($0) of \(number)."
            }
            try desk.write("\(number).lrc", Array(lines.joined(separator: "\n").utf8))
        }
        desk.keeper.indexing.startMilliseconds = 0
        try desk.scan()
        for _ in 0..<40 {
            desk.worker.runOne()
            try desk.turn()
        }
        try desk.scan()
        try index(desk)
        #expect(said(desk, "\"1999 of 1\"").count == 1)
        #expect(said(desk, "\"line 7 of\"").count == 3)
        #expect(said(desk, "line").count == 6000)
        #expect(desk.library.trouble == nil)
    }

    @Test func aSearchGoesBeforeTheIndexing() throws {
        let desk = try ScanDesk()
        var order: [String] = []
        var left = 3
        desk.spoken.ask(.background) { _ in
            left -= 1
            return left == 0
        } finish: { _ in
            order.append("indexed")
        }
        desk.spoken.ask(.background) { _ in
            true
        } finish: { _ in
            order.append("indexed more")
        }
        desk.worker.runStep()
        let search = try #require(SpokenSearch(desk.spoken, "fox"))
        search.next(10) { _ in order.append("found") }
        search.items { _ in order.append("found items") }
        desk.worker.runAll()
        #expect(order == ["found", "found items", "indexed", "indexed more"] && left == 0)
    }

    @Test func aWorkerThatTakesNothingFindsNothing() throws {
        let desk = try ScanDesk()
        desk.worker.refusal = .full
        var found: [SpokenHit]? = []
        try #require(SpokenSearch(desk.spoken, "fox")).next(10) { found = $0 }
        #expect(found == nil)
    }
}
