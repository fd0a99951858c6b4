import TestSupport
import Testing

@testable import Transcript

/// Real samples, bytes changed at random: no crash, and every promise kept.
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
    ]
    private static let spice: [[UInt8]] =
        [
            "-->", "\n", "\r", "\n\n", ":", "[", "]", "<", ">", "&", ";", "&#x", "{\\", "}", "9999999999", "-",
            "00:00:01", "\0", "\\N",
            "[00:01.00]", "[offset:-99999999999]", "\u{FEFF}", "WEBVTT", "{", " ", "\t", "\u{2028}", "\u{1B}[2J",
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
            var transcripts: [Transcript] = []
            for format in [nil, TranscriptFormat.srt, .webVTT, .lrc] {
                if let transcript = try? Transcript.parse(bytes, format: format, durationMilliseconds: duration) {
                    transcripts.append(transcript)
                }
            }
            if let transcript = try? Transcript.parse(
                synchronisedLyricsFrame: bytes, millisecondsPerFrame: 26, durationMilliseconds: duration)
            {
                transcripts.append(transcript)
            }
            if let transcript = try? Transcript.parse(unsynchronisedLyricsFrame: bytes, durationMilliseconds: duration)
            {
                transcripts.append(transcript)
            }
            for transcript in transcripts {
                #expect(!transcript.isEmpty)
                checkInvariants(transcript, "sample \(sample), round \(round): \(bytes)")
            }
            parsed += transcripts.count
        }
        // The mutations must not all be refused at the door.
        #expect(parsed > 400)
    }

    /// Bad cases for a parser that looks ahead: many things opened and none closed. Where the time is not linear these take many minutes.
    @Test(.timeLimit(.minutes(1))) func openedAndNeverClosed() throws {
        let head = Array("00:00:01,000 --> 00:00:02,000\n".utf8)
        for piece in ["<a", "{\\", "&", "&#", "[1:", "<1:", "00:00 -", "1\n", " ", "\n", "a. ", "x\u{301}", "<1", ")"] {
            let tail = Array(repeatElement(Array(piece.utf8), count: piece.count > 1 ? 60_000 : 20_000).joined())
            for format in [TranscriptFormat.srt, .webVTT, .lrc] {
                let transcript = try? Transcript.parse(head + [0x78] + tail, format: format)
                checkInvariants(transcript ?? Transcript(normalising: []), "\(piece)")
            }
            let untimed = try? Transcript.parse(untimedText: [0x78] + tail, durationMilliseconds: 1000)
            checkInvariants(untimed ?? Transcript(normalising: []), "\(piece)")
        }
        let simultaneous = Array(repeatElement(head + Array("x\n\n".utf8), count: 10_000).joined())
        #expect(lines(try Transcript.parse(simultaneous)) == ["1000-2000 x"])
    }
}
