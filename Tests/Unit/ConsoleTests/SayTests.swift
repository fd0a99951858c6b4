// SPDX-License-Identifier: Apache-2.0
import Model
import Testing

@testable import Console

@Suite struct SayTests {
    private let speaker = FakeSpeaker.playing()

    init() {
        speaker.sentences = (0..<25).map {
            SpokenHit(
                itemID: Int64($0 + 1), path: "/srv/nightstand/stories/\($0).mp3", title: "Story \($0)",
                milliseconds: $0 * 1500,
                text: "The red fox, \($0).")
        }
    }

    @Test func tenSentencesAndWhetherThereAreMore() {
        let told = answer(speaker, "say fox")
        #expect(
            told.hasPrefix(
                "hit: 1\nfile: stories/0.mp3\nTitle: Story 0\nstart: 0.000\ntext: The red fox, 0.\nhit: 2\n"))
        #expect(told.hasSuffix("text: The red fox, 9.\nmore: 10:20\nOK\n"))
        #expect(answer(speaker, "say fox 20:30").hasPrefix("hit: 21\n"))
        #expect(!answer(speaker, "say fox 20:30").contains("more"))
        #expect(answer(speaker, "say wolf") == "OK\n")
        #expect(answer(speaker, "say fox 30:40") == "OK\n")
        #expect(answer(speaker, "say \"\"") == "ACK [2@0] {say} There is no word in it: \n")
        #expect(answer(speaker, "say fox 5:2") == "ACK [2@0] {say} Malformed range: 5:2\n")
    }

    @Test func whatIsNotReadYetIsNotUnsaid() {
        speaker.status.isReadingWords = true
        #expect(answer(speaker, "say wolf") == "updating: 1\nOK\n")
        #expect(answer(speaker, "say fox 0:1").hasPrefix("updating: 1\nhit: 1\n"))
    }

    @Test func anArgumentWithASpaceIsAPhrase() {
        _ = answer(speaker, "say \"red fox\" th* 0:5")
        _ = answer(speaker, "say \"\\\"red fox\\\" th\"")
        _ = answer(speaker, "say 10:20")
        #expect(speaker.sayings == ["\"red fox\" th*", "\"red fox\" th", "10:20"])
    }

    @Test func aConditionWaitsForTheWorker() {
        let late = Awaited<ItemSet>()
        speaker.lateSongsSaying = late
        var session = Session(speaker: speaker, manner: .plain)
        var response = ResponseBuffer()
        var budget = WorkBudget()
        session.receive(.complete(Array("count \"(said 'fox')\"".utf8)[...]), &budget, &response)
        #expect(session.isBusy && session.isWaiting && response.bytes.isEmpty)
        late.settle(.success(ItemSet()))
        #expect(!session.isWaiting)
        while session.isBusy {
            var budget = WorkBudget()
            session.goOn(&budget, &response)
        }
        #expect(String(decoding: response.bytes, as: UTF8.self).hasPrefix("songs: 0\n"))
    }

    @Test func eachWordOfAConditionIsLookedForOnce() {
        speaker.songsSaying.insert(7)
        _ = answer(speaker, "find \"((said 'fox') AND (!(said 'owl')) AND (said 'fox'))\"")
        #expect(speaker.sayings == ["fox", "owl"])
        _ = answer(speaker, "findadd \"(said 'fox')\"")
        _ = answer(speaker, "list album \"(said 'fox')\"")
        #expect(speaker.sayings.count == 4)
    }

    @Test func playThatFollowsMeansWhatWasThere() {
        var session = Session(speaker: speaker, manner: .plain)
        func ask(_ line: String) -> String {
            var response = ResponseBuffer()
            var budget = WorkBudget()
            session.receive(.complete(Array(line.utf8)[...]), &budget, &response)
            while session.isBusy {
                var budget = WorkBudget()
                session.goOn(&budget, &response)
            }
            return String(decoding: response.bytes, as: UTF8.self)
        }
        _ = ask("say fox 3:5")
        #expect(ask("sayplay 5") == "OK\n")
        #expect(ask("sayplay 6") == "ACK [50@0] {sayplay} say has not told a sentence of that number\n")
        // Play means what was there before somebody looked for something else.
        _ = ask("say fox")
        #expect(ask("play") == "OK\n")
        _ = ask("say wolf")
        #expect(ask("play") == "OK\n")
        #expect(ask("sayplay").hasPrefix("ACK [50@0]"))
        #expect(speaker.actions == ["play 5 from 6000", "play", "play"])
    }

    @Test func bookmarks() {
        #expect(answer(speaker, "bookmark add") == "OK\n")
        #expect(answer(speaker, "bookmark add") == "ACK [56@0] {bookmark} already a bookmark\n")
        #expect(
            answer(speaker, "bookmark list")
                == "bookmark: 1\nfile: stories/lamp.mp3\nTitle: Under the Lamp\nstart: 5.123\nadded: 2023-11-14T22:13:20Z\ntext: Said here.\nOK\n"
        )
        #expect(answer(speaker, "bookmark list 1:") == "OK\n")
        #expect(answer(speaker, "bookmark play 1") == "OK\n")
        #expect(answer(speaker, "bookmark play 9") == "ACK [50@0] {bookmark} no such bookmark\n")
        #expect(answer(speaker, "bookmark play") == "ACK [2@0] {bookmark} too few arguments for \"bookmark play\"\n")
        #expect(answer(speaker, "bookmark add 1") == "ACK [2@0] {bookmark} too many arguments for \"bookmark add\"\n")
        #expect(answer(speaker, "bookmark remove 1") == "OK\n")
        #expect(answer(speaker, "bookmark remove") == "ACK [50@0] {bookmark} no such bookmark\n")
        #expect(
            answer(speaker, "bookmark nix")
                == "ACK [2@0] {bookmark} add, remove, list or play expected: nix\n")
        #expect(speaker.actions.contains("play 7 from 5123"))
    }
}
