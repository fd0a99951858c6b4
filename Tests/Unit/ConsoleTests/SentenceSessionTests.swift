// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Console
@testable import SpeakerBench
@testable import Wire

@Suite("Sentences on the console") struct SentenceSessionTests {
    /// Plays amid the second of three sentences: at 0, 2 and 3 s, each a second long.
    private let desk = Desk.playing()

    init() { hear(2500) }

    private func hear(_ milliseconds: Int) { desk.bench.player.positionMilliseconds = milliseconds }

    @Test func alongThemAndAgain() {
        #expect(desk.effect("sentence next") == "playing 0 at 3000")
        #expect(desk.effect("sentence previous") == "playing 0 at 2000")
        #expect(desk.effect("sentence previous") == "playing 0 at 0")
        hear(2500)
        _ = answer(desk, "pause 1")
        #expect(desk.effect("sentence repeat") == "playing 0 at 2000")
    }

    @Test func aStretchIsRepeated() {
        #expect(desk.effect("sentence a") == "")
        hear(3500)
        #expect(desk.effect("sentence b") == "stretch 2000..<4000")
        #expect(desk.effect("sentence off") == "stretch none")
        #expect(desk.effect("sentence off") == "")
    }

    @Test func whatIsSpokenAndRepeatedIsTold() {
        #expect(answer(desk, "sentence") == "start: 2.000\nend: 3.000\ntext: Two.\nOK\n")
        #expect(desk.effect("sentence loop") == "stretch 2000..<3000")
        #expect(answer(desk, "sentence").hasSuffix("text: Two.\nloop_start: 2.000\nloop_end: 3.000\nOK\n"))
        // To say it once more begins anew, and does not end it.
        #expect(desk.effect("sentence loop") == "")
        hear(3500)
        #expect(desk.effect("sentence loop") == "stretch 3000..<4000")
    }

    @Test func whatCannotBeIsRefused() {
        #expect(answer(desk, "sentence sideways").hasPrefix("ACK [2@0] {sentence} Expected next, previous"))
        _ = answer(desk, "play 1")
        for word in ["next", "loop"] {
            #expect(
                answer(desk, "sentence " + word) == "ACK [50@0] {sentence} The transcript is being read\n")
        }
        // The disk hangs.
        desk.bench.worker.refusal = .full
        _ = answer(desk, "play 2")
        for word in ["next", "previous", "repeat", "loop"] {
            #expect(answer(desk, "sentence " + word) == "ACK [50@0] {sentence} No transcript for this item\n")
        }
        _ = answer(desk, "stop")
        #expect(answer(desk, "sentence next") == "ACK [55@0] {sentence} Not playing\n")
    }
}
