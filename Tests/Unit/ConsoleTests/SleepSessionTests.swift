import Core
import Testing

@testable import Console

@Suite("Sleep timer on the console") struct SleepSessionTests {
    @Test func itIsToldAndSet() {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "sleep") == "sleep: off\nOK\n")
        #expect(!answer(speaker, "status").contains("sleep"))
        #expect(answer(speaker, "sleep 30") == "OK\n")
        #expect(answer(speaker, "sleep") == "sleep: 1800.000\nOK\n")
        #expect(answer(speaker, "status").contains("\nsleep: 1800.000\n"))
        #expect(answer(speaker, "screenstate").contains("\nsleep: 1800.000\n"))
        for word in ["chapter", "item"] {
            #expect(answer(speaker, "sleep \(word)") == "OK\n")
            #expect(answer(speaker, "status").contains("\nsleep: \(word)\n"))
        }
        #expect(answer(speaker, "sleep off") == "OK\n")
        #expect(speaker.actions == ["sleep 30 min", "sleep end of chapter", "sleep end of item", "sleep off"])
    }

    @Test(arguments: ["0", "1441", "-5", "+5x", "1.5", "", "night", "99999999999999999999"])
    func whatIsNoLengthIsRefused(word: String) {
        #expect(answer(.playing(), "sleep \"\(word)\"").hasPrefix("ACK [2@0] {sleep} "), "\(word)")
    }

    @Test func interruptionsAreBegunAndEnded() {
        let speaker = FakeSpeaker.playing()
        for command in ["interrupt begin", "interrupt begin 20", "interrupt end"] {
            #expect(answer(speaker, command) == "OK\n")
        }
        #expect(speaker.actions.count == 3)
        for command in [
            "interrupt begin 0", "interrupt begin 3601", "interrupt begin x", "interrupt stop", "interrupt end 5",
        ] {
            #expect(answer(speaker, command).hasPrefix("ACK [2@0] {interrupt} "), "\(command)")
        }
        #expect(answer(speaker, "interrupt").hasPrefix("ACK [2@0] {interrupt} ") && speaker.actions.count == 3)
    }
}
