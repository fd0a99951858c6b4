// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Transcript

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
