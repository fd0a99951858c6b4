// SPDX-License-Identifier: Apache-2.0
import Posix
import Realtime
import TestSupport
import Testing

@testable import Audio

@Suite struct DeckInputTests {
    private final class Bench {
        let wake = UnsafeMutablePointer<WakeSignal>.allocate(capacity: 1)
        let shared = UnsafeMutablePointer<DeckShared>.allocate(capacity: 1)
        let deck = UnsafeMutablePointer<Deck>.allocate(capacity: 1)

        init() throws {
            wake.initialize(to: try WakeSignal())
            shared.initialize(to: DeckShared(feedWake: wake))
            deck.initialize(to: try Deck(shared: shared))
        }

        var isLeftToFeed: Bool { shared.pointee.isLeftToFeed.load(ordering: .acquiring) }
        var consumedBytes: Int64 { shared.pointee.ring.consumedBytes() }
        func pull() -> Deck.Outcome { deck.pointee.pull() }

        deinit {
            deck.deinitialize(count: 1)
            deck.deallocate()
            shared.deinitialize(count: 1)
            shared.deallocate()
            wake.deinitialize(count: 1)
            wake.deallocate()
        }
    }

    /// Over many wraps of the ring, in pieces of any size, in stereo: no frame is cut.
    @Test(arguments: 0..<4) func framesDecodedAheadComeWholeAndInOrder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bench = try Bench()
        let channels = 1 + Int(seed) % 3
        let ring = bench.deck.pointee.begin(framesOf: 44100, channels: channels)
        let rate = bench.deck.pointee.rate
        #expect(rate == 44100)
        let total = 1_500_000
        var sent = 0
        var received = 0
        var wrong = 0
        var isOver = false
        while !isOver {
            let room = ring.reserve()
            #expect(room.count % channels == 0)
            let count = min(room.count / channels, total - sent, Int.random(in: 0...100_000, using: &random))
            for i in 0..<count * channels { room[i] = Int16(truncatingIfNeeded: (sent * channels + i) &* 7) }
            ring.commit(count)
            sent += count
            if sent == total { bench.shared.pointee.endInput(.complete) }
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                switch bench.pull() {
                case .frames(let samples, let count):
                    #expect(count % channels == 0 && count / channels <= FormatHold.pieceFrames)
                    for i in 0..<count
                    where samples[i] != Int16(truncatingIfNeeded: (received * channels + i) &* 7) { wrong += 1 }
                    received += count / channels
                case .starved: #expect(sent < total)
                case .searching, .leapt: Issue.record("nothing to search")
                case .ended(let end):
                    #expect(end == .complete)
                    isOver = true
                }
            }
        }
        #expect(wrong == 0 && received == total)
    }

    @Test func whyFramesEndIsTold() throws {
        for end in [DeckEnd.complete, .readFailed(errno: 5), .decodeFailed] {
            let bench = try Bench()
            let ring = bench.deck.pointee.begin(framesOf: 8000, channels: 1)
            ring.reserve()[0] = 9
            ring.commit(1)
            bench.shared.pointee.endInput(end)
            #expect(bench.pull().isFrames)
            guard case .ended(let told) = bench.pull() else {
                Issue.record("goes on")
                return
            }
            #expect(told == end)
        }
    }

    /// Zeros behind the sound, as an interrupted download leaves them, without end: a pull gives up soon, and the stream in the end.
    @Test func rubbishDoesNotKeepTheThread() throws {
        let bench = try Bench()
        try bench.deck.pointee.reset()
        var given = 0
        var pulls = 0
        while true {
            let room = bench.shared.pointee.ring.reserve()
            for i in 0..<room.count { room[i] = 0 }
            bench.shared.pointee.ring.commit(room.count)
            given += room.count
            let before = bench.consumedBytes
            let outcome = bench.pull()
            pulls += 1
            #expect(bench.consumedBytes - before <= 18 * 1024)
            if case .ended(let end) = outcome {
                #expect(end == .complete)
                break
            }
            guard case .searching = outcome else {
                Issue.record("neither searching nor ended")
                return
            }
        }
        #expect(given <= 1_300_000 && pulls >= 60)
    }

    /// The audio thread stops where the decoder may renew its buffers, until the feed thread has taken the deck past that byte.
    @Test func aChangeOfFormatIsLeftToTheFeedThread() throws {
        let bench = try Bench()
        try bench.deck.pointee.reset()
        // Nothing that a decoder takes for frames: memory that was used before may hold some.
        let room = bench.shared.pointee.ring.reserve()
        for i in 0..<room.count { room[i] = 0 }
        bench.shared.pointee.ring.commit(room.count)
        bench.shared.pointee.changeByte.store(5000, ordering: .releasing)
        #expect(bench.pull().isStarved)
        #expect(bench.consumedBytes == 5000)
        #expect(bench.isLeftToFeed)
        #expect(bench.pull().isStarved)
        _ = bench.deck.pointee.primeChange()
        #expect(bench.consumedBytes > 5000)
        bench.shared.pointee.giveBackToAudio()
        #expect(!bench.isLeftToFeed)
    }
}
