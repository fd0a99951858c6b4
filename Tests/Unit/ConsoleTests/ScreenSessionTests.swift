// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Console

@Suite("What screens are told") struct ScreenSessionTests {
    @Test func allThatThereIsToShow() {
        let speaker = FakeSpeaker.playing()
        speaker.status.file = "willows/1.mp3"
        speaker.status.title = "The River Bank"
        speaker.status.book = "The Wind in the Willows"
        (speaker.status.chapterNumber, speaker.status.chapterCount) = (1, 12)
        speaker.status.isFavourite = true
        speaker.spokenSegments = (0..<3).map {
            .init(text: "Sentence \($0).", startMilliseconds: $0 * 1000, endMilliseconds: $0 * 1000 + 900)
        }
        speaker.currentSegment = 1
        let told = answer(speaker, "screenstate")
        #expect(told.hasPrefix("state: play\n"))
        for line in [
            "file: willows/1.mp3", "title: The River Bank", "book: The Wind in the Willows", "chapter_number: 1",
            "chapter_count: 12", "favourite: 1", "picture: 0", "segment: 1 1.000-1.900 Sentence 1.",
        ] {
            #expect(told.contains("\n" + line + "\n"))
        }
        #expect(!told.contains("artist:") && !told.contains("chapter:") && !told.contains("trouble:"))
        #expect(answer(speaker, "screenstate 0").components("segment: ") == 1)
        #expect(answer(speaker, "screenstate x").hasPrefix("ACK [2@0] {screenstate}"))
    }

    @Test func helpNamesEachLine() {
        let help = answer(FakeSpeaker(), "help screenstate").split { $0.isWhitespace }.joined(separator: " ")
        #expect(help.contains("value: state (play, pause, stop), wait (device, library, network), trouble, "))
        #expect(help.contains(", elapsed, duration and the sentences") && !help.contains("%"))
    }

    @Test func nothingToPlay() {
        let speaker = FakeSpeaker()
        speaker.status.trouble = .noAudioFound
        let told = answer(speaker, "screenstate")
        #expect(told.contains("trouble: No audio found\n") && !told.contains("title:") && told.hasSuffix("OK\n"))
    }

    /// One client asks, the screen is told so, and what it says is the answer.
    @Test func whatStandsOnTheScreen() {
        let speaker = FakeSpeaker.playing()
        var screen = Session(speaker: speaker, manner: .plain)
        var told = ResponseBuffer()
        // Who does not idle for it is no screen.
        screen.take(.complete(Array("screen end".utf8)[...]), &told)
        #expect(String(decoding: told.bytes, as: UTF8.self).hasPrefix("ACK [4@0] {screen}"))
        told.removeAll()
        screen.take(.complete(Array(#"screen focus a b c d"#.utf8)[...]), &told)
        #expect(String(decoding: told.bytes, as: UTF8.self).hasPrefix("ACK [4@0] {screen}"))
        told.removeAll()
        screen.take(.complete(Array("idle player screen".utf8)[...]), &told)
        #expect(speaker.actions == ["screen came"] && told.bytes.isEmpty)

        var asking = Session(speaker: speaker, manner: .plain)
        var answer = ResponseBuffer()
        var budget = WorkBudget()
        asking.receive(.complete(Array("screen tree".utf8)[...]), &budget, &answer)
        #expect(asking.isBusy && asking.isWaiting && answer.bytes.isEmpty)
        screen.notify(.screen, &told)
        #expect(String(decoding: told.bytes, as: UTF8.self) == "changed: screen\nOK\n")
        for line in [
            #"screen element heading "My \"Book\"" "" "" "" "0 0 200 40""#,
            #"screen element button "Play" "" "plays" "focused" "10 20 44 44""#, "screen end",
        ] { screen.take(.complete(Array(line.utf8)[...]), &told) }
        while asking.isBusy { asking.goOn(&budget, &answer) }
        #expect(
            String(decoding: answer.bytes, as: UTF8.self)
                == "element: heading\nlabel: My \"Book\"\nframe: 0 0 200 40\n"
                + "element: button\nlabel: Play\nhint: plays\nstate: focused\nframe: 10 20 44 44\nOK\n")
        screen.take(.complete(Array(#"screen focus "Emma" "3 h" "opens it" "focused""#.utf8)[...]), &told)
        screen.end()
        #expect(speaker.actions == ["screen came", "focus Emma, 3 h, opens it, focused", "screen went"])
    }

    @Test func whatIsFelt() {
        let speaker = FakeSpeaker()
        #expect(answer(speaker, "haptic heavy") == "OK\n")
        #expect(speaker.actions == ["feel heavy"])
        #expect(answer(speaker, "haptic loud").hasPrefix("ACK [2@0] {haptic} "))
        speaker.failure = ConsoleError(.noExist, "nothing to feel it with")
        #expect(answer(speaker, "haptic light") == "ACK [50@0] {haptic} nothing to feel it with\n")
    }
}
