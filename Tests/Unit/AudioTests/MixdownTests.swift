// SPDX-License-Identifier: Apache-2.0
import Realtime
import TestSupport
import Testing

@testable import Audio

@Suite struct MixdownTests {
    private final class Desk {
        var mixdown: Mixdown

        init(_ samples: [Int16], channels: Int = 1, sampleBytes: Int = 2) {
            mixdown = Mixdown(
                channels: channels, sampleBytes: sampleBytes, chunkFrames: 500, queuedFrames: samples.count / channels)
            samples.withUnsafeBufferPointer {
                mixdown.append($0.baseAddress!, frames: $0.count / channels, at: 0)
            }
        }

        func rendered(_ gains: Gains, from: Int64 = 0, frames: Int, piece: Int = 500) -> [Int16] {
            var result: [Int16] = []
            var at = from
            while at < from + Int64(frames) {
                var count = 0
                let wanted = min(piece, Int(from) + frames - Int(at))
                let part = mixdown.rendered(wanted, at: at, time: at, gains, frames: &count)
                    .assumingMemoryBound(to: Int16.self)
                result.append(contentsOf: UnsafeBufferPointer(start: part, count: count * mixdown.channels))
                at += Int64(count)
            }
            return result
        }
    }

    private var open: Gains {
        var gains = Gains()
        gains.fade.set(Envelope.unity)
        return gains
    }

    private var noise: [Int16] {
        var random = SeededGenerator(seed: 5)
        return (0..<4000).map { _ in Int16.random(in: .min ... .max, using: &random) }
    }

    @Test func unityLeavesEverySampleAsItIs() {
        let all = (Int(Int16.min)...Int(Int16.max)).map { Int16($0) }
        #expect(Desk(all).rendered(open, frames: all.count) == all)
        // Also where it has to be worked out, frame by frame.
        var moving = open
        moving.sleep.move(to: 0, from: 1_000_000, frames: 10)
        #expect(Desk(all).rendered(moving, frames: all.count) == all)
    }

    @Test func aCardOf32BitsGetsTheSameOnTop() {
        let desk = Desk([1, -1, 32767], sampleBytes: 4)
        var count = 0
        let part = desk.mixdown.rendered(3, at: 0, time: 0, open, frames: &count).assumingMemoryBound(to: Int32.self)
        #expect(count == 3 && part[0] == 1 << 16 && part[1] == -1 << 16 && part[2] == 32767 << 16)
    }

    @Test func gainsAreMultiplied() {
        var gains = open
        gains.user.set(Envelope.unity / 2)
        gains.duck.set(Envelope.unity / 4)
        gains.sleep.set(Envelope.unity / 2)
        #expect(Desk([16000, -16000, 32767]).rendered(gains, frames: 3) == [1000, -1000, 2048])
        gains.move(.duck, to: Envelope.unity, from: 1, frames: 1)
        #expect(Desk([16000, 16000, 16000]).rendered(gains, frames: 3) == [1000, 1000, 4000])
    }

    /// Each envelope runs independently: every frame has the product of both, in pieces of any size.
    @Test(arguments: 0..<20) func envelopesMultiplyFrameByFrame(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var gains = open
        for kind in [Gains.Kind.user, .fade, .duck, .sleep] {
            gains.move(
                kind, to: Int.random(in: 0...Envelope.unity, using: &random),
                from: Int64.random(in: 0...2000, using: &random), frames: Int.random(in: 1...3000, using: &random))
        }
        let noise = noise
        let desk = Desk(noise)
        let whole = desk.rendered(gains, frames: 4000)
        for frame in 0..<4000 {
            let levels = [gains.user, gains.fade, gains.duck, gains.sleep].map {
                Double($0.level(at: Int64(frame))) / Double(Envelope.unity)
            }
            let exact = Double(noise[frame]) * levels.reduce(1, *)
            #expect(abs(Double(whole[frame]) - exact) < 5, "seed \(seed), frame \(frame)")
        }
        #expect(desk.rendered(gains, frames: 4000, piece: 37) == whole, "seed \(seed)")
    }

    @Test func aSecondVoiceIsHeardOverItAndTakenAwayAgain() {
        var voice: [Int16] = [1000, -1000, 30000, 5]
        voice.withUnsafeMutableBufferPointer { said in
            let desk = Desk([Int16](repeating: 4000, count: 10))
            var gains = open
            gains.duck.set(Envelope.unity / 2)
            let before = desk.rendered(gains, frames: 10)
            desk.mixdown.speak(Mixdown.Voice(samples: said.baseAddress!, frames: 4, start: 3), at: 0)
            // Queued frames are written again, from any frame on, with the voice in them. The voice's gain is not that of the sound below.
            #expect(
                desk.rendered(gains, frames: 10) == [2000, 2000, 2000, 3000, 1000, 32000, 2005, 2000, 2000, 2000])
            #expect(desk.rendered(gains, from: 5, frames: 2, piece: 1) == [32000, 2005])
            desk.mixdown.speak(nil, at: 0)
            #expect(desk.rendered(gains, frames: 10) == before)
            // Too loud together: held at full scale.
            desk.mixdown.speak(Mixdown.Voice(samples: said.baseAddress!, frames: 4, start: -1), at: 0)
            #expect(desk.rendered(open, frames: 3) == [3000, 32767, 4005])
        }
    }

    /// The volume sets the level of the voice, but never below an audible one. The level of the sound below is independent.
    @Test func aVoiceIsAsLoudAsTheVolumeHasIt() {
        var voice = [Int16](repeating: 6400, count: 8)
        voice.withUnsafeMutableBufferPointer { said in
            let desk = Desk([Int16](repeating: 0, count: 8))
            desk.mixdown.speak(Mixdown.Voice(samples: said.baseAddress!, frames: 8, start: 0), at: 0)
            for (level, heard) in [(Envelope.unity, 6400), (Envelope.unity / 2, 3200), (0, 100)] {
                var gains = Gains()
                gains.user.set(level)
                #expect(desk.rendered(gains, frames: 8) == [Int16](repeating: Int16(heard), count: 8))
            }
            var gains = open
            gains.user.move(to: Envelope.unity / 2, from: 2, frames: 4)
            #expect(desk.rendered(gains, frames: 8) == [6400, 6400, 6400, 5600, 4800, 4000, 3200, 3200])
            // Cut off it dies away and does not click.
            desk.mixdown.speak(nil, at: 4)
            let tail = desk.rendered(open, frames: 8)
            #expect(tail[0..<4] == [0, 0, 0, 0] && tail[4] == 6400 && tail[7] == 1600)
        }
    }

    @Test func whatWasTakenBackSoundsTheSame() {
        let noise = noise
        let desk = Desk(noise)
        var gains = open
        gains.user.set(Envelope.unity / 3)
        let whole = desk.rendered(gains, frames: 4000)
        #expect(desk.rendered(gains, from: 2100, frames: 900) == Array(whole[2100..<3000]))
    }
}
