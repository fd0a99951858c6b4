// SPDX-License-Identifier: Apache-2.0
import Core
import FuzzWork
import TestSupport
import Testing

@testable import Media

@Suite("Gains of tags") struct TagGainsTests {
    private func gains(_ frames: [[UInt8]], version: UInt8 = 4) -> Loudness {
        TagWriter.tags(TagWriter.tag(frames, version: version) + TagWriter.audio).gains.loudness
    }

    private func track(_ text: String, _ name: String = "REPLAYGAIN_TRACK_GAIN") -> Int? {
        gains([TagWriter.own(name, text)]).track
    }

    @Test func replayGain() {
        for (text, wanted) in [
            ("-6.48 dB", -648), ("+3.2 dB", 320), ("3 dB", 300), ("0.00 dB", 0), ("-12.345678 dB", -1234),
            (" 1.5", 150), ("2.1dB", 210),
            ("-.5 dB", -50),
        ] { #expect(track(text) == wanted, "\(text)") }
        #expect(track("1.00 dB", "replaygain_track_gain") == 100)
        let both = gains(
            [
                TagWriter.own("REPLAYGAIN_ALBUM_GAIN", "-3.00 dB"),
                TagWriter.own("replaygain_track_gain", "-5 dB", version: 3),
            ], version: 3)
        #expect(both.track == -500 && both.album == -300 && both.isTagged)
    }

    @Test func whatIsNoGainIsNone() {
        for text in [
            "", "dB", "loud", "-", "+ dB", "1..2 dB", "99.0 dB", "-9999999999999999999 dB", "nan", "inf", "1e5",
            "5 dBFS", "5 %", "--5", "0x10",
        ] {
            #expect(track(text) == nil, "\(text)")
        }
        for text in ["", "x", "99999", "-32768", "1.5", "12345678901234567890"] {
            #expect(track(text, "R128_TRACK_GAIN") == nil, "\(text)")
        }
        for text in ["", "0", "00000000 00000000", "0000034A", "gggggggg gggggggg", "FFFFFFFF FFFFFFFF"] {
            #expect(track(text, "iTunNORM") == nil, "\(text)")
        }
    }

    /// It says nothing of the file but its gain, and does not hide a good one.
    @Test func theFirstThatCanBeReadCounts() {
        let tags = TagWriter.tags(
            TagWriter.tag([
                TagWriter.own("REPLAYGAIN_TRACK_GAIN", "rubbish"), TagWriter.own("REPLAYGAIN_TRACK_GAIN", "-1 dB"),
                TagWriter.own("REPLAYGAIN_TRACK_GAIN", "-2 dB"),
            ]) + TagWriter.audio)
        #expect(tags.gains.loudness.track == -100 && tags.list.all.isEmpty)
    }

    @Test func othersThanReplayGain() {
        #expect(track("0", "R128_TRACK_GAIN") == 500)
        #expect(track("-1280", "r128_track_gain") == 0)
        #expect(gains([TagWriter.own("R128_ALBUM_GAIN", "256")]).album == 600)
        let norm = " 000007D0 000003E8 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000"
        #expect(track(norm, "iTunNORM") == -301)
        #expect(abs((track(" 0000000A 00000008", "iTunNORM") ?? 0) - 2000) <= 2)
        let comment = TagWriter.frame("COMM", [3] + Array("engiTunNORM\0".utf8) + Array(norm.utf8))
        #expect(gains([comment]).track == -301)
        #expect(gains([comment, TagWriter.own("REPLAYGAIN_TRACK_GAIN", "-7 dB")]).track == -700)
        // RVA2: the master volume is kind 1.
        let rva = Array("track\0".utf8) + [2, 0, 0, 8, 9, 1, 0xFA, 0x00, 16, 1, 2]
        #expect(gains([TagWriter.frame("RVA2", rva)]).track == -300)
        #expect(gains([TagWriter.frame("RVA2", Array("album\0".utf8) + [1, 2, 0, 0])]).album == 100)
        for cut in 0..<rva.count - 3 { #expect(gains([TagWriter.frame("RVA2", Array(rva[..<cut]))]).track == nil) }
    }

    @Test func vorbisComments() throws {
        let list = ["replaygain_track_gain=-4.20 dB", "REPLAYGAIN_ALBUM_GAIN=+1.00 dB", "TITLE=x"]
        let file = SoundFiles.flac(
            [(0, SoundFiles.streamInfo()), (4, SoundFiles.comments(list))], audio: [UInt8](repeating: 7, count: 5000))
        let loudness = try MediaProbe(MemorySource(file)).tags.gains.loudness
        #expect(loudness.track == -420 && loudness.album == 100)
    }

    @Test func rubbishIsTakenInPassing() {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                "0123456789+-. dBeA\u{0}é".randomElement(using: &random)!
            }
            for name in ["REPLAYGAIN_TRACK_GAIN", "R128_TRACK_GAIN", "ITUNNORM"] {
                if let gain = track(String(text), name) { #expect(abs(gain) <= 6000) }
            }
        }
    }
}
