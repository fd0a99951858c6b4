// SPDX-License-Identifier: Apache-2.0
import Foundation
import Realtime
import TestSupport
import Testing

private let rate = 44100

private func levelled(
    _ samples: [Int16], gain: Int, from: Int? = nil, channels: Int = 1, piece: Int = 1152,
    glide: (at: Int, to: Int)? = nil
) -> [Int16] {
    var leveller = Leveller(rate: rate, channels: channels, gain: gain)
    if let from { leveller.begin(from: from) }
    var result: [Int16] = []
    func take() {
        while let part = leveller.next() {
            result.append(contentsOf: UnsafeBufferPointer(start: part.samples, count: part.frames * channels))
        }
    }
    samples.withUnsafeBufferPointer { all in
        var at = 0
        while at < samples.count / channels {
            take()
            if let glide, at >= glide.at { leveller.glide(to: glide.to) }
            at += leveller.put(all.baseAddress! + at * channels, frames: min(piece, samples.count / channels - at))
        }
        take()
        leveller.finish()
        take()
    }
    return result
}

private func tone(_ seconds: Double, level: Double) -> [Int16] {
    (0..<Int(seconds * Double(rate))).map { Int16(level * sin(2 * .pi * 300 * Double($0) / Double(rate))) }
}

@Suite("Leveller") struct LevellerTests {
    @Test(arguments: [1, 64, 1000, 1152]) func unityLeavesItAsItIs(piece: Int) {
        var random = SeededGenerator(seed: 5)
        let samples = (0..<20_001).map { _ in Int16.random(in: -29203...29203, using: &random) }
        #expect(levelled(samples, gain: Leveller.unity, piece: piece) == samples)
        #expect(
            levelled(Array(samples.dropLast()), gain: Leveller.unity, channels: 2, piece: piece) == samples.dropLast())
    }

    @Test func aGainIsAGain() {
        let result = levelled(tone(1, level: 1000), gain: 3 * Leveller.unity)
        #expect(result == tone(1, level: 1000).map { $0 * 3 })
    }

    /// Any samples, at any gain.
    @Test func nothingIsLouderThanTheCeiling() {
        var random = SeededGenerator(seed: 6)
        for round in 0..<60 {
            var samples: [Int16] = []
            while samples.count < 30_000 {
                let level = [0, 30, 900, 32767].randomElement(using: &random)!
                for _ in 0..<Int.random(in: 1...700, using: &random) {
                    samples.append(
                        level == 32767 && Bool.random(using: &random)
                            ? .min : Int16.random(in: Int16(-level)...Int16(level), using: &random))
                }
            }
            let channels = round % 2 + 1
            samples.removeLast(samples.count % channels)
            let gain = Int.random(in: 0...Leveller.most, using: &random)
            let result = levelled(
                samples, gain: gain, from: Int.random(in: 0...Leveller.most, using: &random), channels: channels,
                piece: Int.random(in: 1...1152, using: &random),
                glide: (at: 10_000, to: Int.random(in: 0...Leveller.most, using: &random)))
            #expect(result.count == samples.count)
            #expect(result.allSatisfy { abs(Int($0)) <= Leveller.ceiling + 1 })
        }
    }

    @Test func itComesDownInTimeAndUpAgain() {
        var samples = tone(2, level: 4000)
        for index in 44_100..<44_140 { samples[index] = 30_000 }
        let result = levelled(samples, gain: 4 * Leveller.unity)
        // The tone is not cut off by it: it sinks and rises along lines.
        let before = result[40_000..<43_000].max()!
        #expect(abs(Int(before) - 16_000) <= 4)
        #expect(result[(rate + 25_000)...].max()! > 15_500)
        let quiet = zip(result, samples).enumerated().filter {
            !(44_090..<44_150).contains($0.offset) && abs(Int($0.element.1)) > 1000
        }
        let factors = quiet.map { Double($0.element.0) / Double($0.element.1) }
        #expect(zip(factors, factors.dropFirst()).allSatisfy { abs($0 - $1) < 0.5 })
    }

    @Test func anotherGainIsGlidedTo() {
        let samples = tone(6, level: 2000)
        let result = levelled(samples, gain: Leveller.unity, glide: (at: rate, to: 2 * Leveller.unity))
        func level(_ second: Double) -> Int {
            let at = Int(second * Double(rate))
            return Int(result[at..<at + 1000].max()!)
        }
        #expect(abs(level(0.9) - 2000) <= 2 && abs(level(2) - 2245) < 40 && abs(level(3) - 2518) < 60)
        let steps = zip(result, result.dropFirst()).map { abs(Int($0) - Int($1)) }
        #expect(steps.max()! <= 175)
        var louder = Leveller(rate: rate, channels: 1, gain: 99 * Leveller.unity)
        #expect(louder.current == Leveller.most)
        louder.begin(from: 1)
        #expect(louder.current == 1)
    }
}
