// SPDX-License-Identifier: Apache-2.0
import CPosix
import TestSupport
import Testing

@testable import ALSA
@testable import Audio

@Suite struct CardTests {
    /// A card in motion, with a second of what it was given queued.
    private final class Moving {
        let state: FakeCardState
        private let device = UnsafeMutablePointer<FakeCard>.allocate(capacity: 1)
        private let place = UnsafeMutablePointer<Card<FakeCard>>.allocate(capacity: 1)

        init(_ state: FakeCardState, frames: Int = 48000) {
            self.state = state
            device.initialize(to: FakeCard(state: state))
            place.initialize(to: Card())
            place.pointee.attach(device)
            _ = place.pointee.prepare()
            write(frames)
            _ = place.pointee.start()
        }

        deinit {
            place.deinitialize(count: 1)
            place.deallocate()
            device.deinitialize(count: 1)
            device.deallocate()
        }

        var queue: CardQueue { place.pointee.queue }
        var view: Card<FakeCard>.View { place.pointee.view }
        var isUnpaced: Bool { place.pointee.isUnpaced }
        var cutsByDropping: Bool { place.pointee.cutsByDropping }
        var heardFrame: Int64 { place.pointee.heardFrame() }
        var heardFrameByClock: Int64 { place.pointee.heardFrameByClock() }
        var queuedFrames: Int64 { place.pointee.queuedFrames() }
        func timeHeard(_ frame: Int64) -> Int64 { place.pointee.timeHeard(frame) }

        func write(_ count: Int) {
            let frames = (0..<count).map { Int16(truncatingIfNeeded: Int(place.pointee.queue.cursor) + $0) }
            place.pointee.didDecode(Int64(count))
            if case .fault = place.pointee.write(frames, count: count) { Issue.record("refused") }
        }

        /// False if the card refused.
        func isSeen() -> Bool { place.pointee.look() == nil }
        func look() -> CardFault? { place.pointee.look() }
        func cut() -> CardFault? { place.pointee.cut(oldest: 0) }
        func writeSilence(_ count: Int) {
            place.pointee.writeSilence([Int16](repeating: 0, count: count), count: count)
        }
    }

    @Test func theEarIsWhereTheCardSays() {
        let moving = Moving(FakeCardState())
        moving.state.advance(milliseconds: 300)
        #expect(moving.isSeen())
        #expect(moving.heardFrame == 14400 && moving.queuedFrames == 33600)
        #expect(moving.timeHeard(14400 + 4800) == moving.state.now + 100_000_000)
        moving.state.advance(milliseconds: 50)
        // Not asked again: by the clock.
        #expect(moving.heardFrame == 14400 && moving.heardFrameByClock == 16800)
    }

    @Test func aCardThatWentWithAFullQueueIsNoticed() {
        let moving = Moving(FakeCardState())
        moving.state.isGone = true
        guard case .lost(let code)? = moving.look() else {
            Issue.record("not noticed")
            return
        }
        #expect(code == -ENODEV)
    }

    @Test func aCardThatRanDryIsTold() {
        let moving = Moving(FakeCardState(), frames: 4800)
        moving.state.advance(milliseconds: 200)
        guard case .underrun? = moving.look() else {
            Issue.record("not told")
            return
        }
    }

    @Test func aCutLeavesWhatTheCardMayBeFetching() {
        let moving = Moving(FakeCardState())
        moving.state.advance(milliseconds: 500)
        _ = moving.cut()
        // 10 ms of it.
        #expect(moving.queue.cursor == 24000 + 480)
        #expect(moving.state.count == 480 && moving.state.drops == 0)
        moving.write(100)
        moving.state.advance(milliseconds: 12)
        #expect(moving.state.played == (0..<24576).map { Int16(truncatingIfNeeded: $0) })
    }

    @Test func aCutGoesBackThroughSilence() {
        let moving = Moving(FakeCardState(), frames: 9600)
        moving.writeSilence(9600)
        moving.write(9600)
        moving.state.advance(milliseconds: 100)
        #expect(moving.isSeen() && moving.heardFrame == 4800)
        _ = moving.cut()
        #expect(moving.queue.cursor == 4800 + 480 && moving.queue.padFrames == 0)
    }

    @Test(arguments: [false, true]) func whatCannotBeRewoundIsDropped(saysSo: Bool) {
        let state = FakeCardState()
        state.cutsByDropping = saysSo
        state.refusesRewind = true
        let moving = Moving(state)
        state.advance(milliseconds: 500)
        _ = moving.cut()
        #expect(state.drops == 1 && moving.queue.cursor == 24000)
        // From now on this is known, also to a change of the volume.
        #expect(moving.cutsByDropping)
    }

    @Test func aCardThatSwallowsIsTimedByTheClock() {
        let state = FakeCardState()
        state.swallows = true
        let moving = Moving(state, frames: 48000)
        #expect(moving.isSeen() && !moving.isUnpaced)
        moving.write(48000)
        #expect(moving.isSeen() && moving.isUnpaced)
        state.now += 250_000_000
        #expect(moving.isSeen())
        #expect(moving.heardFrame == 12000 && moving.view.available == 0)
        state.now += 1_500_000_000
        #expect(moving.isSeen())
        #expect(moving.heardFrame == 84000 && moving.view.available == 36000)
    }

    /// Cards of 48 kHz interrupt at every 480 frames, or up to a number of frames later, by turns more and less. By the card's own clock:
    /// the first interrupt with the awaited frames, and its time.
    @Test(arguments: [0, 1, 88, 479] as [Int64]) func howLateACallIs(latest: Int64) throws {
        let format = OutputFormat(rate: 48000, channels: 1, sampleBytes: 2, bufferFrames: 4800, periodFrames: 480)
        var random = SeededGenerator(seed: UInt64(latest))
        for _ in 0..<2000 {
            let interrupts = [0] + (1...40).map { 480 * $0 + Int64.random(in: 0...latest, using: &random) }
            // Often what the card had played when it was interrupted, as the thread then fills its queue.
            let awaited =
                Bool.random(using: &random)
                ? interrupts[Int.random(in: 0..<30, using: &random)] : Int64.random(in: -2000...14000, using: &random)
            let last = Int.random(in: 0..<39, using: &random)
            let age = Int64.random(in: 0..<10_000_000, using: &random)
            let late = format.callNanosecondsAgo(played: interrupts[last], awaited: awaited, noteAge: age)
            guard let first = interrupts.firstIndex(where: { $0 >= awaited }), first <= last else {
                #expect(late == nil)
                continue
            }
            let missed = try #require(late) - age
            // Never more than there were, and one less only where it cannot be known.
            let isKnown = awaited <= 0 || awaited % 480 == 0 || awaited % 480 > latest
            let truth = Int64(last - first) * 10_000_000
            #expect(missed == truth || (!isKnown && missed == truth - 10_000_000))
            // A test called at the first chance gets the age of the note and no more.
            if last == first { #expect(missed == 0) }
        }
    }

    @Test func howLateACallIsWithoutTimeStamps() {
        let format = OutputFormat(rate: 48000, channels: 1, sampleBytes: 2, bufferFrames: 4800, periodFrames: 480)
        func late(_ played: Int64, _ awaited: Int64, _ noteAge: Int64? = nil) -> Int64? {
            format.callNanosecondsAgo(played: played, awaited: awaited, noteAge: noteAge)
        }
        #expect(late(960, 960) == 0 && late(1440, 960) == 10_000_000 && late(1440, 961) == 0)
        #expect(late(959, 960) == nil && late(0, -100) == 0)
        // The end of the period is not reached, so that it is not known.
        #expect(late(1000, 970) == nil)
        // Notes that cannot be of the last interrupt.
        #expect(late(1440, 960, -1) == 10_000_000 && late(1440, 960, 10_000_000) == 10_000_000)
    }

    /// Drivers tell of a delay below zero when the card has played beyond what it was given; only what the call returns is an errno.
    @Test func aDelayBelowZeroIsNoFault() {
        #expect(PlaybackDevice.delayFrames(0, -32) == 0 && PlaybackDevice.delayFrames(0, -Int(EPIPE)) == 0)
        #expect(PlaybackDevice.delayFrames(0, 480) == 480 && PlaybackDevice.delayFrames(-ENODEV, 480) == -Int(ENODEV))
    }
}
