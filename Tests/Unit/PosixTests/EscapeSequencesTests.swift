// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Posix

@Suite struct EscapeSequencesTests {
    private func events(_ text: String) -> [EscapeSequences.Event] {
        var sequences = EscapeSequences()
        return text.utf8.compactMap { sequences.receive($0) }
    }

    @Test func arrowsOfEveryTerminal() {
        #expect(events("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D") == [.up, .down, .right, .left])
        #expect(events("\u{1B}OA\u{1B}O5C\u{1B}[1;5D") == [.up, .right, .left])
        #expect(events("\u{1B}\u{1B}[C") == [.right])
    }

    @Test func homeAndEndOfEveryTerminal() {
        #expect(events("\u{1B}[H\u{1B}[F\u{1B}OH\u{1B}OF\u{1B}[1;5H") == [.home, .end, .home, .end, .home])
        #expect(events("\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~") == [.home, .end, .home, .end])
    }

    @Test func whatIsNoKeyOfTheseIsSwallowedWhole() {
        // Delete, F5, F4 of some, the Linux console's F1, brackets around what is pasted.
        #expect(events("\u{1B}[3~\u{1B}[15~\u{1B}[14~\u{1B}[~\u{1B}[[A\u{1B}[200~q\u{1B}[201~") == [.byte(0x71)])
        #expect(events("\u{1B}q") == [.altered(0x71)])
    }

    @Test func aControlCharacterEndsASequenceAndCounts() {
        for start in ["\u{1B}", "\u{1B}[", "\u{1B}[1;", "\u{1B}O", "\u{1B}[["] {
            #expect(events(start + "\rA") == [.byte(0x0D), .byte(0x41)])
            #expect(events(start + "\u{3}") == [.byte(0x03)])
        }
    }

    /// After any bytes, a plain byte behind a control character counts.
    @Test func rubbishIsSurvived() {
        var random = SeededGenerator(seed: 11)
        var sequences = EscapeSequences()
        // Nothing is kept of a sequence, however long it is.
        expectCost(CostBound(fixedBytes: 64 << 10, bytesPerByte: 0), inputBytes: 20_000) {
            for _ in 0..<20_000 {
                let byte = Bool.random(using: &random) ? 0x1B : UInt8.random(in: 0...255, using: &random)
                _ = sequences.receive(byte)
                if Int.random(in: 0..<50, using: &random) == 0 {
                    #expect(sequences.receive(0x0D) == .byte(0x0D))
                    #expect(sequences.receive(0x78) == .byte(0x78))
                }
            }
        }
        let digits = [UInt8](repeating: UInt8(ascii: "1"), count: 1 << 20)
        _ = sequences.receive(0x1B)
        _ = sequences.receive(UInt8(ascii: "["))
        expectCost(CostBound(nanosecondsPerByte: 1000, fixedBytes: 64 << 10, bytesPerByte: 0), inputBytes: digits.count)
        {
            for byte in digits { if sequences.receive(byte) != nil { Issue.record("a key of digits") } }
        }
        #expect(sequences.receive(UInt8(ascii: "C")) == .right)
    }
}
