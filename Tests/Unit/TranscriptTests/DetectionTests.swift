// SPDX-License-Identifier: Apache-2.0
import Testing
import Text

@testable import Transcript

@Suite struct DetectionTests {
    private func detect(_ text: String, _ name: String? = nil) -> TranscriptFormat? {
        TranscriptFormat.detect(
            decoded: TextDecoding.utf8(from: Array(text.utf8)), named: name.flatMap { TranscriptFormat(fileName: $0) })
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
