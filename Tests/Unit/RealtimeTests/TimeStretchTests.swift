// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Realtime
import TestSupport
import Testing

/// Returns a recording at a speed, given in pieces.
private func stretched(
    _ samples: [Int16], rate: Int, channels: Int = 1, speed: Int, piece: Int = 1152,
    look: (_ used: Int64, _ given: Int) -> Void = { _, _ in }
) -> [Int16] {
    var stretch = TimeStretch(rate: rate, channels: channels)
    stretch.begin(speed: speed)
    var result: [Int16] = []
    var at = 0
    let frames = samples.count / channels
    samples.withUnsafeBufferPointer { all in
        while true {
            while let part = stretch.next() {
                result.append(contentsOf: UnsafeBufferPointer(start: part.samples, count: part.frames * channels))
                look(stretch.usedFrames, result.count / channels)
            }
            if at == frames { break }
            at += stretch.put(all.baseAddress! + at * channels, frames: min(piece, frames - at))
        }
        stretch.finish()
        while let part = stretch.next() {
            result.append(contentsOf: UnsafeBufferPointer(start: part.samples, count: part.frames * channels))
        }
        #expect(stretch.usedFrames <= Int64(frames))
    }
    return result
}

private func tone(_ hertz: Double, rate: Int, seconds: Double, level: Double = 12000) -> [Int16] {
    (0..<Int(Double(rate) * seconds)).map { Int16(level * sin(2 * .pi * hertz * Double($0) / Double(rate))) }
}

/// The frequency of a tone, by its rising zero crossings.
private func pitch(_ samples: [Int16], rate: Int) -> Double {
    var crossings: [Double] = []
    for index in 1..<samples.count where samples[index - 1] < 0 && samples[index] >= 0 {
        let (before, after) = (Double(samples[index - 1]), Double(samples[index]))
        crossings.append(Double(index) - after / (after - before))
    }
    guard crossings.count > 1 else { return 0 }
    return Double(crossings.count - 1) / (crossings.last! - crossings.first!) * Double(rate)
}

/// So many frames come of so many: exactly, but where the end comes just when something was said twice.
private func isDue(_ result: Int, of frames: Int, _ speed: Int, _ rate: Int) -> Bool {
    let due = frames * 1000 / speed
    return result == due || (speed < 1000 && result > due && result <= due + rate / 65)
}

private let everySpeed = Array(stride(from: 500, through: 3000, by: 50)).filter { $0 != 1000 }

@Suite("Time stretch") struct TimeStretchTests {
    @Test func differencesAddUp() {
        var random = SeededGenerator(seed: 3)
        let samples = (0..<900).map {
            $0 % 3 == 0 ? Int16.min : $0 % 7 == 0 ? .max : Int16.random(in: .min ... .max, using: &random)
        }
        for count in [0, 1, 7, 8, 9, 16, 110, 439] {
            for distance in [1, 2, 5, 440] {
                var sum: UInt32 = 0
                for place in 0..<count { sum += UInt32(abs(Int(samples[place]) - Int(samples[place + distance]))) }
                let found = samples.withUnsafeBufferPointer {
                    ns_sum_of_differences($0.baseAddress!, $0.baseAddress! + distance, count)
                }
                #expect(found == sum, "\(count) at \(distance)")
            }
        }
    }

    @Test(arguments: [8000, 22050, 44100, 48000]) func aToneKeepsItsPitch(rate: Int) {
        for (index, speed) in everySpeed.enumerated() {
            let hertz = [110.0, 220, 333, 440, 1000][index % 5]
            let result = stretched(tone(hertz, rate: rate, seconds: 2), rate: rate, speed: speed)
            let found = pitch(result, rate: rate)
            #expect(abs(found / hertz - 1) < 0.002, "\(hertz) Hz of \(rate) at \(speed): \(found)")
        }
    }

    /// The numbers of used and returned frames never differ by more than a period or two, over any length, and the duration is exact.
    @Test(arguments: everySpeed) func nothingDrifts(speed: Int) {
        let rate = 8000
        var random = SeededGenerator(seed: UInt64(speed))
        // Hums of all heights with pauses between, as speech has them.
        var samples: [Int16] = []
        var phase = 0.0
        for word in 0..<80 {
            let hertz = Double.random(in: 70...380, using: &random)
            for place in 0..<Int.random(in: 800...3000, using: &random) {
                phase += 2 * .pi * hertz * (1 + 0.0001 * Double(place % 500)) / Double(rate)
                samples.append(word % 5 == 4 ? 0 : Int16(9000 * (sin(phase) + 0.4 * sin(3 * phase))))
            }
        }
        var worst = 0.0
        let result = stretched(samples, rate: rate, speed: speed, piece: 1 + speed % 700) { used, given in
            worst = max(worst, abs(Double(used) - Double(given) * Double(speed) / 1000))
        }
        #expect(isDue(result.count, of: samples.count, speed, rate), "\(speed): \(result.count)")
        #expect(worst <= 0.02 * Double(rate), "\(speed): \(worst / Double(rate)) s")
    }

    @Test func noClickAtASeam() {
        let samples = tone(150, rate: 44100, seconds: 2)
        func bend(_ all: [Int16]) -> Int {
            (1..<all.count - 1).map { abs(Int(all[$0 - 1]) - 2 * Int(all[$0]) + Int(all[$0 + 1])) }.max()!
        }
        let steady = bend(samples)
        for speed in everySpeed {
            // The end fades into silence.
            let result = stretched(samples, rate: 44100, speed: speed).dropLast(3000)
            #expect(bend(Array(result)) <= steady * 3, "\(speed)")
        }
    }

    @Test func itBeginsWithTheFirstFrameAndCanBeginAnew() {
        let samples = tone(200, rate: 22050, seconds: 0.5)
        for speed in [500, 750] {
            let result = stretched(samples, rate: 22050, speed: speed)
            // Slower than it was spoken, the first period comes as it is.
            #expect(result.prefix(55) == samples.prefix(55))
        }
        var stretch = TimeStretch(rate: 22050, channels: 1)
        stretch.begin(speed: 2000)
        _ = samples.withUnsafeBufferPointer { stretch.put($0.baseAddress!, frames: 1152) }
        stretch.begin(speed: 1500)
        #expect(stretch.next() == nil && stretch.usedFrames == 0)
        stretch.finish()
        #expect(stretch.next() == nil)
    }

    @Test func bothChannelsStayTogether() {
        let rate = 44100
        let left = tone(170, rate: rate, seconds: 1)
        var both: [Int16] = []
        for sample in left { both += [sample, sample / 2] }
        for speed in [500, 850, 1300, 2000, 2950] {
            let result = stretched(both, rate: rate, channels: 2, speed: speed)
            #expect(isDue(result.count / 2, of: left.count, speed, rate))
            let isTogether = stride(from: 0, to: result.count, by: 2).allSatisfy {
                abs(Int(result[$0]) - 2 * Int(result[$0 + 1])) <= 4
            }
            #expect(isTogether, "\(speed)")
            let found = pitch(stride(from: 0, to: result.count, by: 2).map { result[$0] }, rate: rate)
            #expect(abs(found / 170 - 1) < 0.002)
        }
    }

    /// Nothing is louder than before, and everything comes out, for any input.
    @Test(arguments: [8000, 11025, 16000, 48000]) func hostileSounds(rate: Int) {
        var random = SeededGenerator(seed: 7)
        let count = rate
        let sounds: [[Int16]] = [
            [Int16](repeating: 0, count: count), [Int16](repeating: .min, count: count),
            (0..<count).map { $0 / 40 % 2 == 0 ? .max : .min }, (0..<count).map { $0 % 2 == 0 ? .max : .min },
            (0..<count).map { $0 % 5000 == 0 ? .max : 0 },
            (0..<count).map { _ in Int16.random(in: .min ... .max, using: &random) }, [1], [],
            [Int16](repeating: 5, count: 900),
        ]
        for (kind, samples) in sounds.enumerated() {
            for speed in [500, 550, 950, 1050, 1500, 1950, 2000, 2050, 3000] {
                for channels in [1, 2] where samples.count % channels == 0 {
                    let result = stretched(samples, rate: rate, channels: channels, speed: speed, piece: 977)
                    #expect(
                        isDue(result.count / channels, of: samples.count / channels, speed, rate), "\(kind) \(speed)")
                    let (low, high) = (min(0, samples.min() ?? 0), max(0, samples.max() ?? 0))
                    #expect(result.allSatisfy { $0 >= low && $0 <= high }, "\(kind) \(speed)")
                }
            }
        }
    }
}
