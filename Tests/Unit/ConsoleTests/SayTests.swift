// SPDX-License-Identifier: Apache-2.0
import Library
import Model
import Testing

@testable import Console
@testable import Scanning
@testable import SpeakerBench
@testable import Wire

@Suite struct SayTests {
    private let desk = Desk()

    /// 25 stories, each with one sentence; the first one plays.
    init() {
        for number in 0..<25 {
            let id = desk.shelve("stories/\(number).mp3", title: "Story \(number)")
            say("The red fox, \(number).", in: id, at: number * 1500)
        }
        desk.bench.press(.play)
        desk.turn()
    }

    /// Has it in the index of what is said, as the reading of transcripts would.
    private func say(_ text: String, in id: Item.ID, at milliseconds: Int) {
        let owner = desk.bench.library.spokenState(id)!.owner
        desk.host.spoken!.ask(.background) { store in
            let isAdded = store.add(owner, [(milliseconds, Array(text.utf8))])
            store.end(owner, stamp: 1)
            return isAdded
        } finish: {
            #expect($0)
        }
        desk.turn()
    }

    @Test func tenSentencesAndWhetherThereAreMore() {
        let told = answer(desk, "say fox")
        #expect(
            told.hasPrefix(
                "hit: 1\nfile: stories/0.mp3\nTitle: Story 0\nstart: 0.000\ntext: The red fox, 0.\nhit: 2\n"))
        #expect(told.hasSuffix("text: The red fox, 9.\nmore: 10:20\nOK\n"))
        #expect(answer(desk, "say fox 20:30").hasPrefix("hit: 21\n"))
        #expect(!answer(desk, "say fox 20:30").contains("more"))
        #expect(answer(desk, "say wolf") == "OK\n")
        #expect(answer(desk, "say fox 30:40") == "OK\n")
        #expect(answer(desk, "say \"\"") == "ACK [2@0] {say} There is no word in it: \n")
        #expect(answer(desk, "say fox 5:2") == "ACK [2@0] {say} Malformed range: 5:2\n")
    }

    @Test func whatIsNotReadYetIsNotUnsaid() {
        desk.scans.isReadingWords = true
        #expect(answer(desk, "say wolf") == "updating: 1\nOK\n")
        #expect(answer(desk, "say fox 0:1").hasPrefix("updating: 1\nhit: 1\n"))
    }

    @Test func anArgumentWithASpaceIsAPhrase() {
        say("This fox was red at 10:20.", in: desk.shelve("stories/a.mp3", title: "A"), at: 0)
        func count(_ line: String) -> Int { answer(desk, line).split(separator: "\n").count { $0.hasPrefix("hit: ") } }
        #expect(count("say red fox th* 0:100") == 26)
        #expect(count("say \"red fox\" th* 0:100") == 25)
        #expect(count("say \"fox red\"") == 0)
        // Quotes of one's own say already what is a phrase.
        #expect(count("say \"\\\"red fox\\\" the\" 0:100") == 25)
        #expect(count("say \"\\\"red fox\\\" th\" 0:100") == 0)
        // A range alone is words.
        #expect(answer(desk, "say 10:20").contains("text: This fox was red at 10:20.\nOK\n"))
    }

    @Test func aConditionWaitsForTheWorker() {
        var session = Session(host: desk.host, manner: .plain)
        var response = ResponseBuffer()
        var budget = WorkBudget()
        session.receive(.complete(Array("count \"(said 'fox')\"".utf8)[...]), &budget, &response)
        #expect(session.isBusy && session.isWaiting && response.bytes.isEmpty)
        desk.turn()
        #expect(!session.isWaiting)
        while session.isBusy {
            var budget = WorkBudget()
            session.goOn(&budget, &response)
        }
        #expect(String(decoding: response.bytes, as: UTF8.self).hasPrefix("songs: 25\n"))
    }

    @Test func eachWordOfAConditionIsLookedForOnce() {
        say("The owl, and no fox.", in: desk.shelve("stories/owl.mp3", title: "Owl"), at: 0)
        var asked = desk.bench.worker.takenCount
        let found = answer(desk, "find \"((said 'fox') AND (!(said 'owl')) AND (said 'fox'))\"")
        #expect(found.split(separator: "\n").count { $0.hasPrefix("file: ") } == 25 && !found.contains("owl"))
        #expect(desk.bench.worker.takenCount == asked + 2)
        asked = desk.bench.worker.takenCount
        #expect(answer(desk, "findadd \"(said 'owl')\"", "list title \"(said 'owl')\"") == "OK\nTitle: Owl\nOK\n")
        #expect(desk.queue.count == 27 && desk.queue.last == "stories/owl.mp3")
        #expect(desk.bench.worker.takenCount == asked + 2)
    }

    @Test func playThatFollowsMeansWhatWasThere() {
        var session = Session(host: desk.host, manner: .plain)
        func ask(_ line: String) -> String { answer(&session, [line], desk) }
        func isWhereItWas() -> Bool {
            let status = desk.host.status
            return status.state == .playing && status.current?.position == 4 && status.positionMilliseconds == 6000
        }
        _ = ask("say fox 3:5")
        #expect(ask("sayplay 5") == "OK\n" && isWhereItWas())
        #expect(ask("sayplay 6") == "ACK [50@0] {sayplay} say has not told a sentence of that number\n")
        // Play means the playback before the search.
        _ = ask("say fox")
        #expect(ask("play") == "OK\n" && isWhereItWas())
        _ = ask("say wolf")
        #expect(ask("play") == "OK\n" && isWhereItWas())
        #expect(ask("sayplay").hasPrefix("ACK [50@0]") && isWhereItWas())
    }

    @Test func bookmarks() {
        let desk = Desk.playing()
        #expect(answer(desk, "bookmark add") == "OK\n")
        #expect(answer(desk, "bookmark add") == "ACK [56@0] {bookmark} already a bookmark\n")
        var told = answer(desk, "bookmark list").split(separator: "\n")
        #expect(told.count == 7 && told.remove(at: 4).wholeMatch(of: /added: 20..-..-..T..:..:..Z/) != nil)
        // In a silence it is the sentence before.
        #expect(
            told == [
                "bookmark: 1", "file: stories/lamp.mp3", "Title: Under the Lamp", "start: 3.000", "text: Three.", "OK",
            ])
        #expect(answer(desk, "bookmark list 1:") == "OK\n")
        #expect(desk.effect("bookmark play 1") == "playing 0 at 3000")
        #expect(answer(desk, "bookmark play 9") == "ACK [50@0] {bookmark} no such bookmark\n")
        #expect(answer(desk, "bookmark play") == "ACK [2@0] {bookmark} too few arguments for \"bookmark play\"\n")
        #expect(answer(desk, "bookmark add 1") == "ACK [2@0] {bookmark} too many arguments for \"bookmark add\"\n")
        #expect(answer(desk, "bookmark remove 1") == "OK\n")
        #expect(answer(desk, "bookmark remove") == "ACK [50@0] {bookmark} no such bookmark\n")
        #expect(answer(desk, "bookmark nix") == "ACK [2@0] {bookmark} add, remove, list or play expected: nix\n")
    }
}
