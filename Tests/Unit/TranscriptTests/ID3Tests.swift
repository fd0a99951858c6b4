// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Transcript

@Suite struct ID3Tests {
    private func encoded(_ text: String, _ encoding: UInt8, mark: Bool = true, littleEndian: Bool = true) -> [UInt8] {
        if encoding == 0 { return text.unicodeScalars.map { UInt8($0.value) } + [0] }
        if encoding == 3 { return Array(text.utf8) + [0] }
        let littleEndian = littleEndian && encoding == 1
        var bytes: [UInt8] = []
        if encoding == 1, mark { bytes = littleEndian ? [0xFF, 0xFE] : [0xFE, 0xFF] }
        for unit in text.utf16 {
            let pair = [UInt8(unit >> 8), UInt8(unit & 255)]
            bytes += littleEndian ? pair.reversed() : pair
        }
        return bytes + [0, 0]
    }

    private func frame(
        _ entries: [(String, UInt32)], encoding: UInt8 = 3, unit: UInt8 = 2, content: UInt8 = 1,
        mark: (Int) -> Bool = { _ in true }, littleEndian: Bool = true
    ) -> [UInt8] {
        var body = [encoding] + Array("eng".utf8) + [unit, content]
        body += encoded("déscription", encoding, littleEndian: littleEndian)
        for (index, (text, time)) in entries.enumerated() {
            body += encoded(text, encoding, mark: mark(index), littleEndian: littleEndian)
            body += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: time >> $0) }
        }
        return body
    }

    @Test(arguments: [0, 1, 2, 3] as [UInt8]) func sentencesInEveryEncoding(encoding: UInt8) throws {
        let entries: [(String, UInt32)] = [("Ünder the lamp.", 1000), ("It stood near.", 70_000), ("", 75_000)]
        let expected = ["1000-70000 Ünder the lamp.", "70000-75000 It stood near."]
        for littleEndian in [true, false] {
            #expect(
                lines(
                    try Transcript.parse(
                        synchronisedLyricsFrame: frame(entries, encoding: encoding, littleEndian: littleEndian)))
                    == expected)
            // A mark in the first text only.
            #expect(
                lines(
                    try Transcript.parse(
                        synchronisedLyricsFrame: frame(
                            entries, encoding: encoding, mark: { _ in false }, littleEndian: littleEndian))) == expected
            )
        }
    }

    @Test func syllablesBehindLineFeeds() throws {
        #expect(
            lines(
                try Transcript.parse(
                    synchronisedLyricsFrame: frame([
                        ("Strang", 100), ("ers", 400), (" in", 700), (" the", 900), (" night", 1100), ("\nEx", 2000),
                        ("chang", 2200), ("ing", 2400), (" glances", 2600),
                    ]), durationMilliseconds: 5000)) == [
                    "100-2000 Strangers in the night", "2000-5000 Exchanging glances",
                ])
        #expect(
            lines(
                try Transcript.parse(
                    synchronisedLyricsFrame: frame([("One\n", 100), ("Two ", 700), ("too\r\n", 900), ("Three", 2000)])))
                == ["100-700 One", "700-2000 Two too", "2000-4000 Three"])
    }

    @Test func wordsWithoutLineFeeds() throws {
        #expect(
            lines(
                try Transcript.parse(
                    synchronisedLyricsFrame: frame([
                        ("It", 0), ("stood.", 300), ("Then", 900), ("it", 1200), ("fell.", 1500),
                    ]),
                    durationMilliseconds: 3000)) == ["0-900 It stood.", "900-3000 Then it fell."])
    }

    @Test func timesInMPEGFrames() throws {
        let body = frame([("First line", 100), ("Second line", 200)], unit: 1)
        #expect(
            lines(
                try Transcript.parse(
                    synchronisedLyricsFrame: body, millisecondsPerFrame: 1152 * 1000 / 44_100,
                    durationMilliseconds: 9999))
                == ["2612-5224 First line", "5224-9999 Second line"])
        #expect(
            message { try Transcript.parse(synchronisedLyricsFrame: body) }
                == "SYLT: times in MPEG frames, expected milliseconds")
        for bad in [0, -1, .nan, .infinity, 1e300] {
            #expect(throws: TranscriptError.self) {
                try Transcript.parse(synchronisedLyricsFrame: body, millisecondsPerFrame: bad)
            }
        }
    }

    @Test func refusesWhatIsNoTranscript() {
        func reason(_ body: [UInt8]) -> String? { message { try Transcript.parse(synchronisedLyricsFrame: body) } }
        #expect(reason(frame([("Cmaj7", 0)], content: 5)) == "SYLT: content type 5 is not text")
        #expect(reason(frame([("a", 0)], unit: 3)) == "SYLT: time stamp format 3, expected 1 or 2")
        #expect(reason([9] + frame([("a", 0)]).dropFirst()) == "lyrics: text encoding 9, expected 0 to 3")
        #expect(reason([]) == "lyrics: frame of 0 bytes is cut short")
        #expect(reason([3, 1, 2, 3, 2]) == "SYLT: frame of 5 bytes is cut short")
        #expect(reason(frame([])) == "SYLT: no text with a time")
        #expect(reason(frame([("a", .max)])) == "SYLT: no text with a time")
    }

    @Test func cutFramesKeepWhatIsWhole() throws {
        let body = frame([("First line", 0), ("Second line", 500)])
        for length in 0...body.count {
            let transcript = try? Transcript.parse(synchronisedLyricsFrame: Array(body.prefix(length)))
            let second = "Second line\0".utf8.count + 4
            #expect(transcript?.count == (length == body.count ? 2 : length >= body.count - second ? 1 : nil))
        }
    }

    @Test(arguments: [0, 1, 2, 3] as [UInt8]) func untimed(encoding: UInt8) throws {
        let head = [encoding] + Array("eng".utf8) + encoded("déscription", encoding)
        let estimated = try Transcript.parse(
            unsynchronisedLyricsFrame: head + encoded("Über das Haus\r\nund den Hof\n\n", encoding),
            durationMilliseconds: 25_000)
        #expect(lines(estimated) == ["0-14000 Über das Haus", "14000-25000 und den Hof"])
        let timed = try Transcript.parse(
            unsynchronisedLyricsFrame: head + encoded("[ti:x]\n[00:01.00]Über\n[00:02.00]uns", encoding),
            durationMilliseconds: 25_000)
        #expect(lines(timed) == ["1000-2000 Über", "2000-25000 uns"])
        #expect(
            message {
                try Transcript.parse(
                    unsynchronisedLyricsFrame: head + encoded("words", encoding), durationMilliseconds: nil)
            }
                == "lyrics without times, and the length of the audio is not known")
        #expect(
            message { try Transcript.parse(unsynchronisedLyricsFrame: head, durationMilliseconds: 1000) }
                == "lyrics without text")
    }

    @Test func proseIsSplitAtSentences() throws {
        let prose =
            "It was a dark and stormy night when Dr. Seward came home. The rain fell in torrents, “everywhere.” Except at occasional intervals!"
        let transcript = try Transcript.parse(untimedText: Array(prose.utf8), durationMilliseconds: 60_000)
        #expect(
            transcript.map(\.text) == [
                "It was a dark and stormy night when Dr. Seward came home.", "The rain fell in torrents, “everywhere.”",
                "Except at occasional intervals!",
            ])
        #expect(transcript.last?.endMilliseconds == 60_000)
        checkInvariants(transcript, "prose")
    }
}
