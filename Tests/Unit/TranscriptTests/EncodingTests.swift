// SPDX-License-Identifier: Apache-2.0
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
        let signs = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ ¡¢£¤¥¦§¨©ª«¬®¯°±²³´µ¶·¸¹º»¼½¾¿"
        // Letters stand between those of ASCII, as in the languages that are written so.
        let letters = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ".map { "\($0)a" }.joined()
        for (bytes, expected) in [
            (Array(0x80..<0xC0), signs), ((0xC0...0xFF).flatMap { [$0, UInt8(ascii: "a")] }, letters),
        ] as [([UInt8], String)] {
            let found = lines(try Transcript.parse(Array("[00:01]".utf8) + bytes))
            #expect(found == ["1000-\(1000 + expected.utf8.count * 70) \(expected)"])
        }
    }

    @Test func cyrillicOfOneByteEach() {
        func windows1251(_ text: String) -> [UInt8] {
            let special: [Unicode.Scalar: UInt8] = [
                "Ё": 0xA8, "ё": 0xB8, "і": 0xB3, "ї": 0xBF, "є": 0xBA, "ґ": 0xB4, "—": 0x97, "«": 0xAB, "»": 0xBB,
                "…": 0x85,
                "№": 0xB9, "ў": 0xA2, "ј": 0xBC, "њ": 0x9C, "Ђ": 0x80, "“": 0x93,
            ]
            return text.unicodeScalars.map {
                special[$0] ?? ($0.value < 0x80 ? UInt8($0.value) : UInt8($0.value - 0x0410 + 0xC0))
            }
        }
        for text in [
            "Глава седьмая", "Кино", "«Ёлка», №7 — часть 2…", "Хай живе Україна, її діти є ґречні", "Дзень добры, ўсе",
            "Ђаво и њeгови", "Tolstoy - Война и мир (CD 1)", "1\n00:00:01,000 --> 00:00:02,000\nОна ушла.\n",
        ] {
            #expect(String(decoding: TextDecoding.utf8(from: windows1251(text)), as: UTF8.self) == text)
        }
        // In the West no three stand together.
        for text in ["Süße Größe", "Créée à l’île", "þÞ ðæ", "À", "¿Qué? ¡Sí! «Él»", "äö"] {
            let bytes = text.unicodeScalars.map { $0 == "’" ? 0x92 : $0 == "œ" ? 0x9C : UInt8($0.value) }
            #expect(String(decoding: TextDecoding.utf8(from: bytes), as: UTF8.self) == text)
        }
    }

    @Test func strayBytesInUTF8() throws {
        // Cut in the middle of a character.
        #expect(lines(try Transcript.parse(Array("[00:01]Ünder café".utf8.dropLast()))) == ["1000-3000 Ünder caf"])
        #expect(
            lines(try Transcript.parse(Array("[00:01]Жук и ".utf8) + [0xE9] + Array("té".utf8))) == [
                "1000-3000 Жук и été"
            ])
    }

    /// As whisper.cpp cuts a sentence where a token ends.
    @Test func lettersCutBetweenCues() throws {
        let bytes = Array("今天天气很好我们出去走".utf8)
        func pieces(_ cuts: [Int]) -> [[UInt8]] {
            zip([0] + cuts, cuts + [bytes.count]).map { Array(bytes[$0..<$1]) }
        }
        func srt(_ pieces: [[UInt8]]) throws -> [String] {
            var file: [UInt8] = []
            for (second, piece) in pieces.enumerated() {
                file += "\(second)\n00:00:0\(second),000 --> 00:00:0\(second),900\n".utf8 + piece + [10, 10]
            }
            return try Transcript.parse(file, format: .srt).map(\.text)
        }
        func json(_ pieces: [[UInt8]]) throws -> [String] {
            var file = Array(#"{"transcription": ["#.utf8)
            for (second, piece) in pieces.enumerated() {
                if second > 0 { file += ",".utf8 }
                file +=
                    #"{"offsets": {"from": \#(second)000, "to": \#(second)900}, "text": ""#.utf8 + piece + #""}"#.utf8
            }
            return try Transcript.parse(file + "]}".utf8, format: .json).map(\.text)
        }
        func lrc(_ pieces: [[UInt8]]) throws -> [String] {
            var file: [UInt8] = []
            for (second, piece) in pieces.enumerated() { file += "[00:0\(second).00]".utf8 + piece + [10] }
            return try Transcript.parse(file, format: .lrc).map(\.text)
        }
        for read in [srt, json, lrc] {
            #expect(try read(pieces([8, 20])).joined() == "今天天气很好我们出去走")
            #expect(try read(pieces([7, 8])).joined() == "今天天气很好我们出去走")
            // A lone piece of a character is left out, and so is a cue of nothing else.
            #expect(
                try read([Array("一".utf8), [0xC3], Array("二".utf8), [0xE5, 0xA4], Array("三".utf8) + [0xF0, 0x9F]])
                    == ["一", "二", "三"])
            #expect(try read([Array("一".utf8), [0xA9, 0xA9] + Array("二".utf8), [0xA9]]).joined() == "一二")
        }
        for read in [srt, lrc] { #expect(try read(pieces([8, 20])) == ["今天天", "气很好我", "们出去走"]) }
        #expect(try srt([Array("Hm.".utf8), [0xC3], Array("Yes.".utf8)]) == ["Hm.", "Yes."])
        // Windows-1252 stays what it is.
        #expect(try srt([windows1252("le café"), windows1252("“à Paris”")]) == ["le café", "“à Paris”"])
    }

    @Test func halfLetters() {
        func halves(_ bytes: [UInt8]) -> [Int] {
            let halves = TextDecoding.halfLetters(bytes, bytes.indices)
            return [halves.rest, halves.beginning]
        }
        #expect(halves([]) == [0, 0])
        #expect(halves(Array("é".utf8)) == [0, 0])
        #expect(halves([0x80]) == [1, 0])
        #expect(halves([0xC3]) == [0, 1])
        #expect(halves([0xA9, 0x41, 0xF0, 0x9F, 0x98]) == [1, 3])
        for begun: [UInt8] in [[0xE0], [0xE0, 0xA0], [0xED, 0x9F], [0xF0, 0x90], [0xF4, 0x8F, 0xBF]] {
            #expect(halves([0x41] + begun) == [0, begun.count])
        }
        for never: [UInt8] in [[0xC0], [0xE0, 0x80], [0xED, 0xA0], [0xF4, 0x90], [0xF5], [0xFF], [0xC3, 0x41]] {
            #expect(halves([0x41] + never) == [0, 0])
        }
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

    /// Any bytes become UTF-8, at a cost in proportion.
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
