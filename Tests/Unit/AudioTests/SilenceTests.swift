// SPDX-License-Identifier: Apache-2.0
import Foundation
import Realtime
import TestSupport
import Testing

@testable import Audio

/// Silences made shorter, through the whole of the audio loop.
@Suite("Silences in the audio loop") struct SilenceTests {
    private static let rate: Int64 = 48000
    /// A second of each two is silent.
    private static let cycle = 2 * rate

    /// A hum whose pitch tells the place, with pauses.
    private static func speech(_ place: Int64) -> Int16 {
        if place % cycle >= rate { return Int16((place * 7919 >> 3) & 3) }
        let seconds = Double(place) / Double(rate)
        return Int16(12000 * sin(2 * .pi * (200 * seconds + 5 * seconds * seconds)))
    }

    private func deck(_ bench: LoopBench, frames: Int = 480_000, from: Int64 = 0, speed: Int = 1000) throws
        -> UnsafeMutablePointer<Deck>
    {
        let deck = try bench.deck(frames: frames, from: from, speed: speed, content: Self.speech)
        deck.pointee.change(shortensSilences: true, gain: nil)
        return deck
    }

    @Test(arguments: [1000, 750, 2000]) func theTimelineLeapsAlong(speed: Int) throws {
        let bench = try LoopBench()
        bench.send(.load(try deck(bench, speed: speed), asked: 0))
        bench.send(.play(asked: 0))
        var previous = 0
        var leaps = 0
        while bench.events.compactMap(\.endedHow).isEmpty {
            bench.run(milliseconds: 20)
            let place = bench.heard.at(bench.heard.time)
            let passed = place.milliseconds - previous
            if passed > 200 {
                leaps += 1
                // Over a silence, and nothing else.
                #expect(previous % 2000 > 950 || place.milliseconds % 2000 < 50)
            } else {
                #expect(passed >= 0)
            }
            previous = place.milliseconds
        }
        #expect(leaps >= 4 && bench.underruns == 0)
        #expect(abs(previous - 10_000) <= 40)
        // Each second of silence but the last kept 232 ms.
        let saved = bench.heard.heard.savedMicroseconds / 1000 * Int64(speed) / 1000
        #expect(abs(saved - 5 * 768) <= 60, "\(saved)")
    }

    /// The sound of a place is heard when that place is told.
    @Test func whatIsToldIsHeard() throws {
        let bench = try LoopBench()
        bench.send(.load(try deck(bench), asked: 0))
        bench.send(.play(asked: 0))
        var looks = 0
        for _ in 0..<280 {
            bench.run(milliseconds: 20)
            let told = bench.heard.heard.sample
            let played = bench.state.played
            guard told % Self.cycle > 4800, told % Self.cycle < Self.rate, played.count > 4800 else { continue }
            looks += 1
            let window = played.suffix(480)
            let error = (-96...96).map { shift in
                zip(window, (0..<480).map { Self.speech(told - 480 + Int64($0) + Int64(shift)) }).reduce(0) {
                    $0 + abs(Int($1.0) - Int($1.1))
                }
            }.min()!
            #expect(error < 480 * 400, "at \(told)")
        }
        #expect(looks > 100)
    }

    @Test func theNextItemFollows() throws {
        let bench = try LoopBench()
        bench.send(.load(try deck(bench, frames: 144_000), asked: 0))
        bench.send(.lineUp(try deck(bench, frames: 144_000)))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 20_000)
        #expect(bench.events.compactMap(\.endedHow) == [.complete] && bench.countOfEvents(\.isBegun) == 1)
        #expect(bench.heard.token == 2 && abs(bench.heard.heard.sample - 144_000) < 2000)
        let saved = bench.heard.heard.savedMicroseconds / 1000
        #expect(abs(saved - 2 * 768) <= 40, "\(saved)")
    }

    @Test func aDeckThatIsChangedOtherwiseAlone() throws {
        let bench = try LoopBench()
        let loud = try bench.deck(frames: 24_000) { _ in 5000 }
        loud.pointee.change(shortensSilences: false, gain: 2 * Leveller.unity)
        let quiet = try bench.deck(frames: 24_000) { _ in 5000 }
        quiet.pointee.change(shortensSilences: false, gain: Leveller.unity)
        bench.send(.load(loud, asked: 0))
        bench.send(.lineUp(quiet))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 3000)
        let played = Array(bench.state.played.drop { $0 < 9990 }.prefix(47_500))
        #expect(played.prefix(23_000).allSatisfy { $0 == 10_000 } && played.suffix(16_000).allSatisfy { $0 == 5000 })
        // From the gain of the one to that of the other there is no leap.
        #expect(zip(played, played.dropFirst()).allSatisfy { abs(Int($0) - Int($1)) < 30 })
        bench.send(.level(token: 99, gain: 0))
    }
}
