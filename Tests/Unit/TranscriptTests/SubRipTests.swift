// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Transcript

@Suite struct SubRipTests {
    private func srt(_ text: String) throws -> [String] { lines(try parse(text, .srt)) }

    @Test func plain() throws {
        let text = "1\n00:00:01,000 --> 00:00:02,500\nHello there.\n\n2\n01:02:03,004 --> 01:02:05,000\nTwo\nlines\n\n"
        let expected = ["1000-2500 Hello there.", "3723004-3725000 Two lines"]
        #expect(try srt(text) == expected)
        for lineBreak in ["\r\n", "\r", "\r\r\n"] {
            #expect(try srt(text.replacing("\n", with: lineBreak)) == expected, "\(lineBreak.debugDescription)")
        }
        #expect(try srt("\u{FEFF}" + text) == expected)
        #expect(try srt(text.replacing(",", with: ".")) == expected)
        #expect(try srt("  " + text.replacing("\n", with: " \n  ")) == expected)
    }

    @Test func withoutBlankLines() throws {
        #expect(
            try srt("1\n00:00:01,0 --> 00:00:02,0\nA\n2\n00:00:03,0 --> 00:00:04,0\nB") == [
                "1000-2000 A", "3000-4000 B",
            ])
    }

    /// Every line break doubled.
    @Test func doubleSpaced() throws {
        #expect(
            try srt("1\n\n00:00:01,0 --> 00:00:02,0\n\nA\n\nB\n\n\n\n2\n\n00:00:03,0 --> 00:00:04,0\n\nC\n\n")
                == ["1000-2000 A B", "3000-4000 C"])
    }

    @Test func withoutCounters() throws {
        #expect(
            try srt("00:01,000 --> 00:02,000\nA\n\n00:03,000 --> 00:04,000\n1984\n\n00:05,000 --> 00:06,000\nC")
                == ["1000-2000 A", "3000-4000 1984", "5000-6000 C"])
    }

    @Test func numbersInTextStay() throws {
        #expect(
            try srt("1\n00:01,000 --> 00:02,000\nRoom\n101\n\n2\n00:03,000 --> 00:04,000\n7\n")
                == ["1000-2000 Room 101", "3000-4000 7"])
    }

    @Test func blankLinesInText() throws {
        #expect(
            try srt("1\n00:01,000 --> 00:02,000\nA\n\nB\n\n2\n00:03,000 --> 00:04,000\nC")
                == ["1000-2000 A B", "3000-4000 C"])
    }

    @Test func cutAfterACounter() throws {
        #expect(try srt("1\n00:01,000 --> 00:02,000\nA\n\n2\n") == ["1000-2000 A"])
        #expect(try srt("1\n00:01,000 --> 00:02,000\nA\n\n2\n00:03,000 --> ") == ["1000-2000 A"])
    }

    @Test func odditiesOfTheTimingLine() throws {
        for line in [
            "00:00:01,000 --> 00:00:02,000  X1:100 X2:200 Y1:10 Y2:20", "0:0:1 --> 0:0:2", "00:01.0 -> 00:02.0",
            "00: 00: 01, 000 --> 00: 00: 02, 000", "00:00:01:000-->00:00:02:000", "00:00:01,000000 --> 00:00:02,000999",
            "  00:00:01,000\t-->\t00:00:02,000", "0000:00:01,000 - -> 00:00:02,000 align:start",
        ] {
            #expect(try srt("1\n\(line)\nA") == ["1000-2000 A"], "\(line)")
        }
        #expect(try srt("00:00:01,5 --> 00:00:02,25\nA") == ["1500-2250 A"])
    }

    @Test func endsThatCannotBeUsed() throws {
        #expect(
            try srt("00:00:01,000 -->\nA\n\n00:00:05,000 --> rubbish\nB\n\n00:00:09,000 --> 00:00:08,000\nC")
                == ["1000-5000 A", "5000-9000 B", "9000-11000 C"])
    }

    @Test func hugeNumbers() throws {
        let nines = String(repeating: "9", count: 50)
        #expect(try srt("00:01,000 --> \(nines):\(nines):\(nines),\(nines)\nA") == ["1000-1800000000 A"])
        #expect(throws: TranscriptError.self) { try srt("\(nines):00:00 --> \(nines):00:01\nA") }
        #expect(try srt("-00:00:03,000 --> 00:00:01,000\nA") == ["0-1000 A"])
    }

    /// Died on 32 bits: the difference of two times that are held to 500 hours is larger than any.
    @Test func negativeNestedTimes() throws {
        #expect(
            try srt(
                "-500:00:00,000 --> 500:00:00,000\nA\n\n-400:00:00,000 --> -300:00:00,000\nB\n\n00:00:01,000 --> 00:00:02,000\nC\n"
            ) == ["0-1000 A", "1000-2000 C", "2000-1800000000 A"])
    }

    @Test func markup() throws {
        for (source, text) in [
            ("<i>Ita</i>lic", "Italic"), ("{\\an8}Top", "Top"), ("<font color=\"#FF0000\" size=3>Red</font>", "Red"),
            ("one<br>two<BR/>three", "one two three"), ("<b><u>x</u></b>", "x"), ("{y:i}slanted", "slanted"),
            ("one\\Ntwo\\hthree", "one two three"), ("3 < 4 > 2", "3 < 4 > 2"), ("I <3 you", "I <3 you"),
            ("a <b", "a <b"), ("{sic} {", "{sic} {"), ("x<", "x<"), ("</>x", "x"), ("5 <6:7> 8", "5 8"),
            ("<<i>x", "<x"), ("\\", "\\"), ("<i", "<i"), ("C:\\dir", "C:\\dir"),
        ] {
            #expect(try srt("00:01,000 --> 00:02,000\n\(source)") == ["1000-2000 \(text)"])
        }
    }

    @Test func entities() throws {
        for (source, text) in [
            ("fish &amp; chips", "fish & chips"), ("&lt;i&gt;", "<i>"), ("&quot;&apos;", "\"'"), ("a&nbsp;b", "a b"),
            ("&eacute;&Eacute;&yuml;&iexcl;&szlig;", "éÉÿ¡ß"), ("&#233;&#xe9;&#XE9;", "ééé"), ("&hellip;&mdash;", "…—"),
            ("a&lrm;b&rlm;&shy;c", "abc"), ("&euro;&oelig;&scaron;", "€œš"), ("&#10;x&#0;&#27;y", "xy"),
            ("&#xD800;x&#x110000;", "x"),
            ("&#99999999;x", "x"), ("AT&T; R&D &", "AT&T; R&D &"), ("&;&#;&#x;", "&;&#;&#x;"), ("&amp;lt;", "&lt;"),
            ("&ampamp;", "&ampamp;"), ("&#128105;", "👩"), ("&thorn;&eth;", "þð"), ("&#x2g;", "&#x2g;"),
        ] {
            #expect(try srt("00:01,000 --> 00:02,000\n\(source)") == ["1000-2000 \(text)"])
        }
    }

    @Test func rollingCaptions() throws {
        #expect(
            try srt(
                """
                1
                00:00:00,000 --> 00:00:02,000

                so welcome to

                2
                00:00:02,000 --> 00:00:02,010
                so welcome to

                3
                00:00:02,010 --> 00:00:04,000
                so welcome to
                the night train

                4
                00:00:04,000 --> 00:00:04,010
                the night train

                5
                00:00:04,010 --> 00:00:06,000
                the night train
                and its people
                """) == ["0-2010 so welcome to", "2010-4010 the night train", "4010-6000 and its people"])
    }

    /// Two lines, each time with the mark on another word, and once without any, as `--highlight_words` of Whisper writes them.
    @Test func markedWords() throws {
        let words = ["one", "two", "three", "four", "five", "six"]
        func text(marking marked: Int?) -> String {
            let shown = words.indices.map { $0 == marked ? "<u>\(words[$0])</u>" : words[$0] }
            return shown[..<3].joined(separator: " ") + "\n" + shown[3...].joined(separator: " ")
        }
        func cue(_ tenths: Int, _ text: String) -> String {
            "00:00:0\(tenths / 10),\(tenths % 10)00 --> 00:00:0\((tenths + 5) / 10),\((tenths + 5) % 10)00\n\(text)\n\n"
        }
        let marks: [Int?] = [0, 1, nil, 2, 3, 4, 5]
        let cues = marks.enumerated().map { cue($0.offset * 5, text(marking: $0.element)) }.joined()
        #expect(try srt(cues) == ["0-3500 one two three four five six"])
        #expect(lines(try parse("WEBVTT\n\n" + cues, .webVTT)) == ["0-3500 one two three four five six"])
        // A refrain that comes again stays, and so does one that only begins alike.
        #expect(
            try srt(cue(0, "la\nli") + cue(10, "la\nli") + cue(15, "la\nlu"))
                == ["0-500 la li", "1000-1500 la li", "1500-2000 la lu"])
        // Captions that roll and mark.
        #expect(
            try srt(cue(0, "la") + cue(5, "la\n<u>li</u> lo") + cue(10, "la\nli <u>lo</u>") + cue(15, "li lo\nlu"))
                == ["0-500 la", "500-1500 li lo", "1500-2000 lu"])
    }

    @Test func outOfOrderAndOverlapping() throws {
        #expect(
            try srt("00:05,000 --> 00:08,000\nB\n\n00:01,000 --> 00:06,000\nA") == ["1000-5000 A", "5000-8000 B"])
    }

    @Test func errorsSayWhatWasExpected() {
        #expect(
            message { try parse("", .srt) } == "no cue in 0 lines, expected times such as 00:01:02,500 --> 00:01:04,000"
        )
        #expect(
            message { try parse("a\nb", .srt) }
                == "no cue in 2 lines, expected times such as 00:01:02,500 --> 00:01:04,000")
        #expect(
            message { try parse("1\n1.000 --> 2.000\nA", .srt) }
                == "line 2: cannot read the times, expected 00:01:02,500 --> 00:01:04,000")
        #expect(message { try parse("00:01,0 --> 00:02,0\n<i></i>", .srt) } == "no text to show: every cue is empty")
    }
}
