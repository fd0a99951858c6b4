// SPDX-License-Identifier: Apache-2.0
import FuzzWork
import Posix
import TestSupport
import Testing

@testable import Media

/// FLAC's and Ogg's own readers, on files written byte by byte. The tests of the shipped binary hear the libraries' decoding.
@Suite struct XiphTests {
    private let list = [
        "TITLE=One", "artist=A", "Artist=B", "ALBUM=C", "TRACKNUMBER=03/12", "NARRATOR=N", "SERIES=S", "LANGUAGE=de",
        "WORK=W", "ENSEMBLE=E", "Location=L", "MOVEMENTNUMBER=2", "COMPOSERSORT=S, C", "nonsense", "=x",
        "CHAPTER001=00:00:01.500", "CHAPTER001NAME=First", "CHAPTER003=00:01:02", "CHAPTER002=bad",
        "CHAPTER003NAME=Second",
    ]
    private let jpeg = [0xFF, 0xD8, 0xFF] + (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    private func check(_ tags: Tags) {
        #expect(tags.list.values(of: .artist) == ["A", "B"])
        #expect(tags.list[.title] == "One" && tags.list[.track] == "3" && tags.list[.narrator] == "N")
        #expect(tags.list[.series] == "S" && tags.list[.language] == "de")
        #expect(tags.list[.work] == "W" && tags.list[.ensemble] == "E" && tags.list[.location] == "L")
        #expect(tags.list[.movementNumber] == "2" && tags.list[.composerSort] == "S, C")
        #expect(
            tags.chapters == [
                Chapter(startMilliseconds: 1500, title: "First"), Chapter(startMilliseconds: 62_000, title: "Second"),
            ])
    }

    private let audio = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }

    @Test func flacSaysWhatItIs() throws {
        let back = [UInt8](repeating: 3, count: 100)
        let file = SoundFiles.flac(
            [
                (0, SoundFiles.streamInfo()), (4, SoundFiles.comments(list)), (1, [UInt8](repeating: 0, count: 1000)),
                (6, SoundFiles.picture(back, kind: 4)), (6, SoundFiles.picture(jpeg)),
            ], audio: audio)
        for front in [[], TagWriter.tag([TagWriter.text("TIT2", "x")])] {
            let probe = try MediaProbe(MemorySource(front + file))
            check(probe.tags)
            #expect(probe.sampleRate == 44100 && probe.channels == 2 && probe.durationMilliseconds == 10_000)
            #expect(probe.audio.byteCount == Int64(audio.count))
            #expect(probe.tags.cover?.byteCount == Int64(jpeg.count))
            let picture = try #require(try EmbeddedPictures.read(front + file))
            #expect(picture.bytes == jpeg && picture.mime == "image/jpeg")
        }
        // Not known how long: measured later.
        let stream = SoundFiles.flac([(0, SoundFiles.streamInfo(frames: 0))], audio: audio)
        #expect(try MediaProbe(MemorySource(stream)).durationMilliseconds == nil)
    }

    @Test(arguments: [1, 3, 255]) func oggSaysWhatItIs(segmentsInPage: Int) throws {
        let comments = SoundFiles.comments(
            list.map { Array($0.utf8) } + [
                SoundFiles.pictureComment([9, 9, 9], kind: 4), SoundFiles.pictureComment(jpeg),
            ])
        let file = SoundFiles.opus(comments, seconds: 10, most: segmentsInPage, cutFrames: 480)
        let probe = try MediaProbe(MemorySource(file))
        check(probe.tags)
        #expect(probe.sampleRate == 48000 && probe.channels == 1)
        #expect(probe.durationMilliseconds == (480_000 - 480 - 312 + 24) / 48)
        #expect(probe.tags.cover?.byteCount == Int64(jpeg.count))
        #expect(try EmbeddedPictures.read(file)?.bytes == jpeg)
    }

    @Test func oggIsKnownByItsSoundHoweverItIsTagged() throws {
        func sound(_ comments: [UInt8], most: Int) throws -> (Int64, [UInt8]) {
            let source = MemorySource(SoundFiles.opus(comments, seconds: 10, most: most))
            let probe = try MediaProbe(source)
            let content = probe.content(of: source)
            // In pieces that cut heads of pages anywhere.
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 1009)
            while bytes.count < Int(probe.audio.byteCount) {
                let at = probe.audio.start + Int64(bytes.count)
                let count = try piece.withUnsafeMutableBytes { try content.read(into: $0, at: at) }
                bytes += piece[..<count]
            }
            return (probe.audio.byteCount, bytes)
        }
        let plain = try sound(SoundFiles.comments(["TITLE=a"]), most: 255)
        let tagged = try sound(SoundFiles.comments([SoundFiles.pictureComment(jpeg)]), most: 4)
        #expect(plain.0 == tagged.0 && plain.1 == tagged.1)
    }

    @Test func streamsCutOutOfLongerOnesAreMeasured() throws {
        let cut = SoundFiles.opus(SoundFiles.comments(list), seconds: 10, startFrames: 4_800_000)
        // Nothing is trimmed in front of what was cut: its own start is that of its first page.
        #expect(try MediaProbe(MemorySource(cut)).durationMilliseconds == (480_000 - 312 + 24) / 48)
        var chain = SoundFiles.opus(SoundFiles.comments(list), seconds: 2)
        var other = SoundFiles.opus(SoundFiles.comments(list), seconds: 2)
        for place in other.indices where other[place...].starts(with: Array("OggS".utf8)) { other[place + 14] = 78 }
        FieldFile.sealOgg(&other)
        chain += other
        #expect(try MediaProbe(MemorySource(chain)).durationMilliseconds == nil)
    }

    @Test func timesOfChapters() {
        func time(_ text: String) -> Int? { Chapter.milliseconds(Array(text.utf8), leastParts: 3) }
        #expect(time("01:02:03.456") == 3_723_456 && time("00:00:00") == 0 && time("00:00:00.5") == 500)
        #expect(time("10:00:00.1234567") == 36_000_123 && time("00:00:01,25") == 1250)
        for bad in [
            "", "1", "1:2", ":::", "a:b:c", "00:61:00", "1:2:3:4", "9999:00:00", "00:00:00.5.5", "99999999999:0:0",
        ] {
            #expect(time(bad) == nil, "\(bad)")
        }
    }

    /// For any bytes in a file: no crash, no endless loop, and no more memory than the bounds allow.
    @Test func hostileFilesEnd() throws {
        let comments = SoundFiles.comments(list.map { Array($0.utf8) } + [SoundFiles.pictureComment(jpeg)])
        let flac = SoundFiles.flac(
            [(0, SoundFiles.streamInfo()), (4, comments), (6, SoundFiles.picture(jpeg))], audio: audio)
        let id3 = TagWriter.tag([TagWriter.text("TIT2", "x")])
        let seeds = [
            flac, SoundFiles.opus(comments, seconds: 3), SoundFiles.opus(comments, seconds: 2, most: 2),
            SoundFiles.wave(audio, after: SoundFiles.chunk("id3 ", id3)),
            SoundFiles.aiff(audio, compression: "sowt", after: SoundFiles.chunk("NAME", [1, 2, 3], isBig: true)),
        ]
        var random = SeededGenerator(seed: 5)
        for (number, seed) in seeds.enumerated() {
            for round in 0..<300 {
                var file = seed
                for _ in 0..<Int.random(in: 1...30, using: &random) {
                    let most = round % 2 == 0 ? min(file.count, 400) : file.count
                    file[Int.random(in: 0..<most, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                if round % 5 == 0 { file.removeLast(Int.random(in: 0..<file.count, using: &random)) }
                expectCost(inputBytes: file.count, "seed \(number), round \(round)") {
                    let source = MemorySource(file)
                    _ = try? MediaProbe(source)
                    guard let head = try? MediaHead(source), let format = try? MediaFormats.format(of: head) else {
                        return
                    }
                    _ = format.picture(head)
                }
            }
        }
    }

    /// Lengths that promise what is not there, and counts without end.
    @Test func liesAreCheap() throws {
        let most = SoundFiles.little(-1, 4)
        let liars: [[UInt8]] = [
            SoundFiles.flac([(0, SoundFiles.streamInfo()), (4, most + most)], audio: audio),
            SoundFiles.flac([(0, SoundFiles.streamInfo()), (4, [0, 0, 0, 0] + most + most + most)], audio: audio),
            SoundFiles.flac([(0, SoundFiles.streamInfo()), (6, most + most)], audio: audio),
            SoundFiles.opus([0, 0, 0, 0] + most, seconds: 1),
            SoundFiles.opus([0, 0, 0, 0] + most + SoundFiles.little(0x00FF_FFFF, 4), seconds: 1),
            SoundFiles.wave(audio, after: SoundFiles.chunk("LIST", Array("INFOINAM".utf8) + most)),
            SoundFiles.wave(audio, before: [UInt8](repeating: 0, count: 1 << 20)),
        ]
        for (number, file) in liars.enumerated() {
            let source = MemorySource(file)
            expectCost(inputBytes: 100_000, "liar \(number)") { _ = try? MediaProbe(source) }
            #expect(source.readBytes < 2_000_000, "liar \(number) had \(source.readBytes) bytes read")
        }
    }

    @Test func manyCommentsAreLinear() throws {
        try expectLinear(smallBytes: 40_000) { bytes in
            SoundFiles.opus(SoundFiles.comments((0..<bytes / 20).map { "CHAPTER\($0 % 1000)NAME=abcd" }), seconds: 1)
        } work: {
            _ = try MediaProbe(MemorySource($0))
        }
    }
}
