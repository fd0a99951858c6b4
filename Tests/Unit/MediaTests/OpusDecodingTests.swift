// SPDX-License-Identifier: Apache-2.0
import FuzzWork
import Fuzzing
import TestSupport
import Testing

@testable import Media

/// With libopusfile, as it is on this machine.
@Suite struct OpusDecodingTests {
    /// All that is left, of one channel.
    private static func rest(_ decoder: any AudioDecoding, most: Int = .max) throws -> [Int16] {
        var samples: [Int16] = []
        var room = [Int16](repeating: 0, count: 5760 * decoder.channels)
        while samples.count < most {
            let count = try room.withUnsafeMutableBufferPointer {
                try decoder.decode(into: $0.baseAddress!, frames: 5760)
            }
            if count == 0 { break }
            samples += room[..<(count * decoder.channels)]
        }
        return samples
    }

    /// Cut by a program that copies: the first page ends before as many frames as it holds.
    @Test(arguments: [-47_000, -14_400, -1]) func whatBeginsBelowZeroPlaysAll(start: Int64) throws {
        let comments = SoundFiles.comments(["TITLE=One"])
        func open(_ start: Int64) throws -> (decoder: any AudioDecoding, probe: MediaProbe) {
            let source = MemorySource(SoundFiles.opus(comments, seconds: 6, startFrames: start))
            return (try #require(try MediaFormats.decoder(source, nil)), try MediaProbe(source))
        }
        let (plain, cut) = (try open(0), try open(start))
        #expect(cut.decoder.frameCount == plain.decoder.frameCount)
        #expect(cut.probe.durationMilliseconds == plain.probe.durationMilliseconds)
        #expect(cut.probe.durationMilliseconds == (6 * 48_000 - 312 + 24) / 48)
        let whole = try Self.rest(plain.decoder)
        #expect(whole.count == 6 * 48_000 - 312)
        let isSame = try Self.rest(cut.decoder) == whole
        #expect(isSame)
        for place in [0, 1, 100_000, 200_001] {
            try cut.decoder.seek(toFrame: Int64(place))
            try plain.decoder.seek(toFrame: Int64(place))
            let isSame = try Self.rest(cut.decoder, most: 20_000) == Self.rest(plain.decoder, most: 20_000)
            #expect(isSame, "\(place)")
        }
    }

    /// Reads in pieces of any size.
    @Test func readsOfAnyLengthAreTheSame() throws {
        let bytes = SoundFiles.opus(SoundFiles.comments(["TITLE=One"]), seconds: 4, startFrames: -14_400)
        let head = try MediaHead(MemorySource(bytes))
        let file = try OggFile(head, try #require(OggStream(head)))
        let cut = try #require(file.belowZero)
        #expect(cut.frames == 14_400)
        let shifted = ShiftedOgg(head.source, from: cut.page, by: cut.frames)
        let plain = SoundFiles.opus(SoundFiles.comments(["TITLE=One"]), seconds: 4)
        for piece in [1, 7, 100, 5000, 100_000] {
            var got: [UInt8] = []
            // Small ones cost a wide look each.
            let most = piece < 100 ? 5000 : bytes.count
            var room = [UInt8](repeating: 0, count: piece)
            while got.count < most {
                let count = try room.withUnsafeMutableBytes { try shifted.read(into: $0, at: Int64(got.count)) }
                if count == 0 { break }
                got += room[..<count]
            }
            let isSame = got[...] == plain.prefix(got.count)
            #expect(isSame && got.count >= most, "\(piece)")
        }
    }
}
