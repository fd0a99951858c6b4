import TestSupport
import Testing
import Text

@testable import Transcript

@Suite struct EncodingTests {
    private let text =
        "1\n00:00:01,000 --> 00:00:02,000\nNaïve café – “Grüße” €5\n\n2\n00:00:02,000 --> 00:00:03,000\nÀ bientôt\n"
    private let expected = ["1000-2000 Naïve café – “Grüße” €5", "2000-3000 À bientôt"]

    private func utf16(_ text: String, littleEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { littleEndian ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 255)] }
    }

    private func windows1252(_ text: String) -> [UInt8] {
        let special: [Unicode.Scalar: UInt8] = ["–": 0x96, "“": 0x93, "”": 0x94, "€": 0x80, "’": 0x92]
        return text.unicodeScalars.map { special[$0] ?? UInt8($0.value) }
    }

    @Test func everyEncoding() throws {
        for (name, bytes) in [
            ("UTF-8", Array(text.utf8)), ("UTF-8 with mark", [0xEF, 0xBB, 0xBF] + text.utf8),
            ("Windows-1252", windows1252(text)), ("UTF-16LE", [0xFF, 0xFE] + utf16(text, littleEndian: true)),
            ("UTF-16BE", [0xFE, 0xFF] + utf16(text, littleEndian: false)),
            ("UTF-16LE without mark", utf16(text, littleEndian: true)),
            ("UTF-16BE without mark", utf16(text, littleEndian: false)),
            ("UTF-16LE and half a unit", [0xFF, 0xFE] + utf16(text, littleEndian: true) + [0x20]),
        ] {
            #expect(lines(try Transcript.parse(bytes)) == expected, "\(name)")
        }
    }

    @Test func everyByteOfWindows1252() throws {
        // A stray byte and no sequence: all is Windows-1252. The five holes of the code page are controls and go.
        let expected =
            "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ ¡¢£¤¥¦§¨©ª«¬®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ"
        let bytes = Array("[00:01]".utf8) + (UInt8(0x80)...0xFF)
        #expect(lines(try Transcript.parse(bytes)) == ["1000-\(1000 + expected.utf8.count * 70) \(expected)"])
    }

    @Test func strayBytesInUTF8() throws {
        // Cut in the middle of a character.
        #expect(lines(try Transcript.parse(Array("[00:01]Ünder café".utf8.dropLast()))) == ["1000-3000 Ünder cafÃ"])
        #expect(
            lines(try Transcript.parse(Array("[00:01]Жук и ".utf8) + [0xE9] + Array("té".utf8))) == [
                "1000-3000 Жук и été"
            ])
    }

    @Test func wellFormedSequencesOnly() {
        // Overlong, surrogate, beyond the last scalar, lone continuation, cut short.
        for bytes: [UInt8] in [
            [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xE2, 0x82],
            [0xFF],
        ] {
            #expect(TextDecoding.sequenceLength(bytes, at: 0) == 0)
            #expect(!TextDecoding.isUTF8(bytes, bytes.indices))
        }
        for scalar in ["a", "é", "€", "\u{D7FF}", "\u{E000}", "\u{10000}", "\u{10FFFF}"] {
            #expect(TextDecoding.sequenceLength(Array(scalar.utf8), at: 0) == scalar.utf8.count)
            var bytes: [UInt8] = []
            bytes.appendUTF8(scalar.unicodeScalars.first!.value)
            #expect(bytes == Array(scalar.utf8))
            #expect(TextDecoding.isUTF8(bytes, bytes.indices))
        }
    }

    /// Whatever comes in, UTF-8 comes out, at a cost in proportion.
    @Test func anyBytesBecomeText() {
        var generator = SeededGenerator(seed: 1252)
        let spice: [[UInt8]] = [
            [0xFF, 0xFE], [0xFE, 0xFF], [0xEF, 0xBB, 0xBF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3],
            [0xE2, 0x82],
            [0x00, 0xD8], [0xD8, 0x00], [0x00, 0xDC], [0, 0], Array("€ é".utf8), Array("plain".utf8), [0x80], [0xE4],
        ]
        for round in 0..<3000 {
            let isLarge = round % 100 == 0
            var bytes: [UInt8] = []
            let count = isLarge ? 100_000 : Int.random(in: 0...200, using: &generator)
            let kinds = spice.shuffled(using: &generator).prefix(Int.random(in: 1...spice.count, using: &generator))
            while bytes.count < count {
                bytes += kinds.randomElement(using: &generator)!
                if Bool.random(using: &generator) { bytes.append(UInt8.random(in: 0...255, using: &generator)) }
            }
            // Each byte becomes three at the most, and what is made grows by doubling.
            let text = expectCost(CostBound(bytesPerByte: 12), inputBytes: bytes.count, "round \(round)") {
                TextDecoding.utf8(from: bytes)
            }
            #expect(String(validating: text, as: UTF8.self) != nil, "round \(round)")
            #expect(TextDecoding.isUTF8(text, text.indices))
            #expect(text.count <= 3 * bytes.count)
        }
    }
}
