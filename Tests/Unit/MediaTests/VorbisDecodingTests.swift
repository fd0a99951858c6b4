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
}
