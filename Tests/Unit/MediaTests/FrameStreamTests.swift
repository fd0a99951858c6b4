// SPDX-License-Identifier: Apache-2.0
import Foundation
import FuzzWork
import Posix
import TestSupport
import Testing

@testable import Media

/// The frames that reach a decoder: all of them, and nothing else.
@Suite struct FrameStreamTests {
    /// All that comes through, read in parts of a size; nil where the file says itself that it is something else.
    static func passed(_ source: MemorySource, part: Int = 32 * 1024) -> [UInt8]? {
        guard let stream = try? FrameStream(source) else { return nil }
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: part)
        while !stream.isAtEnd {
            guard let count = try? buffer.withUnsafeMutableBytes({ try stream.next(into: $0) }) else { return result }
            result += buffer[..<count]
        }
        #expect(Int64(result.count) == stream.givenBytes)
        return result
    }

    static func passed(_ bytes: [UInt8], part: Int = 32 * 1024) -> [UInt8]? { passed(MemorySource(bytes), part: part) }

    private func frames(_ count: Int, _ format: SyntheticFormat = SyntheticFormat(bitrate: 9, mode: 1)) -> [UInt8] {
        (0..<count).flatMap { i in format.frame(payload: UInt8(i & 0x7F)) }
    }

    private func rubbish(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @Test func aStreamComesThroughAsItIs() {
        for version: UInt32 in [0, 2, 3] {
            for layer: UInt32 in 1...3 {
                for mode: UInt32 in 0...3 {
                    var stream: [UInt8] = []
                    for i in 0..<200 {
                        let format = SyntheticFormat(
                            version: version, layer: layer, bitrate: UInt32(5 + i % 7), mode: mode, isPadded: i % 3 == 0
                        )
                        stream += format.frame()
                    }
                    for part in [1, 3, 1000, 32 * 1024] {
                        #expect(FrameStreamTests.passed(stream, part: part) == stream)
                    }
                }
            }
        }
    }

    /// Encoders choose between stereo and joint stereo from frame to frame, as layer I's reference streams do.
    @Test(arguments: 1...3 as ClosedRange<UInt32>) func streamsThatChangeTheirModeComeThrough(layer: UInt32) {
        for rate: UInt32 in 0...2 {
            for modes: [UInt32] in [[1, 0, 1, 1], [1, 1, 0, 1], [0, 1, 0, 1], [2], [3]] {
                for bitrate: UInt32 in 1...14 {
                    let stream = (0..<60).flatMap { i in
                        SyntheticFormat(
                            layer: layer, rate: rate, bitrate: bitrate, mode: modes[i % modes.count],
                            isPadded: i % 2 == 0
                        ).frame()
                    }
                    for before in [[], rubbish(3000, seed: 1)] {
                        // Not compared in the expectation, which would print them.
                        let isWhole = FrameStreamTests.passed(before + stream) == stream
                        #expect(isWhole, "\(rate), \(modes), \(bitrate), behind \(before.count) bytes")
                    }
                }
            }
        }
    }

    @Test func freeFormatComesThrough() {
        let format = SyntheticFormat(layer: 3, bitrate: 0, mode: 1)
        let stream = (0..<100).flatMap { _ in format.frame(freeBytes: 700) }
        #expect(FrameStreamTests.passed(stream) == stream)
    }

    @Test func veryShortStreamsComeThrough() {
        for count in 2...6 { #expect(FrameStreamTests.passed(frames(count)) == frames(count)) }
        for count in 2...5 {
            let cut = Array(frames(count).dropLast(100))
            #expect(FrameStreamTests.passed(cut) == cut)
        }
    }

    @Test func rubbishIsPassedOver() {
        for (number, size) in [1, 2, 3, 10, 500, 3000, 40_000, 900_000].enumerated() {
            let between = rubbish(size, seed: UInt64(number))
            // One byte stays, by which a decoder knows of the gap.
            for part in [1, 5000] {
                let passed = FrameStreamTests.passed(frames(50) + between + frames(50), part: part)
                #expect(passed == frames(50) + [0] + frames(50), "\(size)")
            }
            #expect(FrameStreamTests.passed(between + frames(50)) == frames(50), "\(size) before")
            #expect(FrameStreamTests.passed(frames(50) + between) == frames(50), "\(size) behind")
        }
    }

    /// Bytes in rubbish that look like the beginning of a tag tell no length.
    @Test func lettersOfATagWithinRubbishSkipNothing() {
        let letters = Array("ID3".utf8) + [9, 9, 0, 0x7F, 0x7F, 0x7F, 0x7F]
        let between = [UInt8](repeating: 1, count: 300) + letters + [UInt8](repeating: 1, count: 300)
        #expect(FrameStreamTests.passed(frames(20) + between + frames(20)) == frames(20) + [0] + frames(20))
        #expect(FrameStreamTests.passed(between + frames(20)) == frames(20))
    }

    @Test func joinedFilesOfAnotherRateComeThroughWithoutTheirTags() {
        let first = frames(100)
        let second = frames(100, SyntheticFormat(version: 2, rate: 1, bitrate: 8))
        // A picture that looks like frames.
        let picture = SyntheticTag.id3v2(body: 200_000, fill: 0xFF)
        for tags in [[], picture, SyntheticTag.id3v1() + picture, SyntheticTag.ape(items: 5000) + picture] {
            #expect(FrameStreamTests.passed(first + tags + second) == first + second)
        }
    }

    /// Returns the places in the passed bytes at which a decoder may have to renew its buffers.
    private static func changes(_ bytes: [UInt8], part: Int) throws -> [Int] {
        let stream = try FrameStream(MemorySource(bytes))
        var found: [Int] = []
        var buffer = [UInt8](repeating: 0, count: part)
        while !stream.isAtEnd {
            let before = Int(stream.givenBytes)
            _ = try buffer.withUnsafeMutableBytes { try stream.next(into: $0) }
            found += stream.givenChanges.map { before + $0 }
        }
        return found
    }

    @Test(arguments: [1, 7, 1000, 5000, 32 * 1024]) func changesOfFormatAreToldWithTheirFirstByte(part: Int) throws {
        let first = frames(100)
        let other = frames(10, SyntheticFormat(version: 2, rate: 1, bitrate: 8))
        let mono = frames(12, SyntheticFormat(mode: 3))
        let picture = SyntheticTag.id3v2(body: 200_000, fill: 0xFF)
        #expect(try FrameStreamTests.changes(first + picture + first, part: part) == [])
        for tags in [[], picture] {
            let found = try FrameStreamTests.changes(first + tags + other + tags + first + mono, part: part)
            #expect(found == [first.count, first.count + other.count, 2 * first.count + other.count])
        }
        // Behind rubbish the byte that stands for it is such a place, and the kind behind it needs none of its own: the feed thread goes
        // on until it has frames again.
        for next in [first, other] {
            let found = try FrameStreamTests.changes(first + rubbish(900, seed: 1) + next, part: part)
            #expect(found == [first.count])
        }
    }

    @Test func otherFormatsAreNotTakenForFrames() throws {
        let wave = [UInt8](Encoder.wave(seconds: 20, rate: 44_100, channels: 2))
        #expect(FrameStreamTests.passed(wave) == nil)
        // The same samples without the words that say so, and high byte first as in AIFF.
        let samples = Array(wave[44...])
        #expect(FrameStreamTests.passed(samples) == [])
        var swapped = samples
        for i in stride(from: 0, to: swapped.count - 1, by: 2) { swapped.swapAt(i, i + 1) }
        #expect(FrameStreamTests.passed(swapped) == [])
        #expect(FrameStreamTests.passed(Array("FORM".utf8) + swapped) == nil)

        let program = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/bin/bash")))
        #expect(FrameStreamTests.passed(program) == nil)
        #expect(FrameStreamTests.passed([UInt8](repeating: 0x61, count: 512) + program) == [])

        // AAC in ADTS has the same sync word.
        var adts: [UInt8] = []
        for i in 0..<2000 {
            let size = 200 + i % 150
            let length: [UInt8] = [0x80 | UInt8(size >> 11), UInt8(size >> 3 & 255), UInt8(size & 7) << 5 | 0x1F]
            adts += [0xFF, 0xF1, 0x50] + length + [0xFC]
            adts += rubbish(size - 7, seed: UInt64(i))
        }
        #expect(FrameStreamTests.passed(adts) == [])
    }

    /// MPEG audio in a WAV file says so.
    @Test func framesInAWaveFileComeThrough() {
        var header = Array("RIFF\0\0\0\0WAVEfmt ".utf8)
        header += [30, 0, 0, 0, 0x55, 0, 2, 0]
        header += [UInt8](repeating: 0, count: 40)
        header += Array("data\0\0\0\0".utf8)
        #expect(FrameStreamTests.passed(header + frames(50)) == frames(50))
    }

    /// An interrupted download: 40 GB of zeros are not read.
    @Test func zerosBehindTheSoundAreItsEnd() throws {
        let source = MemorySource(frames(500), zeros: 40 << 30)
        #expect(FrameStreamTests.passed(source) == frames(500))
        #expect(source.readBytes < 20 << 20)
        let walked = MemorySource(frames(500), zeros: 40 << 30)
        let walk = try FrameStream(walked, notingEvery: 128)
        while try !walk.step() {}
        #expect(walk.index()?.frameCount == 500)
        #expect(walked.readBytes < 20 << 20)
        let empty = MemorySource([], zeros: 40 << 30)
        #expect(FrameStreamTests.passed(empty) == [])
        #expect(empty.readBytes < 2 << 20)
    }

    @Test func aWalkNotesWhereFramesLieInTheFile() throws {
        let junk = rubbish(5000, seed: 3)
        let parts = [junk, frames(40), SyntheticTag.id3v2(body: 70_000), frames(60), junk, frames(30)]
        let walk = try FrameStream(MemorySource(parts.flatMap { $0 }), notingEvery: 128)
        while try !walk.step() {}
        let index = try #require(walk.index())
        #expect(index.frameCount == 130)
        let length = SyntheticFormat(bitrate: 9, mode: 1).frame().count
        let firstFrame = [0, 128].map { index.step * $0 / 128 }
        #expect(index.offsets.first == 5000 + Int64(firstFrame[0] * length))
        let second = 128 - 100
        #expect(index.offsets.last == Int64(2 * 5000 + 100 * length + 70_010 + second * length))
    }

    @Test func aReadErrorIsNoEnd() throws {
        let source = MemorySource(frames(1000))
        source.failsFrom = 200_000
        let stream = try FrameStream(source)
        var buffer = [UInt8](repeating: 0, count: 32 * 1024)
        #expect(throws: SourceError.self) {
            while !stream.isAtEnd { _ = try buffer.withUnsafeMutableBytes { try stream.next(into: $0) } }
        }
        #expect(!stream.isAtEnd)
    }

    @Test(.enabled(if: Encoder.hasLame, "lame is not installed"))
    func whatEncodersMakeComesThroughAsItIs() throws {
        for (rate, channels) in [(44_100, 2), (32_000, 2), (22_050, 1), (8000, 1)] {
            let wave = Encoder.wave(seconds: 5, rate: rate, channels: channels)
            for mode in [["-b", "64"], ["-V", "6"], ["-V", "9.9"], ["--abr", "48"], ["-b", "64", "-t"]] {
                let bytes = try Encoder.encode(
                    "lame", ["--quiet", "--resample", "\(Double(rate) / 1000)"] + mode, wave)
                let extent = AudioExtentTests.extent(bytes).extent
                #expect(FrameStreamTests.passed(bytes) == Array(bytes[Int(extent.start)..<Int(extent.end)]), "\(mode)")
            }
        }
        let wave = Encoder.wave(seconds: 3, rate: 44_100, channels: 2)
        for rate in [144, 333, 480] {
            let bytes = try Encoder.encode("lame", ["--quiet", "--freeformat", "-b", "\(rate)", "-t"], wave)
            #expect(FrameStreamTests.passed(bytes) == bytes, "free format, \(rate)")
        }
    }

    /// Any bytes in a file: the reader ends, holds little, and passes the same bytes for reads of any size.
    @Test(arguments: UInt64(1)...40) func anyBytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var stream: [UInt8] = []
        while stream.count < 150_000 {
            switch Int.random(in: 0...5, using: &random) {
            case 0: stream += rubbish(Int.random(in: 1...9000, using: &random), seed: random.next())
            case 1: stream += SyntheticTag.id3v2(body: Int.random(in: 0...300_000, using: &random)).prefix(20_000)
            case 2:
                // Beginnings of headers, close together: each is looked into.
                for _ in 0..<400 {
                    let third = UInt8.random(in: 0...15, using: &random)
                    stream += [0xFF, 0xFB, third, 0x44] as [UInt8]
                }
            default:
                let format = SyntheticFormat.random(using: &random)
                for _ in 0..<Int.random(in: 1...40, using: &random) { stream += format.frame() }
            }
        }
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            stream[Int.random(in: 0..<stream.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        let whole = expectCost(inputBytes: stream.count, "seed \(seed)") { FrameStreamTests.passed(stream) }
        for part in [7, 1000, 5000] {
            let passed = expectCost(inputBytes: stream.count, "seed \(seed), part \(part)") {
                FrameStreamTests.passed(stream, part: part)
            }
            #expect(passed == whole, "seed \(seed)")
        }
    }

    @Test func temptingBytesCostTheirShare() {
        expectLinearOnTemptingBytes { _ = FrameStreamTests.passed($0) }
    }

    /// For a stream of any length with any frames, a walk over it keeps a table of limited size.
    @Test func aWalkHoldsLittle() throws {
        // Frames of 72 bytes, of two kinds in turn, so that each is looked at closer.
        let low = frames(6, SyntheticFormat(version: 0, rate: 2, bitrate: 1))
        let other = frames(6, SyntheticFormat(version: 0, rate: 2, bitrate: 1, mode: 3))
        let stream = (0..<2000).flatMap { _ in low + other }
        let source = MemorySource(stream)
        let index = try expectCost(CostBound(fixedBytes: 1 << 20, bytesPerByte: 0), inputBytes: stream.count) {
            let walk = try FrameStream(source, notingEvery: 128)
            while try !walk.step() {}
            return walk.index()
        }
        #expect(index?.frameCount == 24_000)
    }
}
