// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Transcript

@Suite struct LyricsTests {
    private func lrc(_ text: String, duration: Int? = nil) throws -> [String] {
        lines(try parse(text, .lrc, duration: duration))
    }

    @Test func plain() throws {
        let text = "[ti:Night]\n[ar: Nobody]\n\n[00:01.00]One\n[00:02.5] Two \n[00:04]Three\n[01:00.125]Four\n"
        #expect(
            try lrc(text) == ["1000-2500 One", "2500-4000 Two", "4000-60125 Three", "60125-62125 Four"])
        #expect(try lrc(text, duration: 70_000).last == "60125-70000 Four")
        #expect(try lrc("[length: 01:10]\n" + text).last == "60125-70000 Four")
        #expect(try lrc("[length: 01:10]\n" + text, duration: 80_000).last == "60125-80000 Four")
        #expect(try lrc(text.replacing("\n", with: "\r\n")).count == 4)
    }

    /// However long a file says that it is.
    @Test func untimedTextOfAnyLength() throws {
        let text = Array(String(repeating: "Some words that are sung.\n", count: 400).utf8)
        for duration in [1, 1 << 40, Int.max - 1, Int.max] {
            let transcript = try Transcript.parse(untimedText: text, durationMilliseconds: duration)
            #expect(transcript.allSatisfy { $0.startMilliseconds >= 0 && $0.startMilliseconds <= duration })
        }
    }

    @Test func manyStampsOnOneLine() throws {
        #expect(
            try lrc("[00:01.00] [00:05.00]Refrain\n[00:03.00]Verse")
                == ["1000-3000 Refrain", "3000-5000 Verse", "5000-7000 Refrain"])
    }

    @Test func positiveOffsetIsSooner() throws {
        #expect(try lrc("[offset:500]\n[00:01.00]A\n[00:02.00]B") == ["500-1500 A", "1500-3500 B"])
        #expect(try lrc("[00:01.00]A\n[00:02.00]B\n[ Offset : +500 ]") == ["500-1500 A", "1500-3500 B"])
        #expect(try lrc("[offset:-500]\n[00:01.00]A\n[00:02.00]B") == ["1500-2500 A", "2500-4500 B"])
        #expect(try lrc("[offset:1500]\n[00:01.00]A\n[00:02.00]B") == ["0-500 A", "500-2500 B"])
        #expect(throws: TranscriptError.self) { try lrc("[offset:99999999999999999999]\n[00:01.00]A\n[00:02.00]B") }
        #expect(try lrc("[offset:rubbish]\n[00:01.00]A") == ["1000-3000 A"])
    }

    @Test func wordStamps() throws {
        #expect(
            try lrc("[00:01.00] <00:01.00> One <00:01.50> two <00:02.00>\n[00:04.00]Three[00:04.50] four[00:05.00]")
                == ["1000-2000 One two", "4000-5000 Three four"])
        #expect(
            try lrc("[00:01.00]<00:01.00>One <00:01.50>two\n[00:04.00]Three <sic> [laughs]").first
                == "1000-4000 One two")
    }

    @Test func wordStampsMoveWithTheOffset() throws {
        #expect(try lrc("[offset:-1000]\n[00:01.00]<00:01.00>One <00:02.00>\n[00:04.00]B").first == "2000-3000 One")
    }

    @Test func emptyLinesEnd() throws {
        #expect(try lrc("[00:01.00]A\n[00:03.00]\n[00:09.00]B\n[00:10.00]  ") == ["1000-3000 A", "9000-10000 B"])
    }

    @Test func hoursAndHundredths() throws {
        #expect(try lrc("[01:02:03.50]A\n[125:00.00]B") == ["3723500-7500000 A", "7500000-7502000 B"])
        #expect(try lrc("[01:02:03]A").first == "3723000-3725000 A")
        // Some files have a colon before the hundredths; one stamp gives them away.
        #expect(try lrc("[00:01:50]A\n[00:02:75]B") == ["1500-2750 A", "2750-4750 B"])
    }

    @Test func textThatLooksLikeATag() throws {
        #expect(
            try lrc("[00:01.00][Chorus] la\n[00:02.00]by 5:30] he\nnot timed\n[by:someone]\n[00:03]x]")
                == ["1000-2000 [Chorus] la", "2000-3000 by 5:30] he", "3000-5000 x]"])
    }

    @Test func originalAndTranslation() throws {
        #expect(try lrc("[00:01.00]Guten Tag\n[00:01.00]Good day\n[00:02.00]x").first == "1000-2000 Guten Tag Good day")
    }

    @Test func errors() {
        #expect(message { try parse("words", .lrc) } == "no line with a time, expected [01:02.50] before the text")
        #expect(message { try parse("[00:01.00]\n[00:02.00]", .lrc) } == "no text to show: every cue is empty")
    }
}
