// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import Testing

@testable import Audio

@Suite struct DeckLineTests {
    private final class Bench {
        let wake = UnsafeMutablePointer<WakeSignal>.allocate(capacity: 1)
        let shared = UnsafeMutablePointer<AudioShared>.allocate(capacity: 1)
        private var decks: [UnsafeMutablePointer<Deck>] = []
        var line: DeckLine

        init() throws {
            wake.initialize(to: try WakeSignal())
            shared.initialize(to: try AudioShared(controlWake: wake))
            line = DeckLine(shared)
        }

        deinit {
            for deck in decks {
                deck.deinitialize(count: 1)
                deck.deallocate()
            }
            shared.deinitialize(count: 1)
            shared.deallocate()
            wake.deinitialize(count: 1)
            wake.deallocate()
        }

        /// Of one piece; goes on if `end` is nil.
        func deck(_ token: Int, end: DeckEnd?) throws -> UnsafeMutablePointer<Deck> {
            let ring = UnsafeMutablePointer<DeckShared>.allocate(capacity: 1)
            ring.initialize(to: DeckShared(feedWake: wake))
            let deck = UnsafeMutablePointer<Deck>.allocate(capacity: 1)
            deck.initialize(to: try Deck(shared: ring))
            decks.append(deck)
            let frames = deck.pointee.begin(framesOf: 8000, channels: 1)
            deck.pointee.token = token
            deck.pointee.startSample = Int64(token) * 100
            frames.reserve()[0] = Int16(token)
            frames.commit(1)
            if let end { ring.pointee.endInput(end) }
            return deck
        }

        /// "frame 1", "began 2", "nothing".
        func pulled() -> String {
            switch line.pull() {
            case .frames(let samples, let count, _): "frame \(samples[0]) of \(count)"
            case .began(let place): "began \(place.token) at \(place.sample)"
            case .nothing: "nothing"
            }
        }

        /// Returns the reports to control.
        func told() -> [String] {
            var all: [String] = []
            while let event = shared.pointee.events.receive() {
                switch event {
                case .released(let deck): all.append("released \(deck.pointee.token)")
                case .nextBegun(let token): all.append("next \(token)")
                default: all.append("other")
                }
            }
            return all
        }
    }

    @Test func theOneLinedUpFollowsAProperEnd() throws {
        let bench = try Bench()
        #expect(bench.line.load(try bench.deck(1, end: .complete)).sample == 100)
        bench.line.lineUp(try bench.deck(2, end: .complete))
        #expect(bench.pulled() == "frame 1 of 1")
        #expect(bench.pulled() == "began 2 at 200")
        #expect(bench.pulled() == "frame 2 of 1")
        #expect(bench.pulled() == "nothing")
        #expect(bench.line.hasEnded && bench.line.current == nil)
        #expect(bench.told() == ["released 1", "next 2", "released 2"])
        // It came late.
        bench.line.lineUp(try bench.deck(3, end: nil))
        let late = bench.line.followOn()?.token
        #expect(late == 3)
        #expect(bench.pulled() == "frame 3 of 1" && bench.pulled() == "nothing")
        #expect(bench.line.isStarved)
    }

    @Test func nothingFollowsWhatBroke() throws {
        let bench = try Bench()
        _ = bench.line.load(try bench.deck(1, end: .readFailed(errno: EIO)))
        bench.line.lineUp(try bench.deck(2, end: .complete))
        #expect(bench.pulled() == "frame 1 of 1" && bench.pulled() == "nothing")
        let follows = bench.line.followOn() != nil
        #expect(!follows)
        guard case .ended(token: 1, .readFailed(errno: EIO)) = bench.line.supply else {
            Issue.record("not told why")
            return
        }
        bench.line.clear()
        #expect(bench.told() == ["released 1", "released 2"])
    }

    @Test func eachDeckComesBackOnce() throws {
        let bench = try Bench()
        // Cannot follow what is not there.
        bench.line.lineUp(try bench.deck(1, end: .complete))
        #expect(bench.told() == ["released 1"])
        _ = bench.line.load(try bench.deck(2, end: nil))
        bench.line.lineUp(try bench.deck(3, end: nil))
        bench.line.lineUp(try bench.deck(4, end: nil))
        #expect(bench.told() == ["released 3"])
        _ = bench.line.load(try bench.deck(5, end: nil))
        #expect(bench.told() == ["released 4", "released 2"])
        bench.line.clearLineUp()
        bench.line.clear()
        bench.line.clear()
        #expect(bench.told() == ["released 5"] && bench.line.isEmpty)
    }
}
