// SPDX-License-Identifier: Apache-2.0
import Foundation
import FuzzWork
import Fuzzing
import TestSupport
import Testing

@testable import Media
@testable import Vorbis

/// Vorbis as its own encoder makes it.
@Suite struct VorbisDecodingTests {
    private static func encoded(seconds: Double, rate: Int = 44_100, channels: Int) throws -> [UInt8] {
        try Encoder.encode(
            "sh", ["-c", "oggenc -Q -q 3 -s \(rate + channels) -o \"$1\" \"$0\""],
            Encoder.wave(seconds: seconds, rate: rate, channels: channels))
    }

    private static func decoded(_ decoder: any AudioDecoding, piece: Int, most: Int = .max) throws -> [Int16] {
        var samples: [Int16] = []
        var buffer = [Int16](repeating: 0, count: piece * decoder.channels)
        while samples.count < most {
            let count = try buffer.withUnsafeMutableBufferPointer {
                try decoder.decode(into: $0.baseAddress!, frames: piece)
            }
            if count == 0 { break }
            samples += buffer[..<(count * decoder.channels)]
        }
        return samples
    }

    private static func open(_ file: [UInt8]) throws -> any AudioDecoding {
        try #require(try MediaFormats.decoder(MemorySource(file), nil))
    }

    /// Bits of a number, the lowest first.
    private struct BitWriter {
        private(set) var bytes: [UInt8] = []
        private var count = 0

        mutating func put(_ value: Int, _ bits: Int) {
            for bit in 0..<bits {
                if count % 8 == 0 { bytes.append(0) }
                if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 1 << UInt8(count % 8) }
                count += 1
            }
        }
    }

    /// Returns a stream with codebooks that announce a number of entries each, in a run of words of 1 bit and one of all the rest.
    private static func announcing(_ entries: [Int], serial: Int = 77, number: inout Int) -> [UInt8] {
        let head: [UInt8] =
            [1] + Array("vorbis".utf8) + SoundFiles.little(0, 4) + [1] + SoundFiles.little(44_100, 4)
            + SoundFiles.little(0, 12) + [0xB8, 1]
        let comments: [UInt8] = [3] + Array("vorbis".utf8) + SoundFiles.comments([String]()) + [1]
        var bits = BitWriter()
        bits.put(entries.count - 1, 8)
        for count in entries {
            bits.put(0x564342, 24)
            bits.put(1, 16)
            bits.put(count, 24)
            // Ordered: words of 24 bits, all of them in one run.
            bits.put(1, 1)
            bits.put(23, 5)
            bits.put(count, Int.bitWidth - count.leadingZeroBitCount)
            bits.put(0, 4)
        }
        // Times, floors, residues, mappings and modes, as little of each as there may be.
        bits.put(0, 6)
        bits.put(0, 16)
        let setup = [5] + Array("vorbis".utf8) + bits.bytes + [UInt8](repeating: 0, count: 64)
        return SoundFiles.pages(head, number: &number, flags: 2) + SoundFiles.pages(comments, number: &number)
            + SoundFiles.pages(setup, number: &number)
    }

    /// Returns true if the library may see a file, which is read in pieces of random lengths.
    private static func allows(_ file: [UInt8], seekable: Bool, using chance: inout SeededGenerator) -> Bool {
        var setup = VorbisSetup()
        var at = 0
        while at < file.count {
            let count = min(file.count - at, Int.random(in: 1...9000, using: &chance))
            let read: VorbisSetup.Read = { place, count in Array(file[min(file.count, Int(place))...].prefix(count)) }
            let isAllowed = file[at..<at + count].withUnsafeBytes {
                setup.allows($0, at: Int64(at), read: seekable ? read : nil)
            }
            if !isAllowed { return false }
            at += count
        }
        return true
    }

    /// 2^20 entries in a few bytes are 8 MB of stack, and a hundred such books a gigabyte.
    @Test(arguments: [true, false]) func codebooksThatAnnounceTooMuchAreRefused(seekable: Bool) throws {
        var chance = SeededGenerator(seed: 5)
        let honest = try (-1...10).map { quality in
            try Encoder.encode(
                "sh", ["-c", "oggenc -Q -q \(quality) -o \"$1\" \"$0\""],
                Encoder.wave(seconds: 0.2, rate: 44_100, channels: 2))
        }
        for file in honest {
            #expect(VorbisDecodingTests.allows(file, seekable: seekable, using: &chance))
            _ = try VorbisDecodingTests.open(file)
        }
        for entries in [[1 << 15], [1 << 20], [(1 << 24) - 1], [Int](repeating: 1 << 14, count: 200)] {
            for padding in [0, 5000, 40_000, 70_000] {
                var number = 0
                // Behind an honest stream, and pages of another.
                let before =
                    padding == 0
                    ? []
                    : honest[3] + SoundFiles.pages([UInt8](repeating: 5, count: padding), number: &number, flags: 2)
                let file = before + VorbisDecodingTests.announcing(entries, number: &number)
                #expect(!VorbisDecodingTests.allows(file, seekable: seekable, using: &chance))
                let source = MemorySource(file)
                source.hasLength = seekable
                #expect(throws: MediaError.self) {
                    let decoder = try #require(try MediaFormats.decoder(source, nil))
                    _ = try VorbisDecodingTests.decoded(decoder, piece: 1000)
                    if seekable && padding > 0 { throw MediaError.damaged }
                }
            }
        }
        // Half as many are let through, to be judged by the library.
        var number = 0
        let file = VorbisDecodingTests.announcing([1 << 14], number: &number)
        #expect(VorbisDecodingTests.allows(file, seekable: seekable, using: &chance))
    }

    /// Any bytes, cut anywhere.
    @Test func anyBytesAreLookedAt() throws {
        var chance = SeededGenerator(seed: 11)
        var number = 0
        let file = VorbisDecodingTests.announcing([8, 1 << 10, 1 << 14], number: &number)
        for _ in 0..<500 {
            var changed = file
            for _ in 0..<Int.random(in: 1...20, using: &chance) {
                changed[Int.random(in: 0..<changed.count, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
            }
            changed.removeLast(Int.random(in: 0..<changed.count, using: &chance))
            _ = VorbisDecodingTests.allows(changed, seekable: Bool.random(using: &chance), using: &chance)
        }
    }

    /// However few frames are asked for at a time.
    @Test(arguments: 1...8) func anyNumberOfChannels(channels: Int) throws {
        let file = try VorbisDecodingTests.encoded(seconds: 0.5, channels: channels)
        let decoder = try VorbisDecodingTests.open(file)
        #expect(decoder.channels == min(2, channels) && decoder.rate == 44_100)
        let whole = try VorbisDecodingTests.decoded(decoder, piece: 5000)
        #expect(whole.count == 22_050 * decoder.channels)
        #expect(whole.contains { abs(Int($0)) > 500 })
        for piece in [1, 3, 700] {
            let other = try VorbisDecodingTests.open(file)
            #expect(try VorbisDecodingTests.decoded(other, piece: piece) == whole)
            try other.seek(toFrame: 20_001)
            #expect(try VorbisDecodingTests.decoded(other, piece: piece) == Array(whole[(20_001 * other.channels)...]))
        }
    }

    /// Returns a chain of streams with rates and channels of their own, each a second of a tone of 440 Hz.
    private static func chain(_ streams: [(rate: Int, channels: Int)], hertz: Double = 440) throws -> [UInt8] {
        try streams.enumerated().flatMap { number, stream in
            let samples = (0..<stream.rate).flatMap { frame in
                [Int](
                    repeating: Int(9000 * sin(2 * .pi * hertz * Double(frame) / Double(stream.rate))),
                    count: stream.channels)
            }
            return try Encoder.encode(
                "sh", ["-c", "oggenc -Q -q 5 -s \(number + 1) -o \"$1\" \"$0\""],
                Data(
                    SoundFiles.wave(
                        samples.flatMap { SoundFiles.little($0, 2) }, channels: stream.channels, rate: stream.rate)))
        }
    }

    /// Of the first channel of each second, without what stands at its ends.
    private static func pitches(_ samples: [Int16], rate: Int, channels: Int) -> [Double] {
        stride(from: 0, to: samples.count / channels - rate + 1000, by: rate).map { start in
            let part = (start + rate / 10..<start + rate * 9 / 10).map { samples[$0 * channels] }
            let rises = zip(part, part.dropFirst()).count { $0 < 0 && $1 >= 0 }
            return Double(rises) / 0.8
        }
    }

    /// A station that comes in order, and the same as a file.
    @Test(arguments: [true, false]) func streamsOfAChainKeepTheirPitch(isFile: Bool) throws {
        for streams in [
            [(44_100, 2), (48_000, 2), (22_050, 1), (44_100, 1)], [(48_000, 1), (44_100, 2), (48_000, 6)],
        ] {
            let source = MemorySource(try VorbisDecodingTests.chain(streams))
            source.hasLength = isFile
            let decoder = try #require(try MediaFormats.decoder(source, nil))
            let samples = try VorbisDecodingTests.decoded(decoder, piece: 2048)
            let pitches = VorbisDecodingTests.pitches(samples, rate: decoder.rate, channels: decoder.channels)
            #expect(decoder.rate == streams[0].0 && pitches.count == streams.count)
            #expect(pitches.allSatisfy { abs($0 - 440) < 3 }, "\(pitches)")
            #expect(abs(samples.count / decoder.channels - streams.count * decoder.rate) < 200)
        }
    }

    @Test func placesInAChainOfSeveralRates() throws {
        let file = try VorbisDecodingTests.chain([(44_100, 2), (48_000, 2), (32_000, 1)])
        let decoder = try VorbisDecodingTests.open(file)
        let count = try #require(decoder.frameCount)
        #expect(count == 3 * 44_100)
        let whole = try VorbisDecodingTests.decoded(decoder, piece: 2048)
        for place in [20_000, 44_000, 44_100, 70_000, 88_300, 120_000] {
            try decoder.seek(toFrame: Int64(place))
            let part = try VorbisDecodingTests.decoded(decoder, piece: 2048, most: 6000)
            // A step of a sample where a rate is brought to another.
            let error = (-8...8).map { shift in
                (1000..<2500).reduce(0) {
                    $0 + abs(Int(part[2 * $1]) - Int(whole[2 * min(whole.count / 2 - 1, place + shift + $1)]))
                }
            }.min()!
            #expect(error / 1500 < 400, "\(place): \(error / 1500)")
        }
        try decoder.seek(toFrame: count)
        #expect(try VorbisDecodingTests.decoded(decoder, piece: 100).isEmpty)
    }
}
