// SPDX-License-Identifier: Apache-2.0
import Foundation
import Model
import Posix
import TestSupport
import Testing

@testable import Transcript

@Suite struct TranscriptJSONTests {
    private func parse(_ json: String, duration: Int? = nil) throws(TranscriptError) -> Transcript {
        try Transcript.parse(Array(json.utf8), format: .json, durationMilliseconds: duration)
    }

    private static let whisperCpp = """
        {
          "systeminfo": "AVX = 1 | NEON = 0", "model": {"type": "base", "multilingual": true, "audio": {"ctx": 1500}},
          "params": {"model": "models/ggml-base.bin", "language": "en", "translate": false},
          "result": {"language": "en"},
          "transcription": [
            {
              "timestamps": {"from": "00:00:00,000", "to": "00:00:03,320"},
              "offsets": {"from": 0, "to": 3320},
              "text": " The Mole had been working very hard all the morning.",
              "tokens": [
                {"text": "[_BEG_]", "timestamps": {"from": "00:00:00,000", "to": "00:00:00,000"}, "offsets": {"from": 0, "to": 0}, "id": 50363, "p": 0.1, "t_dtw": -1},
                {"text": " The", "offsets": {"from": 0, "to": 200}, "id": 383, "p": 0.5, "t_dtw": -1},
                {"text": " Mole", "offsets": {"from": 200, "to": 500}, "id": 17638, "p": 1.0, "t_dtw": -1},
                {"text": "[_TT_166]", "offsets": {"from": 3320, "to": 3320}, "id": 50529, "p": 0.1, "t_dtw": -1}
              ]
            },
            {
              "timestamps": {"from": "00:00:03,320", "to": "00:00:06,000"},
              "offsets": {"from": 3320, "to": 6000},
              "text": " First with brooms; \\"then\\" with dusters \\u2014 \\ud83e\\uddf9."
            }
          ]
        }
        """

    private static let whisper = """
        {"text": " Mole. Second.", "segments": [
          {"id": 0, "seek": 0, "start": 0.0, "end": 3.319999933242798, "text": " The Mole had been working.",
           "tokens": [50364, 440, 7534], "temperature": 0.0, "avg_logprob": -0.6931471805599453, "compression_ratio": 1.2, "no_speech_prob": 0.009,
           "words": [{"word": " The", "start": 0.0, "end": 0.2, "probability": 0.9}]},
          {"id": 1, "seek": 0, "start": 3.5, "end": 36000.0015, "text": " Second\\nline.", "avg_logprob": NaN, "no_speech_prob": Infinity}],
         "language": "en"}
        """

    private static let podcasting = """
        {"version": "1.0.0", "segments": [
          {"speaker": "Darth", "startTime": 0.5, "endTime": 0.75, "body": "I"},
          {"speaker": "Darth", "startTime": 0.75, "endTime": 1, "body": "am"},
          {"speaker": "Darth", "startTime": 1, "endTime": 1.25, "body": "your"},
          {"speaker": "Darth", "startTime": 1.25, "endTime": 1.5, "body": "father."},
          {"speaker": "Luke", "startTime": 1.6, "endTime": 1.9, "body": "No,"},
          {"speaker": "Luke", "startTime": 2, "endTime": 2.5, "body": "no!"}]}
        """

    @Test func whisperCppIsRead() throws {
        let transcript = try parse(TranscriptJSONTests.whisperCpp)
        try #require(transcript.count == 2)
        #expect(
            transcript[0]
                == Segment(
                    text: "The Mole had been working very hard all the morning.", startMilliseconds: 0,
                    endMilliseconds: 3320))
        #expect(transcript[1].text == "First with brooms; \"then\" with dusters — 🧹.")
        #expect(transcript[1].startMilliseconds == 3320)
        #expect(transcript[1].endMilliseconds == 6000)
    }

    @Test func openAIWhisperIsRead() throws {
        let transcript = try parse(TranscriptJSONTests.whisper)
        try #require(transcript.count == 2)
        #expect(transcript[0].text == "The Mole had been working.")
        #expect(transcript[0].startMilliseconds == 0)
        #expect(transcript[0].endMilliseconds == 3320)
        #expect(transcript[1].text == "Second line.")
        #expect(transcript[1].startMilliseconds == 3500)
        #expect(transcript[1].endMilliseconds == 36_000_002)
    }

    @Test func podcastingWordsBecomeSentences() throws {
        let transcript = try parse(TranscriptJSONTests.podcasting)
        #expect(transcript.map(\.text) == ["I am your father.", "No, no!"])
        #expect(transcript.map(\.startMilliseconds) == [500, 1600])
        #expect(transcript.map(\.endMilliseconds) == [1500, 2500])
    }

    @Test func whispersWordListIsRead() throws {
        let transcript = try parse(
            """
            {"task": "transcribe", "duration": 2.0, "segments": [], "words": [
              {"word": "Once", "start": 0.0, "end": 0.4}, {"word": "upon", "start": 0.4, "end": 0.6},
              {"word": "a", "start": 0.6, "end": 0.7}, {"word": "time.", "start": 0.7, "end": 1.0}]}
            """)
        #expect(transcript.map(\.text) == ["Once upon a time."])
        #expect(transcript.first?.endMilliseconds == 1000)
    }

    @Test func aBareArrayIsRead() throws {
        let transcript = try parse(
            #" [{"start": 1, "end": 2, "text": "One thing."}, {"start": "2.5", "text": "Other thing."}] "#,
            duration: 9000)
        #expect(transcript.map(\.text) == ["One thing.", "Other thing."])
        #expect(transcript.map(\.startMilliseconds) == [1000, 2500])
        #expect(transcript.map(\.endMilliseconds) == [2000, 9000])
    }

    @Test func otherEncodingsAreRead() throws {
        let json = #"[{"start": 1, "end": 2, "text": "Élan vital — ça va"}]"#
        var little: [UInt8] = [0xFF, 0xFE]
        for unit in json.utf16 { little += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let forms: [[UInt8]] = [Array(json.utf8), [0xEF, 0xBB, 0xBF] + Array(json.utf8), little]
        for bytes in forms {
            #expect(try Transcript.parse(bytes, fileName: "a.json").map(\.text) == ["Élan vital — ça va"])
        }
        let latin: [UInt8] = Array(#"[{"start": 1, "end": 2, "text": "caf"#.utf8) + [0xE9] + Array(#" noir"}]"#.utf8)
        #expect(try Transcript.parse(latin, fileName: "a.json").map(\.text) == ["café noir"])
    }

    @Test func contentDecidesAndNotTheName() throws {
        #expect(try Transcript.parse(Array(TranscriptJSONTests.whisper.utf8), fileName: "a.srt").count == 2)
        let srt = "1\n00:00:01,000 --> 00:00:02,000\nHello there\n"
        #expect(try Transcript.parse(Array(srt.utf8), fileName: "a.srt").map(\.text) == ["Hello there"])
        #expect(throws: TranscriptError.self) { try Transcript.parse(Array("nothing".utf8), fileName: "a.json") }
    }

    @Test func oddEntriesAreLeftOut() throws {
        let transcript = try parse(
            """
            {"segments": [null, 1, "text", [], {}, {"start": 1}, {"text": "no time"}, {"start": null, "text": "null time"},
              {"start": "soon", "text": "no number"}, {"start": [1], "text": "array"}, {"start": 1, "text": 5}, {"start": 1, "text": {"a": 1}},
              {"start": -5, "end": 2, "text": "Held at zero."}, {"start": 10, "end": 1e999, "text": "Held at the end."},
              {"start": 3, "end": 2, "text": "Ends before it starts."}, {"start": 4, "end": "x", "text": "Raw\u{1}\t control\u{0} characters."},
              {"start": 5, "text": "NaN, Infinity and \\\\"},
              {"start": 6, "text": "Deep.", "tokens": [1, null, {"p": "x"}, {"text": "a", "p": 2}], "avg_logprob": "x"}]}
            """, duration: 7000)
        #expect(
            transcript.map(\.text) == [
                "Held at zero.", "Ends before it starts.", "Raw control characters.", "NaN, Infinity and \\", "Deep.",
                "Held at the end.",
            ])
    }

    @Test(arguments: [
        "", " ", "{", "[", "]", "{}", "[]", "null", "true", "12", "\"text\"", "{\"segments\": 5}", "{\"segments\": []}",
        "{\"segments\": {}}", "{\"transcription\": [{\"offsets\": {\"from\": 0, \"to\": 1}, \"text\": \"\"}]}",
        "{\"segments\": [{\"start\": 1, \"text\": \"cut off",
        "{\"segments\": [{\"start\": 1, \"text\": \"x\"}]} trailing",
        "not JSON at all", "{'segments': [{'start': }", String(repeating: "[", count: 100_000),
        String(repeating: "{\"a\":", count: 100_000), String(repeating: "{\"segments\":[", count: 3000), "\"\\",
        "\u{0}\u{0}", "-Infinity", "NaN",
    ])
    func whatIsNoTranscriptIsAnError(json: String) {
        let error = #expect(throws: TranscriptError.self) { try parse(json) }
        #expect(error?.message.isEmpty == false)
        #expect((error?.message.utf8.count ?? 0) < 200)
    }

    /// The same in any two pieces.
    @Test func piecesAreAsGoodAsTheWhole() throws {
        for sample in [TranscriptJSONTests.whisperCpp, TranscriptJSONTests.whisper, TranscriptJSONTests.podcasting] {
            let bytes = Array(sample.utf8)
            let whole = Array(try parse(sample))
            for cut in bytes.indices {
                let parser = TranscriptParser(format: .json, durationMilliseconds: nil)
                try parser.take(Array(bytes[..<cut]))
                try parser.take(Array(bytes[cut...]))
                #expect(try !parser.finish())
                var transcript: Transcript?
                while transcript == nil { transcript = try parser.step() }
                #expect(transcript.map(Array.init) == whole, "cut at \(cut)")
            }
        }
    }

    @Test func escapesAreUndone() throws {
        for (source, text) in [
            (#"a\u0062\u00e9\ud83e\uddf9c"#, "abé🧹c"), (#"a\ud83ex"#, "a\u{FFFD}x"), (#"\ud83e"#, "\u{FFFD}"),
            (#"\uddf9"#, "\u{FFFD}"),
            (#"\ud83e\ud83e\uddf9"#, "\u{FFFD}🧹"), (#"a\nb\tc\/\\\""#, "a b c/\\\""),
        ] {
            #expect(try parse("[{\"start\": 1, \"text\": \"\(source)\"}]").map(\.text) == [text], "\(source)")
        }
    }

    @Test func theBestListCounts() throws {
        func list(_ name: String, _ text: String) -> String { "\"\(name)\": [{\"start\": 1, \"text\": \"\(text)\"}]" }
        let names = [("words", "c"), ("segments", "b"), ("transcription", "a")]
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let json = "{" + order.map { list(names[$0].0, names[$0].1) }.joined(separator: ",") + "}"
            #expect(try parse(json).map(\.text) == ["a"])
        }
        #expect(try parse("{\(list("words", "c")), \"segments\": []}").map(\.text) == ["c"])
        #expect(throws: TranscriptError.self) { try parse("{\"x\": {\(list("segments", "c"))}}") }
    }

    /// The feed thread reads transcripts, and its stack is small.
    @Test func littleStackIsEnough() throws {
        let samples = [
            TranscriptJSONTests.whisperCpp, TranscriptJSONTests.whisper, TranscriptJSONTests.podcasting,
            "{\"a\": \(String(repeating: "[", count: 1500))\(String(repeating: "]", count: 1500)), \"segments\": [{\"start\": 1, \"text\": \"x\"}]}",
            "{\"a\": \(String(repeating: "[", count: 48))\"]]\"\(String(repeating: "]", count: 48)), \"segments\": [{\"start\": 1, \"text\": \"x\"}]}",
        ]
        final class Counts: @unchecked Sendable { var all: [Int?] = [] }
        let counts = Counts()
        let thread = try Posix.Thread(name: "small", stackBytes: 128 * 1024) {
            for sample in samples {
                counts.all.append((try? Transcript.parse(Array(sample.utf8), fileName: "a.json"))?.count)
            }
        }
        thread.join()
        #expect(counts.all == [2, 2, 2, nil, 1])
    }

    /// For any bytes, the result is an ordered transcript or an error.
    @Test(arguments: 0..<4)
    func mutatedFilesNeverCrash(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let samples = [TranscriptJSONTests.whisperCpp, TranscriptJSONTests.whisper, TranscriptJSONTests.podcasting]
            .map { Array($0.utf8) }
        let tokens = [
            "\"", "\\", "{", "}", "[", "]", ",", ":", "NaN", "-Infinity", "1e999", "-", "null", "\u{0}", "é", "\\u0000",
            "\\ud800",
        ]
        .map { Array($0.utf8) }
        var read = 0
        for _ in 0..<400 {
            var bytes = samples.randomElement(using: &random)!
            for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...4, using: &random) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: at)
                case 2: bytes.insert(contentsOf: tokens.randomElement(using: &random)!, at: at)
                case 3: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...80, using: &random)))
                default:
                    let from = Int.random(in: 0..<bytes.count, using: &random)
                    bytes.insert(contentsOf: bytes[from..<min(bytes.count, from + 60)], at: at)
                }
            }
            guard let transcript = try? Transcript.parse(bytes, fileName: "a.json") else { continue }
            read += 1
            #expect(!transcript.isEmpty)
            for segment in transcript {
                #expect(segment.startMilliseconds >= 0 && segment.startMilliseconds <= segment.endMilliseconds)
            }
        }
        #expect(read > 20)
    }

    /// Ten hours as single words with their probabilities.
    @Test func aLongFileIsRead() throws {
        var json = "{\"segments\": ["
        for word in 0..<90_000 {
            let start = Double(word) * 0.4
            json += word == 0 ? "" : ","
            json +=
                "{\"startTime\": \(start), \"endTime\": \(start + 0.4), \"body\": \"\(word % 12 == 0 ? "Word" : word % 12 == 11 ? "word." : "word")\"}"
        }
        json += "]}"
        let transcript = try parse(json)
        #expect(transcript.count == 7500)
        #expect(transcript.last?.endMilliseconds == 36_000_000)
    }
}
