// SPDX-License-Identifier: Apache-2.0
import FuzzWork
import Fuzzing
import TestSupport
import Testing

@testable import Media

@Suite struct OggTitlesTests {
    private static func stream(_ codec: String, _ comments: [String], serial: Int, most: Int = 255) -> [UInt8] {
        stream(codec, comments.map { Array($0.utf8) }, serial: serial, most: most)
    }

    /// The first pages of a stream, and one of sound.
    private static func stream(_ codec: String, _ comments: [[UInt8]], serial: Int, most: Int = 255) -> [UInt8] {
        let list = SoundFiles.comments(comments)
        var number = 0
        var file: [UInt8]
        switch codec {
        case "vorbis":
            file = SoundFiles.pages(
                Array("\u{1}vorbis".utf8) + [UInt8](repeating: 0, count: 23), number: &number, flags: 2)
            file += SoundFiles.pages(Array("\u{3}vorbis".utf8) + list + [1], number: &number, most: most)
        case "flac":
            file = SoundFiles.pages(
                Array("\u{7F}FLAC".utf8) + [1, 0, 0, 2] + Array("fLaC".utf8) + [0, 0, 0, 34] + SoundFiles.streamInfo(),
                number: &number, flags: 2)
            file += SoundFiles.pages([1, 0, 0, 20] + [UInt8](repeating: 0, count: 20), number: &number)
            file += SoundFiles.pages([0x84] + SoundFiles.big(list.count, 3) + list, number: &number, most: most)
        default:
            file = SoundFiles.pages(
                Array("OpusHead".utf8) + [UInt8](repeating: 0, count: 11), number: &number, flags: 2)
            file += SoundFiles.pages(Array("OpusTags".utf8) + list, number: &number, most: most)
        }
        let sound = SoundFiles.pages((0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7) }, granule: 9, number: &number)
        file += sound + sound
        for place in file.indices where file[place...].starts(with: Array("OggS".utf8)) {
            file[place + 14] = UInt8(serial)
        }
        FieldFile.sealOgg(&file)
        return file
    }

    private static func titles(_ bytes: [UInt8], step: Int) -> [String] {
        var titles = OggTitles()
        var found: [String] = []
        for at in stride(from: 0, to: bytes.count, by: step) {
            let part = Array(bytes[at..<min(bytes.count, at + step)])
            if part.withUnsafeBytes({ titles.take($0) }) { found.append(titles.title) }
        }
        return found
    }

    @Test(arguments: ["vorbis", "opus", "flac"], [1, 13, 500]) func eachStreamOfTheChainIsHeard(
        codec: String, step: Int
    ) {
        let jpeg = [UInt8](repeating: 0xFF, count: 60_000)
        for most in [1, 255] {
            let chain =
                OggTitlesTests.stream(codec, ["title=One", "ARTIST=Owl", "x=y"], serial: 1, most: most)
                + OggTitlesTests.stream(codec, ["TITLE=One", "ARTIST=Owl"], serial: 2, most: most)
                + OggTitlesTests.stream(
                    codec, [SoundFiles.pictureComment(jpeg), Array("TITLE=Zwei \u{FC}".utf8)], serial: 3, most: most)
                + OggTitlesTests.stream(codec, ["ARTIST=Owl"], serial: 4, most: most)
                + OggTitlesTests.stream(codec, ["TITLE=Four"], serial: 4, most: most)
            #expect(OggTitlesTests.titles(chain, step: step) == ["Owl - One", "Zwei \u{FC}", "", "Four"])
        }
    }

    /// Lost bytes cost no more than the titles in them.
    @Test func itGoesOnBehindWhatIsLost() {
        let streams = (0..<4).map { OggTitlesTests.stream("vorbis", ["TITLE=\($0)"], serial: $0) }
        let bytes = streams[0] + streams[1].dropFirst(20) + streams[2] + Array("OggS and more".utf8) + streams[3]
        for step in [1, 40] { #expect(OggTitlesTests.titles(bytes, step: step) == ["0", "2", "3"]) }
        // A file that is no Ogg is not searched.
        #expect(OggTitlesTests.titles([UInt8](repeating: 0xFF, count: 40) + bytes, step: 40) == [])
    }

    @Test func noBytesHurt() {
        var generator = SeededGenerator(seed: 3)
        let seed = OggTitlesTests.stream("vorbis", ["TITLE=One", "ARTIST=Owl"], serial: 1)
        for round in 0..<500 {
            var bytes = seed + seed + seed
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                bytes[Int.random(in: 0..<(round % 2 == 0 ? 300 : bytes.count), using: &generator)] =
                    UInt8.random(in: 0...255, using: &generator)
            }
            expectCost(inputBytes: bytes.count, "round \(round)") {
                for title in OggTitlesTests.titles(bytes, step: 700) { #expect(title.utf8.count <= 200) }
            }
        }
    }

    /// A packet that does not end is not held.
    @Test func commentsWithoutEndAreBounded() {
        var number = 1
        let first = OggTitlesTests.stream("vorbis", ["TITLE=One"], serial: 77).prefix(27 + 1 + 30)
        var bytes = Array(first)
        for _ in 0..<400 {
            bytes += SoundFiles.page(
                [UInt8](repeating: 3, count: 255 * 255), segments: [UInt8](repeating: 255, count: 255), granule: -1,
                number: number)
            number += 1
        }
        var titles = OggTitles()
        expectCost(inputBytes: 1_000_000, "a packet of \(bytes.count) bytes") {
            bytes.withUnsafeBytes { _ = titles.take($0) }
        }
    }
}
