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
        #expect(message { try parse("{}", .json) } == "JSON, expected SubRip, WebVTT or LRC")
    }
}

@Suite struct WebVTTTests {
    private func vtt(_ text: String) throws -> [String] { lines(try parse(text, .webVTT)) }

    @Test func everyKindOfBlock() throws {
        let text = """
            WEBVTT - The night train
            Kind: captions
            X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000

            NOTE
            a comment
            of two lines

            STYLE
            ::cue(b) { color: red }

            REGION
            id:fred
            width:40%

            first
            00:01.000 --> 00:02.500 align:start position:0%
            <v Roger Bingham>We are in <c.yellow.bg_blue>New York</c>

            NOTE another

            2
            01:00:03.000 --> 01:00:05.000
            <00:00:03.000>One <00:00:04.000><c>word</c> &amp; <lang en-GB>another</lang>&nbsp;<ruby>猫<rt>neko</rt></ruby>
            second&lrm; line

            identifier at the end
            """
        let expected = ["1000-2500 We are in New York", "3603000-3605000 One word & another 猫neko second line"]
        #expect(try vtt(text) == expected)
        #expect(try vtt(text.replacing("\n", with: "\r\n")) == expected)
        #expect(try vtt(text.replacing("\n", with: "\r")) == expected)
        #expect(try vtt("\u{FEFF}" + text) == expected)
        #expect(lines(try parse(text)) == expected, "by content")
    }

    @Test func withoutHeaderOrBlankLines() throws {
        #expect(
            try vtt("00:01.000 --> 00:02.000\nA\n00:03.000 --> 00:04.000\nB") == ["1000-2000 A", "3000-4000 B"])
        #expect(
            lines(
                try Transcript.parse(
                    Array("00:01.000 --> 00:02.000\nA\n\nNOTE not said\n".utf8), fileName: "a.VTT")) == ["1000-2000 A"])
    }

    @Test func captionsOfSpeechRecognition() throws {
        #expect(
            try vtt(
                """
                WEBVTT
                Kind: captions

                00:00:00.080 --> 00:00:01.990 align:start position:0%
                \u{20}
                so<00:00:00.320><c> welcome</c><00:00:01.000><c> to</c>

                00:00:01.990 --> 00:00:02.000 align:start position:0%
                so welcome to
                \u{20}

                00:00:02.000 --> 00:00:04.000 align:start position:0%
                so welcome to
                the<00:00:02.320><c> night</c><00:00:03.000><c> train</c>
                """) == ["80-2000 so welcome to", "2000-4000 the night train"])
    }

    @Test func linesSaidTwiceAfterAPauseStay() throws {
        #expect(
            try vtt("WEBVTT\n\n00:01.000 --> 00:02.000\nYes.\n\n00:03.000 --> 00:04.000\nYes.\n")
                == ["1000-2000 Yes.", "3000-4000 Yes."])
    }
}

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
        }
        for scalar in ["a", "é", "€", "\u{D7FF}", "\u{E000}", "\u{10000}", "\u{10FFFF}"] {
            #expect(TextDecoding.sequenceLength(Array(scalar.utf8), at: 0) == scalar.utf8.count)
            var bytes: [UInt8] = []
            bytes.appendUTF8(scalar.unicodeScalars.first!.value)
            #expect(bytes == Array(scalar.utf8))
        }
    }
}

@Suite struct DetectionTests {
    private func detect(_ text: String, _ name: String? = nil) -> TranscriptFormat? {
        TranscriptFormat.detect(Array(text.utf8), fileName: name)
    }

    @Test func byName() {
        for (name, format) in [
            ("a.srt", TranscriptFormat.srt), ("a.SRT", .srt), ("a.b.Vtt", .webVTT), ("a.lrc", .lrc), (".json", .json),
            ("a.mp3", nil), ("srt", nil), ("a.srt.txt", nil), ("", nil), ("a.", nil),
        ] {
            #expect(TranscriptFormat(fileName: name) == format, "\(name)")
        }
    }

    @Test func byContent() {
        #expect(detect("\u{FEFF}WEBVTT\n") == .webVTT)
        #expect(detect("1\n00:01,0 --> 00:02,0\nA", "a.lrc") == .srt)
        #expect(detect("[ti:x]\n[00:01.00]A", "a.srt") == .lrc)
        #expect(detect(" {\"segments\": []}", "a.srt") == .json)
        #expect(detect("[\n {\"start\": 1}]") == .json)
        #expect(detect("00:01.0 --> 00:02.0\nA", "a.vtt") == .webVTT)
        #expect(detect("nothing", "a.lrc") == .lrc)
        #expect(detect("nothing") == nil)
        #expect(detect("") == nil)
        #expect(message { try parse("nothing") }?.hasPrefix("not a transcript") == true)
    }
}
