// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Realtime

@Suite struct EnvelopeTests {
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

    /// Frames taken back sound as before; from the cut on the envelope takes another way, without a jump.
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

    /// Of the length of a sleep timer's: no step, and no jump at its end.
    @Test func aFallOfAnHourIsEven() {
        var gain = Envelope(level: Envelope.unity)
        let frames = 3600 * 48000
        gain.move(to: 0, from: 0, frames: frames)
        for minute in 0...60 {
            let expected = Int64(Envelope.unity) * Int64(60 - minute) / 60
            #expect(abs(Int64(gain.level(at: Int64(minute) * 60 * 48000)) - expected) <= 1)
        }
        #expect(gain.level(at: Int64(frames) - 1) < 10)
    }

    @Test func framesThatAreCountedAnewGoOnAsTheyWere() {
        var gain = Envelope(level: Envelope.unity)
        gain.move(to: 0, from: 1000, frames: 4000)
        let anew = gain.countedAnew(from: 3000, oldRate: 24000, newRate: 48000)
        #expect(anew.level(at: 0) == gain.level(at: 3000))
        #expect(abs(anew.level(at: 2000) - gain.level(at: 4000)) <= 1)
        #expect(anew.level(at: 4000) == 0 && !anew.isStill(from: 3999))
        #expect(gain.countedAnew(from: 5000, oldRate: 1, newRate: 1).level(at: 0) == 0)
    }
}
