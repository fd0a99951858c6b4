// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Media

@Suite struct FrameIndexTests {
    static func random(using random: inout SeededGenerator, frames: Int) -> FrameIndex {
        let step = Int.random(in: 1...300, using: &random)
        var at = Int64.random(in: 0...5000, using: &random)
        var offsets: [Int64] = []
        for _ in 0..<(frames + step - 1) / step {
            offsets.append(at)
            at += Int64(step) * Int64.random(in: 24...1500, using: &random)
        }
        let spf = [384, 576, 1152].randomElement(using: &random)!
        return FrameIndex(
            step: step, offsets: offsets, frameCount: frames, samplesPerFrame: spf,
            sampleRate: [8000, 22_050, 44_100, 48_000].randomElement(using: &random)!,
            decodedSamples: Int64(frames * spf), audioBytes: at + 3,
            gapless: Gapless(
                frameCount: Bool.random(using: &random) ? frames : 0,
                encoderDelay: Int.random(in: 0...4095, using: &random),
                encoderPadding: Int.random(in: 0...4095, using: &random)))
    }

    @Test func comesBack() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            let index = FrameIndexTests.random(using: &random, frames: Int.random(in: 1...5000, using: &random))
            #expect(FrameIndex(encoded: index.encoded()) == index)
        }
    }

    @Test func tenHoursTakeLittle() {
        var random = SeededGenerator(seed: 2)
        // 1.38 million frames of variable rate, from 104 to 522 bytes.
        var at: Int64 = 0
        let offsets = (0..<10_782).map { _ in
            let here = at
            at += (0..<128).reduce(into: Int64(0)) { sum, _ in sum += Int64.random(in: 104...522, using: &random) }
            return here
        }
        let index = FrameIndex(
            step: 128, offsets: offsets, frameCount: 1_380_000, samplesPerFrame: 1152, sampleRate: 44_100,
            decodedSamples: 1_380_000 * 1152, audioBytes: at, gapless: Gapless(nil))
        let bytes = index.encoded()
        #expect(bytes.count <= 40_000)
        #expect(FrameIndex(encoded: bytes) == index)
        #expect(index.durationMilliseconds == 36_048_980)
    }

    @Test func damageIsSeen() {
        var random = SeededGenerator(seed: 3)
        let index = FrameIndexTests.random(using: &random, frames: 3000)
        let bytes = index.encoded()
        for i in 0..<bytes.count {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[i] ^= 1 << UInt8(bit)
                #expect(FrameIndex(encoded: damaged) == nil)
            }
        }
        for length in 0..<bytes.count { #expect(FrameIndex(encoded: Array(bytes.prefix(length))) == nil) }
        #expect(FrameIndex(encoded: bytes + [0]) == nil)
    }

    /// Bytes that pass the checksum but make no sense are refused too, and none crash.
    @Test func nonsenseWithARightChecksum() {
        var random = SeededGenerator(seed: 4)
        var taken = 0
        for _ in 0..<20_000 {
            let index = FrameIndexTests.random(using: &random, frames: Int.random(in: 1...300, using: &random))
            var bytes = Array(index.encoded().dropLast(4))
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                switch random.next() % 3 {
                case 0: bytes[Int.random(in: 1..<bytes.count, using: &random)] = random.bytes(1)[0]
                case 1: bytes.insert(contentsOf: random.bytes(9), at: Int.random(in: 1..<bytes.count, using: &random))
                default: bytes.remove(at: Int.random(in: 1..<bytes.count, using: &random))
                }
            }
            var sum: UInt32 = 0x811C_9DC5
            for byte in bytes { sum = (sum ^ UInt32(byte)) &* 0x0100_0193 }
            bytes += sum.bytes.reversed()
            // An offset is eight bytes, of one or more.
            let decoded = expectCost(CostBound(bytesPerByte: 16), inputBytes: bytes.count) {
                FrameIndex(encoded: bytes)
            }
            guard let found = decoded else { continue }
            taken += 1
            #expect(found.step > 0 && found.sampleRate > 0 && found.durationMilliseconds >= 0)
            #expect(found.offsets.count == (found.frameCount + found.step - 1) / found.step)
            #expect(zip(found.offsets, found.offsets.dropFirst()).allSatisfy { $0 < $1 })
            #expect(found.offsets.allSatisfy { $0 >= 0 && $0 <= found.audioBytes })
        }
        // Some changes only make another index.
        #expect(taken < 15_000)
    }

    @Test func aLargeTableCostsItsShare() {
        expectLinear(smallBytes: 20_000) { count -> [UInt8] in
            var random = SeededGenerator(seed: 5)
            var index = FrameIndexTests.random(using: &random, frames: 1)
            index.step = 1
            index.frameCount = count / 2
            index.offsets = (0..<count / 2).map { Int64($0) * 400 + Int64.random(in: 0...300, using: &random) }
            index.audioBytes = Int64(count) * 400
            return index.encoded()
        } work: {
            #expect(FrameIndex(encoded: $0) != nil)
        }
    }

    @Test func durationRoundsToTheNearest() {
        func milliseconds(_ samples: Int64, _ rate: Int) -> Int {
            FrameIndex(
                step: 1, offsets: [0], frameCount: 1, samplesPerFrame: 1152, sampleRate: rate, decodedSamples: samples,
                audioBytes: 1, gapless: Gapless(nil)
            ).durationMilliseconds
        }
        #expect(milliseconds(0, 8000) == 0)
        #expect(milliseconds(3, 8000) == 0)
        #expect(milliseconds(4, 8000) == 1)
        #expect(milliseconds(8000, 8000) == 1000)
        #expect(milliseconds(44_100 * 36_000 + 22, 44_100) == 36_000_000)
        #expect(milliseconds(44_100 * 36_000 + 23, 44_100) == 36_000_001)
    }
}
