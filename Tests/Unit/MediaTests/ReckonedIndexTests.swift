// SPDX-License-Identifier: Apache-2.0
import FuzzWork
import Testing

@testable import Media

/// The places of frames that have yet to arrive, computed from the beginning.
@Suite struct ReckonedIndexTests {
    /// Frames of layer III, 44.1 kHz, one after the other, each padded as it comes out even; or none.
    private func stream(_ count: Int, isPadded: Bool, bitrate: (Int) -> UInt32 = { _ in 9 }) -> (
        bytes: [UInt8], offsets: [Int64]
    ) {
        let rates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160]
        var bytes: [UInt8] = []
        var offsets: [Int64] = []
        for frame in 0..<count {
            let index = bitrate(frame)
            let wanted = (frame + 1) * 144 * rates[Int(index)] * 1000 / 44_100
            let plain = 144 * rates[Int(index)] * 1000 / 44_100
            let pads = isPadded && wanted - bytes.count > plain
            offsets.append(Int64(bytes.count))
            let word: UInt32 = 0xFFFB_0000 | index << 12 | (pads ? 0x200 : 0) | 0x44
            bytes += [UInt8(word >> 24), UInt8(word >> 16 & 255), UInt8(word >> 8 & 255), UInt8(word & 255)]
            bytes += [UInt8](repeating: 0, count: plain - 4 + (pads ? 1 : 0))
        }
        return (bytes, offsets)
    }

    private func walk(_ bytes: [UInt8]) throws -> FrameStream {
        let walk = try FrameStream(MemorySource(bytes), notingEvery: 128)
        while try !walk.step() {}
        return walk
    }

    @Test func eachFrameIsALittleBehindItsPlace() throws {
        for isPadded in [true, false] {
            let (bytes, offsets) = stream(5000, isPadded: isPadded)
            // No more than the beginning is looked at.
            let walk = try walk(Array(bytes[..<60_000]))
            let index = try #require(walk.reckonedIndex(audioBytes: Int64(bytes.count)))
            #expect(abs(index.frameCount - 5000) <= 1 && index.sampleRate == 44_100)
            for (number, offset) in index.offsets.enumerated() where number * index.step < offsets.count {
                let behind = offsets[number * index.step] - offset
                #expect(behind >= 0 && behind < 417 / 2, "frame \(number * index.step)")
            }
            #expect(abs((walk.secondBytes ?? 0) - 16_000) < 100)
        }
    }

    @Test func otherwiseNobodyKnows() throws {
        let (bytes, _) = stream(300, isPadded: true) { $0 % 7 == 3 ? 8 : 9 }
        let changing = try walk(bytes)
        #expect(changing.reckonedIndex(audioBytes: 10_000_000) == nil)
        #expect(changing.secondBytes != nil)
        let (few, _) = stream(20, isPadded: true)
        #expect(try walk(few).reckonedIndex(audioBytes: 10_000_000) == nil)
        let (some, _) = stream(200, isPadded: true)
        #expect(try walk(some).reckonedIndex(audioBytes: 0) == nil)
        #expect(try walk(some).reckonedIndex(audioBytes: .max) == nil)
    }
}
