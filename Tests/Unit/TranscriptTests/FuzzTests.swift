// SPDX-License-Identifier: Apache-2.0
import FuzzWork
import TestSupport
import Testing

@testable import Transcript

/// Real samples, bytes changed at random: no crash, every promise kept, and time and memory in proportion to what is read.
@Suite struct FuzzTests {
    private static let samples: [[UInt8]] = [
        Array(
            "1\n00:00:01,000 --> 00:00:02,500 X1:5\n<i>Hello</i> {\\an8}there &amp; caf&#233;.\n\n2\n00:00:02,000 --> 00:00:05,000\nTwo\nlines\n\n3\n01:02:03,004 --> 01:02:05,000\nÜnder 猫 👩‍🚀\n"
                .utf8),
        Array(
            "WEBVTT - x\n\nNOTE a\nb\n\nSTYLE\n::cue{}\n\nid\n00:01.000 --> 00:02.500 align:start\n<v Bob>Hi <c.a>you</c> <00:01.500>now&nbsp;&lrm;\n\n00:02.500 --> 00:02.510\nnow\n\n00:02.510 --> 01:00:05.000\nnow\nthen\n"
                .utf8),
        Array(
            "[ti:Night]\n[offset:+250]\n[length:03:20]\n[00:01.00][00:09.50]Refrain é\n[00:02.50]<00:02.50>One <00:03.00>two <00:03.50>\n[00:05.00]\n[00:06:77]x\n[01:00:00.5]y\n"
                .utf8),
        [0xFF, 0xFE]
            + "1\n00:00:01,000 --> 00:00:02,500\nWide 👩‍🚀\n".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] },
        [3] + Array("eng".utf8) + [2, 1] + Array("d\0Strang\0".utf8) + [0, 0, 1, 0] + Array("ers\0".utf8) + [
            0, 0, 2, 0,
        ]
            + Array("\nnight.\0".utf8) + [0, 0, 9, 0],
        [1] + Array("eng".utf8) + [0xFF, 0xFE, 0x64, 0, 0, 0, 0xFF, 0xFE, 0x41, 0, 0x0A, 0, 0x42, 0],
        Array(
            "{\"segments\": [{\"start\": 0.5, \"end\": 1e0, \"text\": \" The \\u00dcnder\\n\", \"tokens\": [1, 2]}, {\"startTime\": 1, \"endTime\": 2.5, \"body\": \"no!\", \"speaker\": \"Luke\"}], \"transcription\": [{\"offsets\": {\"from\": 0, \"to\": 3320}, \"text\": \"\\ud83e\\uddf9\"}]}\n"
                .utf8),
    ]
    private static let spice: [[UInt8]] =
        [
            "-->", "\n", "\r", "\n\n", ":", "[", "]", "<", ">", "&", ";", "&#x", "{\\", "}", "9999999999", "-",
            "00:00:01", "\0", "\\N",
            "[00:01.00]", "[offset:-99999999999]", "\u{FEFF}", "WEBVTT", "{", "\"", "\\", "\\u", ",", "1e99", " ", "\t",
            "\u{2028}", "\u{1B}[2J",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0x80], [0xFF, 0xFE], [0, 0]]

    private func mutated(_ sample: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = sample
        for _ in 0..<Int.random(in: 1...12, using: &generator) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: bytes.insert(contentsOf: Self.spice.randomElement(using: &generator)!, at: index)
            case 3: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...8, using: &generator)))
            case 4:
                let piece = bytes[index..<min(bytes.count, index + Int.random(in: 1...60, using: &generator))]
                bytes.insert(contentsOf: piece, at: Int.random(in: 0...bytes.count, using: &generator))
            default: bytes.removeLast(Int.random(in: 0...min(4, bytes.count), using: &generator))
            }
        }
        return bytes
    }

    @Test(arguments: samples.indices) func mutations(sample: Int) {
        var generator = SeededGenerator(seed: UInt64(sample))
        var parsed = 0
        for round in 0..<2000 {
            let bytes = mutated(Self.samples[sample], &generator)
            let duration = Bool.random(using: &generator) ? Int.random(in: -10...100_000, using: &generator) : nil
            let transcripts = everyWay(bytes, duration: duration, "sample \(sample), round \(round): \(bytes)")
            for transcript in transcripts {
                #expect(!transcript.isEmpty)
                checkInvariants(transcript, "sample \(sample), round \(round): \(bytes)")
            }
            parsed += transcripts.count
        }
        // The mutations must not all be refused at the door.
        #expect(parsed > 100)
    }

    /// Times, counts and offsets of any size, in what is right otherwise.
    @Test(arguments: [0, 1, 2, 4, 6]) func numbersOfAnySize(sample: Int) {
        let bytes = Self.samples[sample]
        // The times of SYLT are no digits.
        let file =
            sample == 4
            ? FieldFile(bytes, [.big(at: 15, bytes: 4), .big(at: 23, bytes: 4), .big(at: 4, bytes: 2)])
            : FieldFile(text: String(decoding: bytes, as: UTF8.self))
        file.fuzz("transcript-\(sample)", kind: FuzzKind.transcript.name, cases: 300) { bytes, comment in
            FuzzWork.run(.transcript, bytes) { Issue.record("\($0): \(comment)") }
            for duration in [nil, 0, 60_000, Int.max] {
                for transcript in everyWay(bytes, duration: duration, comment) {
                    checkInvariants(transcript, Comment(rawValue: comment))
                }
            }
        }
    }

    /// The bound is generous, but not for what grows with the square of the length.
    @Test(arguments: samples.indices) func largeFilesCostTheirLength(sample: Int) {
        var generator = SeededGenerator(seed: 100 + UInt64(sample))
        for round in 0..<2 {
            // A few kinds of damage, again and again: markup that opens once opens a thousand times.
            let pieces = (0..<4).map { _ in mutated(Self.samples[sample], &generator) }
            var bytes = Self.samples[sample]
            while bytes.count < 100_000 { bytes += pieces.randomElement(using: &generator)! + [0x0A] }
            _ = everyWay(bytes, duration: 3_600_000, "sample \(sample), round \(round): \(pieces)")
        }
    }

    /// Reads it in each format and in none. Each may cost that much: cues of a few bytes each cost the most.
    private func everyWay(_ bytes: [UInt8], duration: Int?, _ comment: @autoclosure () -> String) -> [Transcript] {
        let bound = CostBound(bytesPerByte: 40)
        var ways: [(String, () throws -> Transcript)] = [
            (
                "SYLT",
                {
                    try Transcript.parse(
                        synchronisedLyricsFrame: bytes, millisecondsPerFrame: 26, durationMilliseconds: duration)
                }
            ),
            ("USLT", { try Transcript.parse(unsynchronisedLyricsFrame: bytes, durationMilliseconds: duration) }),
        ]
        for format in [nil] + TranscriptFormat.allCases.map(Optional.init) {
            ways.append(
                (
                    "\(format, default: "any")",
                    { try Transcript.parse(bytes, format: format, durationMilliseconds: duration) }
                ))
        }
        return ways.compactMap { name, parse in
            expectCost(bound, inputBytes: bytes.count, "\(name), \(comment())") { try? parse() }
        }
    }

    /// Bad cases for a parser that looks ahead: many things opened and none closed.
    @Test(arguments: [
        "<a", "{\\", "&", "&#", "[1:", "<1:", "00:00 -", "1\n", " ", "\n", "a. ", "x\u{301}", "<1", ")", "[", "{\"a\":",
        "\"",
        "[1:1]", "[1:1]a\n", "\\",
    ]) func openedAndNeverClosed(piece: String) {
        func head(_ format: TranscriptFormat) -> String {
            switch format {
            case .webVTT: "WEBVTT\n\n00:01.000 --> 00:02.000\nx"
            case .srt: "00:00:01,000 --> 00:00:02,000\nx"
            case .lrc: "[00:01.00]x"
            case .json: "{\"segments\": [{\"start\": 1, \"text\": \"x\"},"
            }
        }
        func input(_ head: [UInt8]) -> (Int) -> [UInt8] {
            { head + Array(repeatElement(Array(piece.utf8), count: $0 / piece.utf8.count).joined()) }
        }
        for format in TranscriptFormat.allCases {
            expectLinear(
                smallBytes: 4 << 10, "\(format)", make: input(Array(head(format).utf8)),
                work: {
                    let transcript = try? Transcript.parse($0, format: format)
                    checkInvariants(transcript ?? Transcript(normalising: []), "\(piece)")
                })
        }
        expectLinear(
            smallBytes: 4 << 10, "without times", make: input([0x78]),
            work: {
                let transcript = try? Transcript.parse(untimedText: $0, durationMilliseconds: 1000)
                checkInvariants(transcript ?? Transcript(normalising: []), "\(piece)")
            })
    }

    @Test func thousandsAtOneTime() throws {
        let cue = Array("00:00:01,000 --> 00:00:02,000\nx\n\n".utf8)
        try expectLinear(
            smallBytes: 32 << 10, make: { Array(repeatElement(cue, count: $0 / cue.count).joined()) },
            work: {
                let transcript = try Transcript.parse($0)
                #expect(lines(transcript) == ["1000-2000 x"])
            })
    }
}
