import TestSupport
import Testing

@testable import Realtime

@Suite struct EnvelopeTests {
    private func rendered(
        _ samples: [Int16], channels: Int, start: Int64 = 0, volume: Envelope = Envelope(level: Envelope.unity),
        fade: Envelope = Envelope(level: Envelope.unity)
    ) -> [Int16] {
        var result = [Int16](repeating: 99, count: samples.count)
        render(
            from: samples, to: &result, start: start, frames: samples.count / channels, channels: channels,
            volume: volume,
            fade: fade)
        return result
    }

    @Test func unityLeavesEverySampleAsItIs() {
        let all = (Int(Int16.min)...Int(Int16.max)).map { Int16($0) }
        #expect(rendered(all, channels: 1) == all)
    }

    @Test func halfIsHalfRoundedToNearest() {
        let half = Envelope(level: Envelope.unity / 2)
        let result = rendered([-32768, -3, -2, 0, 2, 3, 32767], channels: 1, volume: half)
        for (got, exact) in zip(result, [-16384.0, -1.5, -1, 0, 1, 1.5, 16383.5]) {
            #expect(abs(Double(got) - exact) <= 0.5)
        }
    }

    @Test(arguments: [1, 2, 5, 110, 240, 4800]) func aMoveEndsExactlyAndNeverTurnsBack(frames: Int) {
        for (from, to) in [(0, Envelope.unity), (Envelope.unity, 0), (Envelope.unity / 3, Envelope.unity), (5, 0)] {
            var gain = Envelope(level: from)
            gain.move(to: to, from: 1000, frames: frames)
            #expect(gain.level(at: 0) == from && gain.level(at: 1000) == from)
            var last = from
            let end = 1000 + Int64(frames)
            for frame in 1000..<end {
                let level = gain.level(at: frame)
                #expect(to > from ? level >= last : level <= last)
                #expect(level >= min(from, to) && level <= max(from, to))
                last = level
            }
            #expect(gain.level(at: end) == to && gain.level(at: 1_000_000) == to)
            #expect(gain.isUnity(from: end) == (to == Envelope.unity))
            #expect(!gain.isUnity(from: end - 1))
        }
    }

    /// What is taken back sounds as it did; from the place of the cut on it goes another way, without a jump.
    @Test func aMoveAfterFramesWereTakenBackBeginsWhereTheOldOneWas() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            var gain = Envelope(level: 0)
            var at: Int64 = 0
            for _ in 0..<8 {
                let before = gain
                at = max(0, at + Int64.random(in: -20...300, using: &random))
                gain.move(
                    to: Bool.random(using: &random) ? Envelope.unity : 0, from: at,
                    frames: Int.random(in: 1...110, using: &random))
                #expect(gain.level(at: at) == before.level(at: at))
                // The two latest frames before the cut, which the card may still be about to play.
                for frame in max(0, at - 2)...at { #expect(gain.level(at: frame) == before.level(at: frame)) }
            }
        }
    }

    @Test func aFallToSilenceIsKnown() {
        var gain = Envelope(level: Envelope.unity)
        gain.move(to: 0, from: 100, frames: 50)
        gain.move(to: Envelope.unity, from: 200, frames: 50)
        #expect(gain.framesToSilence(from: 99) == nil)
        #expect(gain.framesToSilence(from: 100) == 50)
        #expect(gain.framesToSilence(from: 130) == 20)
        #expect(gain.framesToSilence(from: 199) == 0)
        #expect(gain.framesToSilence(from: 200) == nil)
    }

    @Test func bothEarsFadeAlike() {
        var fade = Envelope(level: 0)
        fade.move(to: Envelope.unity, from: 7, frames: 50)
        let source = (0..<100).flatMap { _ in [Int16(20000), Int16(-20000)] }
        let result = rendered(source, channels: 2, start: 7, fade: fade)
        for frame in 0..<100 { #expect(abs(Int(result[2 * frame]) + Int(result[2 * frame + 1])) <= 1) }
        // No step between frames larger than a fade of 50 frames makes.
        for frame in 1..<100 { #expect(abs(Int(result[2 * frame]) - Int(result[2 * frame - 2])) <= 401) }
    }
}
