// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Console

@Suite("Sentences on the console") struct SentenceSessionTests {
    private func speaking() -> FakeSpeaker {
        let speaker = FakeSpeaker.playing()
        speaker.spokenSegments = (0..<3).map {
            .init(text: "Sentence \($0).", startMilliseconds: $0 * 1000, endMilliseconds: $0 * 1000 + 900)
        }
        speaker.currentSegment = 1
        return speaker
    }

    @Test func alongThemAndAgain() {
        let speaker = speaking()
        for word in ["next", "previous", "repeat", "loop", "a", "b", "off"] {
            #expect(answer(speaker, "sentence " + word) == "OK\n")
        }
        #expect(
            speaker.actions == [
                "sentence next", "sentence previous", "sentence again", "loop sentence", "loop from", "loop to",
                "loop off",
            ])
    }

    @Test func whatIsSpokenAndRepeatedIsTold() {
        let speaker = speaking()
        #expect(answer(speaker, "sentence") == "start: 1.000\nend: 1.900\ntext: Sentence 1.\nOK\n")
        _ = answer(speaker, "sentence loop")
        #expect(answer(speaker, "sentence").hasSuffix("loop_start: 1.000\nloop_end: 2.000\nOK\n"))
        // To say it once more begins anew, and does not end it.
        _ = answer(speaker, "sentence loop")
        #expect(speaker.actions.suffix(2) == ["loop off", "loop sentence"])
    }

    @Test func whatCannotBeIsRefused() {
        #expect(answer(.playing(), "sentence next") == "ACK [50@0] {sentence} No transcript for this item\n")
        #expect(answer(speaking(), "sentence sideways").hasPrefix("ACK [2@0] {sentence} Expected next, previous"))
        let stopped = speaking()
        stopped.status.state = .stopped
        #expect(answer(stopped, "sentence next") == "ACK [55@0] {sentence} Not playing\n")
    }
}
