// SPDX-License-Identifier: Apache-2.0
import FuzzWork
import TestSupport
import Testing

@testable import Media

@Suite struct AudioExtentTests {
    /// Finds the extent and counts what that took to read.
    static func extent(_ file: [UInt8]) -> (extent: AudioExtent, reads: Int, bytes: Int) {
        var reads = 0
        var bytes = 0
        let source = ClosureSource(Int64(file.count)) { offset, buffer in
            reads += 1
            #expect(offset >= 0)
            let count = max(0, min(buffer.count, file.count - Int(offset)))
            for i in 0..<count { buffer[i] = file[Int(offset) + i] }
            bytes += count
            return count
        }
        let extent = AudioExtent(of: source)
        return (extent, reads, bytes)
    }

    static let audio = (0..<50).flatMap { _ in SyntheticFormat(bitrate: 7).frame(payload: 0x55) }

    static let leading: [(String, [UInt8])] = [
        ("ID3v2.4", SyntheticTag.id3v2(body: 1000)),
        ("ID3v2.3", SyntheticTag.id3v2(body: 50, version: 3)),
        ("ID3v2.2", SyntheticTag.id3v2(body: 5, version: 2)),
        ("ID3v2.4 with footer", SyntheticTag.id3v2(body: 300, footer: true)),
        ("empty ID3v2", SyntheticTag.id3v2(body: 0)),
        ("APE with header", SyntheticTag.ape(items: 400)),
    ]

    static let trailing: [(String, [UInt8])] = [
        ("ID3v1", SyntheticTag.id3v1()),
        ("ID3v1 with TAG+", SyntheticTag.enhanced() + SyntheticTag.id3v1()),
        ("APE", SyntheticTag.ape(items: 300)),
        ("APE without header", SyntheticTag.ape(items: 300, header: false)),
        ("empty APE", SyntheticTag.ape(items: 0, header: false)),
        ("Lyrics3v2", SyntheticTag.lyrics2(800)),
        ("Lyrics3v1", SyntheticTag.lyrics1(900)),
        ("longest Lyrics3v1", SyntheticTag.lyrics1(5100)),
        ("appended ID3v2.4", SyntheticTag.id3v2(body: 700, footer: true)),
    ]

    @Test func plain() {
        let found = AudioExtentTests.extent(AudioExtentTests.audio)
        #expect(found.extent == AudioExtent(start: 0, end: Int64(AudioExtentTests.audio.count)))
        #expect(found.reads <= 2 && found.bytes <= 256)
        for size in 0...200 {
            let small = AudioExtentTests.extent([UInt8](repeating: 0x54, count: size)).extent
            #expect(small == AudioExtent(start: 0, end: Int64(size)))
        }
    }

    /// Every two in front, with every two behind.
    @Test func everyStacking() {
        let audio = AudioExtentTests.audio
        for (firstName, first) in AudioExtentTests.leading {
            for (secondName, second) in AudioExtentTests.leading {
                for (thirdName, third) in AudioExtentTests.trailing {
                    for (fourthName, fourth) in AudioExtentTests.trailing {
                        let found = AudioExtentTests.extent(first + second + audio + third + fourth)
                        let start = Int64(first.count + second.count)
                        let expected = AudioExtent(start: start, end: start + Int64(audio.count))
                        #expect(
                            found.extent == expected, "\(firstName), \(secondName), audio, \(thirdName), \(fourthName)")
                        #expect(found.reads <= 12)
                    }
                }
            }
        }
    }

    @Test func whatOnlyLooksLikeATag() {
        let audio = AudioExtentTests.audio
        let end = Int64(audio.count)
        // An APE header with its letters where an ID3v1 tag would begin: 3 + 128 bytes before the end.
        let tag = SyntheticTag.ape(items: 3 + 128 - 32 - 32)
        #expect(tag.has("TAG", at: tag.count - 128))
        #expect(AudioExtentTests.extent(audio + tag).extent.end == end)
        // Lengths that lead nowhere.
        for tail in ["LYRICSBEGINxx000900LYRICS200", "00x019LYRICS200", "xxxxLYRICSEND", "3DI\u{4}\0\0\0\0\0\u{5}"] {
            let file = audio + Array(tail.utf8)
            #expect(AudioExtentTests.extent(file).extent.end == Int64(file.count), "\(tail)")
        }
        var large = SyntheticTag.ape(items: 20, header: false)
        large[large.count - 18] = 0xFF
        let file = audio + large
        #expect(AudioExtentTests.extent(file).extent.end == Int64(file.count))
        // A tag that promises more than the file holds hides no audio.
        let cut = SyntheticTag.id3v2(body: 100).prefix(10).map { $0 } + audio
        var bytes = cut
        bytes.replaceSubrange(6..<10, with: (1_000_000 as UInt32).synchsafe)
        #expect(AudioExtentTests.extent(bytes).extent.start == 10)
    }

    /// Any bytes in the file, and any results of the reads.
    @Test func rubbish() {
        var random = SeededGenerator(seed: 41)
        for _ in 0..<3000 {
            var file = random.tempting(Int.random(in: 0...600, using: &random))
            for (_, tag) in AudioExtentTests.leading.shuffled(using: &random).prefix(2) { file = tag + file }
            for (_, tag) in AudioExtentTests.trailing.shuffled(using: &random).prefix(3) { file += tag }
            for _ in 0..<Int.random(in: 0...30, using: &random) {
                file[Int.random(in: 0..<file.count, using: &random)] = random.bytes(1)[0]
            }
            let found = expectCost(inputBytes: file.count) { AudioExtentTests.extent(file) }
            #expect(found.extent.start >= 0 && found.extent.start <= found.extent.end)
            #expect(found.extent.end <= Int64(file.count) && found.reads <= 200)
            let fileBytes = Int64(file.count)
            let failing = expectCost(inputBytes: file.count) {
                AudioExtent(
                    of: ClosureSource(fileBytes) { _, buffer in
                        switch random.next() % 4 {
                        case 0: return -1
                        case 1: return buffer.count / 2
                        default:
                            for i in 0..<buffer.count { buffer[i] = 0x33 }
                            return buffer.count
                        }
                    })
            }
            #expect(failing.start >= 0 && failing.start <= failing.end && failing.end <= fileBytes)
        }
        for fileBytes in [Int64.min, -1, 0, Int64.max] {
            let source = ClosureSource(fileBytes) { _, buffer in
                for (i, byte) in "ID3\u{4}\0\0\u{7F}\u{7F}\u{7F}\u{7F}".utf8.enumerated() where i < buffer.count {
                    buffer[i] = byte
                }
                return buffer.count
            }
            let extent = AudioExtent(of: source)
            #expect(extent.start >= 0 && extent.start <= extent.end)
        }
    }
}
