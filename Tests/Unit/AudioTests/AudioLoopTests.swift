// SPDX-License-Identifier: Apache-2.0
import ALSA
import CPosix
import Posix
import Realtime
import TestSupport
import Testing

@testable import Audio

/// The whole loop, on a card that notes each frame that was heard.
@Suite struct AudioLoopTests {
    private static let fade = 240

    /// The frame heard last is the one before the place that is told, and so are those before it, at full volume.
    private func expectToldIsHeard(_ bench: LoopBench, frames: Int = 1000, _ what: String) {
        let told = bench.heard
        let played = bench.state.played
        // The heard position advances with the clock from the time of the report.
        let elapsed = min(bench.state.now - told.time.nanoseconds, told.queuedNanoseconds)
        if told.nextToken != 0 && elapsed >= told.nanosecondsUntilNext { return }
        let heard = told.heard.sample + elapsed * 48000 / 1_000_000_000
        for back in 1...frames {
            let place = heard - Int64(back)
            if place < 0 || played.count < back { return }
            if played[played.count - back] != LoopBench.sample(told.token, place) {
                Issue.record("\(what): the frame \(back) before the place told is not the one heard")
                return
            }
        }
    }

    @Test func itemsFollowEachOtherFrameByFrame() throws {
        let bench = try LoopBench()
        bench.send(.load(try bench.deck(frames: 60_000), asked: 0))
        bench.send(.lineUp(try bench.deck(frames: 1000)))
        bench.send(.volume(level: Envelope.unity))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 100)
        let begun = bench.takeEvents().filter(\.isBegun).count
        #expect(begun == 0)
        bench.run(milliseconds: 400)
        let then = bench.takeEvents().filter(\.isBegun).count
        #expect(then == 1)
        bench.send(.lineUp(try bench.deck(frames: 30_000)))
        bench.run(milliseconds: 3000)
        var expected: [Int16] = []
        for (token, frames) in [(1, 60_000), (2, 1000), (3, 30_000)] {
            for frame in 0..<Int64(frames) { expected.append(LoopBench.sample(token, frame)) }
        }
        #expect(bench.state.played.count > expected.count)
        let isSame = bench.state.played[Self.fade..<expected.count] == expected[Self.fade...]
        let isSilent = bench.state.played[expected.count...].allSatisfy { $0 == 0 }
        #expect(isSame && isSilent)
        #expect(bench.events.compactMap(\.endedHow) == [.complete])
        #expect(bench.underruns == 0)
        #expect(bench.heard.token == 3 && bench.heard.heard.sample == 30_000)
    }

    @Test(arguments: [false, true]) func aPauseNeitherRepeatsNorLoses(drops: Bool) throws {
        let state = FakeCardState()
        state.cutsByDropping = drops
        let bench = try LoopBench(state)
        bench.send(.load(try bench.deck(frames: 400_000), asked: 0))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 777)
        var random = SeededGenerator(seed: 11)
        for pause in 0..<12 {
            let before = bench.state.played.count
            bench.send(.pause(asked: 0))
            bench.run(milliseconds: 100)
            #expect(bench.countOfEvents(\.isPaused) == 1)
            _ = bench.takeEvents()
            let paused = bench.heard
            #expect(!paused.isAdvancing)
            // At the ear within the margin and the fall.
            let audible = bench.state.played[before...].filter { $0 != 0 }.count
            #expect(audible <= (drops ? 0 : 480) + Self.fade, "pause \(pause)")
            let silent = bench.state.played.count
            bench.send(.play(asked: 0))
            bench.run(milliseconds: Int64.random(in: 60...300, using: &random))
            // The first frame heard, behind the fade-in, follows the place of the pause by this much.
            let place = paused.heard.sample
            var wrong = 0
            for frame in Self.fade..<Self.fade + 500
            where bench.state.played[silent + frame] != LoopBench.sample(1, place + Int64(frame)) { wrong += 1 }
            #expect(wrong == 0, "pause \(pause)")
            expectToldIsHeard(bench, frames: 800, "pause \(pause)")
        }
    }

    /// A press in the middle of the fall, and one after it.
    @Test func playWhileItStillFallsGoesOnWhereItFell() throws {
        let bench = try LoopBench()
        bench.send(.load(try bench.deck(frames: 200_000), asked: 0))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 500)
        for wait in [1, 3, 8, 12, 14, 20, 30] {
            bench.send(.pause(asked: 0))
            bench.run(milliseconds: Int64(wait))
            bench.send(.play(asked: 0))
            bench.run(milliseconds: 100)
            expectToldIsHeard(bench, frames: 2000, "after \(wait) ms")
        }
        #expect(bench.underruns == 0)
    }

    @Test(arguments: 0..<24) func whateverIsPressedTheEarIsWhereItIsTold(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let state = FakeCardState(bufferFrames: [4800, 24000, 96000][Int(seed) % 3], periodFrames: 1200)
        state.cutsByDropping = seed % 4 == 3
        let bench = try LoopBench(state)
        var decksOut = 0
        var wantsToPlay = false
        func released() { decksOut -= bench.takeEvents().filter(\.isReleased).count }
        bench.send(.load(try bench.deck(frames: 200_000), asked: 0))
        decksOut += 1
        for step in 0..<60 {
            switch Int.random(in: 0..<7, using: &random) {
            case 0:
                bench.send(.pause(asked: 0))
                wantsToPlay = false
            case 1, 2:
                bench.send(.play(asked: 0))
                wantsToPlay = true
            case 3:
                let start = Int64.random(in: 0..<100_000, using: &random)
                bench.send(.load(try bench.deck(frames: 200_000, from: start), asked: 0))
                bench.send(wantsToPlay ? .play(asked: 0) : .pause(asked: 0))
                decksOut += 1
            case 4:
                bench.send(.lineUp(try bench.deck(frames: Int.random(in: 100...50_000, using: &random))))
                decksOut += 1
            case 5: bench.send(.clearLineUp)
            default: bench.send(.volume(level: Envelope.unity))
            }
            bench.run(milliseconds: Int64.random(in: 0...60, using: &random))
            if Int.random(in: 0..<3, using: &random) == 0 {
                bench.run(milliseconds: 250)
                if bench.heard.isAdvancing { expectToldIsHeard(bench, frames: 5000, "seed \(seed), step \(step)") }
            }
            released()
            // Each that was given comes back, but for what plays and what is lined up.
            #expect(decksOut <= 2, "seed \(seed), step \(step)")
        }
        bench.send(.unload(asked: 0))
        bench.run(milliseconds: 300)
        released()
        #expect(decksOut == 0 && bench.underruns == 0, "seed \(seed)")
    }

    /// A button held: a step every 200 ms.
    @Test(arguments: [false, true]) func aHeldVolumeButtonDropsOnceAtMostAndNeverClicks(drops: Bool) throws {
        let state = FakeCardState(bufferFrames: 96000, periodFrames: 4800)
        state.cutsByDropping = drops
        let bench = try LoopBench(state)
        bench.send(.load(try bench.deck(frames: 480_000) { _ in 20_000 }, asked: 0))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 3000)
        let before = state.played.count
        for step in 1...15 {
            let level = Envelope.unity / 20 * (20 - step)
            bench.send(.volume(level: level))
            bench.run(milliseconds: 200)
            // Heard before the next, within a tenth of a second.
            let heard = state.played[state.played.count - 4800]
            #expect(abs(Int(heard) - 20_000 / 20 * (20 - step)) <= 1, "step \(step)")
        }
        #expect(state.drops == (drops ? 1 : 0))
        // Also where it was dropped the sound goes on with the next frame.
        let played = Array(state.played[before...])
        var jumps = 0
        let limit = 20_000 / Self.fade + 2
        for frame in 1..<played.count {
            if abs(Int(played[frame]) - Int(played[frame - 1])) > limit { jumps += 1 }
        }
        #expect(jumps == 0)
        bench.run(milliseconds: 1500)
        // The ring fills again after the last step.
        #expect(state.count > 80_000)
        #expect(bench.underruns == 0)
    }

    /// The second is queued before the first is heard. The report names the heard one in time, although the thread was slow to wait. This
    /// holds also if all that remains fits into the queue, and nothing is left to write.
    @Test(arguments: [0, 6, 7, 8, 14, 15, 24], [160_000, 100_000])
    func twoJumpsInABreathAreTold(milliseconds: Int64, frames: Int) throws {
        let bench = try LoopBench(FakeCardState(bufferFrames: 48000, periodFrames: 4800))
        bench.send(.load(try bench.deck(frames: 120_000), asked: 0))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 500)
        bench.send(.load(try bench.deck(frames: 120_000, from: 40_000), asked: 0))
        // So long that a little of it stays at the card.
        bench.run(milliseconds: 8)
        bench.send(.load(try bench.deck(frames: frames, from: 80_000), asked: 0))
        bench.state.advance(milliseconds: milliseconds)
        // Not when the card calls or the end is heard.
        let waits = bench.waitingMilliseconds
        #expect(waits > 0 && waits <= 30)
        bench.run(milliseconds: 60)
        let (token, place) = bench.heard.at(MonotonicTime(nanoseconds: bench.state.now))
        #expect(token == 3 && place >= 80_000 / 48 && place <= 80_000 / 48 + 100)
    }

    /// Volume, pauses and plays come in a hurry, in the midst of earlier fades. Frames taken back return unchanged.
    @Test(arguments: 0..<20) func nothingClicksInAHurry(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let state = FakeCardState(bufferFrames: 48000, periodFrames: 4800)
        state.cutsByDropping = seed % 2 == 0
        let bench = try LoopBench(state)
        bench.send(.load(try bench.deck(frames: 480_000) { _ in 20_000 }, asked: 0))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 300)
        for _ in 0..<300 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bench.send(.pause(asked: 0))
            case 1: bench.send(.play(asked: 0))
            default:
                bench.send(.volume(level: Envelope.unity / 10 * Int.random(in: 5...10, using: &random)))
            }
            bench.run(milliseconds: [0, 0, 1, 2, 3, 5, 12, 50][Int.random(in: 0..<8, using: &random)])
        }
        var largest = 0
        for frame in 1..<state.played.count {
            largest = max(largest, abs(Int(state.played[frame]) - Int(state.played[frame - 1])))
        }
        // A fade and a step of the volume at once.
        #expect(largest <= 20_000 / Self.fade + 20_000 / 960 + 2, "seed \(seed)")
        #expect(bench.underruns == 0, "seed \(seed)")
    }

    @Test func aSleepTimersFallIsLongAndGoesOnOverAPause() throws {
        let bench = try LoopBench()
        bench.send(.load(try bench.deck(frames: 480_000) { _ in 20_000 }, asked: 0))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 500)
        bench.send(.gain(.sleep, level: 0, milliseconds: 2000))
        bench.run(milliseconds: 1000)
        func level() -> Int { Int(bench.state.played[bench.state.played.count - 1]) }
        let half = level()
        #expect(abs(half - 10_000) < 300)
        bench.send(.gain(.duck, level: Envelope.unity / 2, milliseconds: 50))
        bench.run(milliseconds: 100)
        let ducked = level()
        #expect(abs(ducked - 4500) < 300)
        bench.send(.pause(asked: 0))
        bench.run(milliseconds: 1000)
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 400)
        let afterwards = level()
        #expect(abs(afterwards - 2500) < 400)
        bench.run(milliseconds: 1000)
        #expect(level() == 0)
    }

    @Test(arguments: [false, true]) func aSlowFallIsNotWorthAGap(drops: Bool) throws {
        let state = FakeCardState(bufferFrames: 96000, periodFrames: 4800)
        state.cutsByDropping = drops
        let bench = try LoopBench(state)
        bench.send(.load(try bench.deck(frames: 480_000) { _ in 20_000 }, asked: 0))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 1000)
        let before = state.played.count
        bench.send(.gain(.sleep, level: 0, milliseconds: 5000))
        // A card without rewinding plays its queue first.
        bench.run(milliseconds: 7500)
        #expect(state.drops == 0 && bench.underruns == 0)
        let played = Array(state.played[before...])
        #expect(played.suffix(480).allSatisfy { $0 == 0 })
        // It only falls, and never by more than one.
        #expect(zip(played, played.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 <= 1 })
    }

    @Test(arguments: [DeckEnd.readFailed(errno: EIO), .decodeFailed])
    func whatBreaksHasNotEnded(end: DeckEnd) throws {
        let bench = try LoopBench()
        bench.send(.load(try bench.deck(frames: 10_000, end: end), asked: 0))
        bench.send(.lineUp(try bench.deck(frames: 10_000)))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 1000)
        // All playable frames were heard, nothing follows by itself, and control gets the reason.
        #expect(bench.events.compactMap(\.endedHow) == [end])
        #expect(bench.countOfEvents(\.isBegun) == 0)
        #expect(bench.heard.token == 1 && bench.heard.heard.sample == 10_000)
    }

    @Test func aCardThatIsPulledOutIsGivenUpAtTheEarsPlace() throws {
        let bench = try LoopBench()
        bench.send(.load(try bench.deck(frames: 200_000), asked: 0))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 1000)
        bench.state.isGone = true
        bench.run(milliseconds: 50)
        #expect(bench.events.compactMap(\.lostCode) == [-ENODEV])
        #expect(bench.events.filter(\.isReleased).count == 1)
        let ahead = bench.heard.heard.sample - Int64(bench.state.played.count)
        #expect(abs(ahead) <= 4800)
        // Found again.
        bench.state.isGone = false
        let place = bench.heard.heard.sample
        bench.attach()
        bench.send(.load(try bench.deck(frames: 200_000, from: place), asked: 0))
        bench.run(milliseconds: 500)
        expectToldIsHeard(bench, "after it was found")
    }

    @Test func aCardThatRanDryGoesOn() throws {
        let bench = try LoopBench(FakeCardState(bufferFrames: 9600, periodFrames: 2400))
        bench.send(.load(try bench.deck(frames: 200_000), asked: 0))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 500)
        // The thread was held up.
        bench.state.advance(milliseconds: 400)
        bench.run(milliseconds: 300)
        #expect(bench.underruns == 1)
        expectToldIsHeard(bench, "after the underrun")
    }

    @Test func theOutputComesBackSilent() throws {
        let bench = try LoopBench()
        bench.send(.load(try bench.deck(frames: 200_000), asked: 0))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 500)
        bench.send(.detach)
        bench.run(milliseconds: 100)
        #expect(bench.countOfEvents(\.isDetached) == 1)
        #expect(bench.state.count == 0)
    }

    /// A round asks the card once, and computes all else from that answer.
    @Test func theCardIsAskedOnceARound() throws {
        let bench = try LoopBench(FakeCardState(bufferFrames: 96000, periodFrames: 4800))
        bench.send(.load(try bench.deck(frames: 480_000), asked: 0))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 1000)
        let looks = bench.state.looks
        let rounds = bench.rounds
        bench.run(milliseconds: 2000)
        let asked = bench.state.looks - looks
        let went = bench.rounds - rounds
        #expect(asked <= went && went < 40)
    }

    /// Read-ahead counts the calls of a card that hides its lateness, too; but not when something else wakes the thread.
    @Test func aCallCountsThoughNobodyKnowsHowLateItIs() throws {
        let bench = try LoopBench()
        bench.send(.load(try bench.deck(frames: 400_000, end: nil), asked: 0))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 500)
        for _ in 0..<3 {
            bench.state.advance(milliseconds: 100)
            let before = bench.readAheadCount
            let isCalledByOthers = bench.wakeUp(cardCalls: false)
            #expect(!isCalledByOthers && bench.readAheadCount == before)
            let isCalled = bench.wakeUp(cardCalls: true)
            #expect(isCalled && bench.readAheadCount == before + 1)
        }
    }
}
