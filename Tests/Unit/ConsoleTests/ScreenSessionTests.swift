// SPDX-License-Identifier: Apache-2.0
import Core
import Media
import Model
import Speaker
import Testing

@testable import Console
@testable import SpeakerBench
@testable import Wire

@Suite("What screens are told") struct ScreenSessionTests {
    @Test func allThatThereIsToShow() {
        let desk = Desk()
        desk.shelve(
            "willows/1.mp3", title: "The River Bank", album: "The Wind in the Willows",
            chapters: (0..<12).map { Chapter(startMilliseconds: $0 * 5000, title: "") })
        _ = answer(desk, "play", "favourite add")
        desk.turn()
        desk.bench.player.positionMilliseconds = 2500
        let told = answer(desk, "screenstate")
        #expect(told.hasPrefix("state: play\n"))
        for line in [
            "file: willows/1.mp3", "title: The River Bank", "book: The Wind in the Willows", "chapter_number: 1",
            "chapter_count: 12", "favourite: 1", "picture: 0", "elapsed: 2.500", "duration: 60.000",
            "segment: 0 0.000-1.000 One.", "segment: 1 2.000-3.000 Two.", "segment: 2 3.000-4.000 Three.",
        ] {
            #expect(told.contains("\n" + line + "\n"), "\(line)")
        }
        #expect(!told.contains("artist:") && !told.contains("chapter:") && !told.contains("trouble:"))
        #expect(answer(desk, "screenstate 0").hasSuffix("\nduration: 60.000\nsegment: 1 2.000-3.000 Two.\nOK\n"))
        #expect(answer(desk, "screenstate x").hasPrefix("ACK [2@0] {screenstate}"))
    }

    @Test func helpNamesEachLine() {
        let help = answer(Desk(), "help screenstate").split { $0.isWhitespace }.joined(separator: " ")
        #expect(help.contains("value: state (play, pause, stop), wait (device, library, network), trouble, "))
        #expect(help.contains(", elapsed, duration and the sentences") && !help.contains("%"))
    }

    @Test func nothingToPlay() {
        let told = answer(Desk(), "screenstate")
        #expect(told.contains("trouble: No audio found\n") && !told.contains("title:") && told.hasSuffix("OK\n"))
    }

    /// Its answer may be long in coming.
    private func ask(_ session: inout Session, _ response: inout ResponseBuffer) {
        var budget = WorkBudget()
        session.receive(.complete(Array("screen tree".utf8)[...]), &budget, &response)
    }

    /// One client asks, the screen is told so, and what it says is the answer.
    @Test func whatStandsOnTheScreen() {
        let desk = Desk()
        func session() -> Session { Session(host: desk.host, manner: .plain) }
        var (screen, asking) = (session(), session())
        // A client that does not idle for it is no screen.
        for line in ["screen end", "screen focus a b c d"] {
            #expect(answer(&screen, [line]).hasPrefix("ACK [4@0] {screen}"))
        }
        var (refusal, woken, told) = (ResponseBuffer(), ResponseBuffer(), ResponseBuffer())
        ask(&asking, &refusal)
        #expect(String(decoding: refusal.bytes, as: UTF8.self) == "ACK [50@0] {screen} no screen is there\n")
        #expect(answer(&screen, ["idle player screen"]) == "")

        desk.forgetTold()
        ask(&asking, &told)
        #expect(asking.isBusy && asking.isWaiting && told.bytes.isEmpty)
        desk.turn()
        #expect(desk.told == [.screen])
        screen.notify(.screen, &woken)
        #expect(String(decoding: woken.bytes, as: UTF8.self) == "changed: screen\nOK\n")
        let lines = [
            #"screen element heading "My \"Book\"" "" "" "" "0 0 200 40""#,
            #"screen element button "Play" "" "plays" "focused" "10 20 44 44""#, "screen end",
        ]
        #expect(answer(&screen, lines) == "OK\nOK\nOK\n" && !asking.isWaiting)
        var budget = WorkBudget()
        while asking.isBusy && !asking.isWaiting { asking.goOn(&budget, &told) }
        #expect(
            String(decoding: told.bytes, as: UTF8.self)
                == "element: heading\nlabel: My \"Book\"\nframe: 0 0 200 40\n"
                + "element: button\nlabel: Play\nhint: plays\nstate: focused\nframe: 10 20 44 44\nOK\n")
        screen.end()
        var late = ResponseBuffer()
        ask(&asking, &late)
        #expect(late.bytes == refusal.bytes)
    }

    private final class FakeVoice: VoicePort {
        var said: [String] = []
        let isSpeaking = false
        func say(_ text: String) { said.append(text) }
        func announce(_ announcement: Announcement) -> Bool { false }
        func hush() {}
    }

    @Test func whatHasTheFocusIsSaid() {
        let (desk, voice) = (Desk(), FakeVoice())
        desk.bench.speaker.audience.answers = Answers(voice, .menu, timers: desk.bench.timers)
        var screen = Session(host: desk.host, manner: .plain)
        _ = answer(&screen, ["idle screen", "noidle"])
        let lines = [
            #"screen focus "Emma" "3 h" "opens it" "focused""#, #"screen focus "Light" "" "" "focused selected""#,
        ]
        #expect(answer(&screen, lines) == "OK\nOK\n")
        #expect(voice.said == ["Emma, 3 h. opens it.", "Light, chosen."])
    }

    @Test func whatIsFelt() {
        let desk = Desk()
        #expect(answer(desk, "haptic light").hasPrefix("ACK [50@0] {haptic} nothing to feel it with"))
        var felt: [Haptic] = []
        desk.host.haptics = { felt.append($0) }
        #expect(answer(desk, "haptic heavy") == "OK\n" && felt == [.heavy])
        #expect(answer(desk, "haptic loud").hasPrefix("ACK [2@0] {haptic} ") && felt.count == 1)
    }
}
