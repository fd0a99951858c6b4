import Foundation
import FuzzWork
import TestSupport
import Testing

@testable import Media

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

    /// A chain whose streams have rates and channels of their own, each a second of a tone of 440 Hz.
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
