// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Realtime
import TestSupport
import Testing

private let rate = 22050

/// Returns the samples left of a recording, and the place of each frame in it.
private func cut(_ samples: [Int16], channels: Int = 1, piece: Int = 1152) -> (samples: [Int16], places: [Int]) {
    var cut = SilenceCut(rate: rate, channels: channels)
    var result: [Int16] = []
    var places: [Int] = []
    var place = 0
    func take() {
        while let part = cut.next() {
            place += part.skipped
            result.append(contentsOf: UnsafeBufferPointer(start: part.samples, count: part.frames * channels))
            places.append(contentsOf: place..<place + part.frames)
            place += part.frames
        }
    }
    samples.withUnsafeBufferPointer { all in
        var at = 0
        while at < samples.count / channels {
            take()
            at += cut.put(all.baseAddress! + at * channels, frames: min(piece, samples.count / channels - at))
        }
        take()
        cut.finish()
        take()
    }
    return (result, places)
}

/// A voice of some seconds, with a level of its own and noise that never ends.
private struct Spoken {
    var random = SeededGenerator(seed: 11)
    var noise = 2.0
    var samples: [Int16] = []

    mutating func add(milliseconds: Int, level: Double, isHiss: Bool = false) {
        for index in 0..<rate * milliseconds / 1000 {
            let time = Double(index) / Double(rate)
            // Syllables with a rising and falling level.
            let swell = isHiss ? 1 : 0.55 + 0.45 * sin(2 * .pi * 4 * time)
            let hiss = Double.random(in: -1...1, using: &random)
            let voice = isHiss ? hiss : sin(2 * .pi * 180 * time) + 0.5 * sin(2 * .pi * 1900 * time) + 0.1 * hiss
            let value = level * swell * voice + noise * Double.random(in: -1...1, using: &random)
            samples.append(Int16(max(-32768, min(32767, value.rounded()))))
        }
    }
}

@Suite("Shorter silences") struct SilenceCutTests {
    @Test(arguments: [9000.0, 900.0, 150.0]) func aFifthIsKept(level: Double) {
        var spoken = Spoken()
        spoken.noise = level / 500
        var pauses: [(at: Int, milliseconds: Int)] = []
        spoken.add(milliseconds: 3000, level: level)
        for milliseconds in [100, 250, 400, 700, 1000, 3000, 9000] {
            pauses.append((spoken.samples.count, milliseconds))
            spoken.add(milliseconds: milliseconds, level: 0)
            spoken.add(milliseconds: 1500, level: level)
        }
        let result = cut(spoken.samples)
        for (at, milliseconds) in pauses {
            let frames = rate * milliseconds / 1000
            let kept = result.places.count { (at..<at + frames).contains($0) } * 1000 / rate
            // Behind a word 40 ms are the word's.
            let due = milliseconds < 200 ? milliseconds : 40 + max(80, (milliseconds - 40) / 5)
            #expect(abs(kept - due) <= 25, "of \(milliseconds)")
            // The speech stays, to the last frame.
            #expect(result.places.contains(at - 1) && result.places.contains(at + frames))
        }
        let silent = pauses.map { $0.at..<$0.at + rate * $0.milliseconds / 1000 }
        let left = Set(result.places)
        #expect(
            (0..<spoken.samples.count).allSatisfy { place in
                left.contains(place) || silent.contains { $0.contains(place) }
            })
    }

    @Test func everyFrameIsTheOneTold() {
        var spoken = Spoken()
        for _ in 0..<5 {
            spoken.add(milliseconds: 1300, level: 8000)
            spoken.add(milliseconds: 900, level: 0)
        }
        for piece in [1152, 1, 700] {
            let result = cut(spoken.samples, piece: piece)
            #expect(result.samples.count == result.places.count && result.samples.count < spoken.samples.count * 8 / 10)
            var others = 0
            for (sample, place) in zip(result.samples, result.places) where sample != spoken.samples[place] {
                others += 1
            }
            // Of each silence two joins of 8 ms, of two noises.
            #expect(others <= 10 * rate / 125)
        }
    }

    @Test func breathsAndWeakSoundsStay() {
        var spoken = Spoken()
        spoken.add(milliseconds: 4000, level: 9000)
        spoken.add(milliseconds: 600, level: 0)
        let breath = spoken.samples.count
        spoken.add(milliseconds: 350, level: 60, isHiss: true)
        let end = spoken.samples.count
        spoken.add(milliseconds: 500, level: 0)
        spoken.add(milliseconds: 1000, level: 9000)
        let result = cut(spoken.samples)
        #expect(result.places.filter { (breath..<end).contains($0) }.count == end - breath)
        #expect(result.places.count < spoken.samples.count - rate / 2)
    }

    @Test func whatIsNearlyAsLoudAsItsNoiseStays() {
        var spoken = Spoken()
        spoken.noise = 60
        for _ in 0..<6 {
            spoken.add(milliseconds: 1300, level: 300, isHiss: true)
            spoken.add(milliseconds: 700, level: 0)
        }
        #expect(cut(spoken.samples).samples == spoken.samples)
    }

    @Test func noiseAloneAndSilenceAloneStay() {
        var spoken = Spoken()
        spoken.noise = 500
        spoken.add(milliseconds: 5000, level: 0)
        #expect(cut(spoken.samples).samples == spoken.samples)
        let silence = [Int16](repeating: 0, count: 3 * rate)
        #expect(cut(silence).samples == silence)
    }

    @Test func twoChannels() {
        var spoken = Spoken()
        for _ in 0..<3 {
            spoken.add(milliseconds: 1300, level: 8000)
            spoken.add(milliseconds: 900, level: 0)
        }
        let both = spoken.samples.flatMap { [$0, $0 / 2] }
        let result = cut(both, channels: 2)
        #expect(result.samples.count == 2 * result.places.count && result.places.count < spoken.samples.count * 8 / 10)
        let one = stride(from: 0, to: result.samples.count, by: 2).map { result.samples[$0] }
        #expect(zip(one, result.places).count { $0 != spoken.samples[$1] } <= 6 * rate / 125)
    }

    @Test func joinsDoNotClick() {
        var spoken = Spoken()
        spoken.noise = 40
        for _ in 0..<6 {
            spoken.add(milliseconds: 1300, level: 20000)
            spoken.add(milliseconds: 2000, level: 0)
        }
        let result = cut(spoken.samples)
        for index in 1..<result.places.count where result.places[index] != result.places[index - 1] + 1 {
            let around = result.samples[max(0, index - 300)..<min(result.samples.count, index + 300)]
            #expect(zip(around, around.dropFirst()).allSatisfy { abs(Int($0) - Int($1)) <= 90 })
        }
    }
}
