// SPDX-License-Identifier: Apache-2.0
import Foundation
import Realtime
import TestSupport
import Testing

@testable import Audio

/// Faster and slower, through the whole of the audio loop.
@Suite("Tempo") struct TempoTests {
    /// A hum whose pitch tells the place: 100 Hz at the start, and 10 more each second.
    private static func hum(_ place: Int64) -> Int16 {
        let seconds = Double(place) / 48000
        return Int16(12000 * sin(2 * .pi * (100 * seconds + 5 * seconds * seconds)))
    }

    /// The second of the hum that the end of `played` is.
    private static func place(_ played: ArraySlice<Int16>) -> Double {
        let part = Array(played.suffix(4800))
        var crossings: [Double] = []
        for index in 1..<part.count where part[index - 1] < 0 && part[index] >= 0 {
            crossings.append(Double(index) - Double(part[index]) / (Double(part[index]) - Double(part[index - 1])))
        }
        let period = (crossings.last! - crossings.first!) / Double(crossings.count - 1)
        return (48000 / period - 100) / 10
    }

    @Test(arguments: [500, 750, 1500, 2000, 3000]) func thePlaceToldIsTheOneHeard(speed: Int) throws {
        let bench = try LoopBench()
        bench.send(.load(try bench.deck(frames: 460_000, speed: speed, content: Self.hum), asked: 0))
        bench.send(.play(asked: 0))
        for _ in 0..<5 {
            bench.run(milliseconds: 500)
            let told = bench.heard.at(bench.heard.time).milliseconds
            let heard = Self.place(bench.state.played[...]) * 1000 + 50 * Double(speed) / 1000
            #expect(abs(Double(told) - heard) < 60, "\(told) told, \(heard) heard")
        }
        #expect(abs(bench.heard.at(bench.heard.time).milliseconds - 2500 * speed / 1000) <= 60)
        #expect(bench.underruns == 0)
    }

    @Test(arguments: [500, 1500, 3000]) func itemsFlowIntoEachOther(speed: Int) throws {
        let bench = try LoopBench()
        bench.send(.load(try bench.deck(frames: 200_000, speed: speed, content: Self.hum), asked: 0))
        for start in [200_000, 400_000] {
            bench.send(
                .lineUp(try bench.deck(frames: 200_000, speed: speed) { Self.hum($0 + Int64(start)) }))
            bench.send(.play(asked: 0))
            while bench.countOfEvents(\.isBegun) < start / 200_000 { bench.run(milliseconds: 50) }
            // Each is told as one of its own, from its first frame on.
            while bench.heard.nextToken == 0 { bench.run(milliseconds: 50) }
            #expect(bench.heard.next.sample == 0)
        }
        bench.run(milliseconds: 30_000)
        let expected = 600_000 * 1000 / speed
        let played = Array(bench.state.played.prefix(expected))
        #expect(bench.state.played.dropFirst(expected + 740).allSatisfy { $0 == 0 })
        #expect(bench.events.compactMap(\.endedHow) == [.complete] && bench.underruns == 0)
        #expect(bench.heard.token == 3 && abs(bench.heard.heard.sample - 200_000) <= 740)
        // No seam is heard but the one at the very start, which rises.
        let steps = zip(played.dropFirst(300), played.dropFirst(301)).map { abs(Int($0) - Int($1)) }
        #expect(steps.dropLast(3000).max()! < 400)
    }

    @Test(arguments: [false, true]) func aChangeGoesOnWhereItIs(drops: Bool) throws {
        let state = FakeCardState()
        state.cutsByDropping = drops
        let bench = try LoopBench(state)
        bench.send(.load(try bench.deck(frames: 480_000, content: Self.hum), asked: 0))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 1000)
        var token = 1
        for speed in [1500, 3000, 500, 1000] {
            // Got ready where the ear was; meanwhile that goes on.
            let ready = bench.heard.at(bench.heard.time).milliseconds
            bench.run(milliseconds: 70)
            let before = bench.heard.at(bench.heard.time).milliseconds
            let deck = try bench.deck(
                frames: 480_000, from: Int64(ready) * 48, speed: speed, content: Self.hum)
            bench.send(.load(deck, behind: token, asked: 0))
            token += 1
            bench.run(milliseconds: 30)
            let told = bench.heard.at(bench.heard.time)
            #expect(told.token == token && told.milliseconds >= before - 1 && told.milliseconds <= before + 100)
            bench.run(milliseconds: 400)
            let heard = Self.place(bench.state.played[...]) * 1000 + 50 * Double(speed) / 1000
            let then = bench.heard.at(bench.heard.time).milliseconds
            #expect(abs(Double(then) - heard) < 60, "\(speed): \(then) told, \(heard) heard")
        }
        #expect(bench.underruns == 0)
        let steps = zip(bench.state.played, bench.state.played.dropFirst()).map { abs(Int($0) - Int($1)) }
        #expect(steps.max()! < 400)
    }

    @Test func anotherRecordingIsNotGoneOnWith() throws {
        let bench = try LoopBench()
        bench.send(.load(try bench.deck(frames: 100_000), asked: 0))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 500)
        bench.send(.load(try bench.deck(frames: 100_000, from: 100), behind: 7, asked: 0))
        #expect(bench.heard.next.sample == 100 || bench.heard.heard.sample == 100)
    }
}
