// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import Testing

@testable import Controls

/// A line that writes down when it was set, by a clock that stands still until it is told to go.
private final class FakeLine {
    var now = MonotonicTime(nanoseconds: 5_000_000_000)
    var edges: [(milliseconds: Int64, level: Bool)] = []
    let began: MonotonicTime
    private(set) var levels: [Int] = []
    private(set) var player: HapticPlayer!

    init(strength: Int = 100, hasLevels: Bool = false) {
        began = MonotonicTime(nanoseconds: 5_000_000_000)
        player = HapticPlayer(strengthPercent: strength, hasLevels: hasLevels) { [unowned self] level in
            edges.append((now.milliseconds(since: began), level > 0))
            levels.append(level)
        }
    }

    /// As the loop does it: each deadline comes so much too late.
    func run(untilMilliseconds end: Int64, late: Int = 0) {
        while let due = player.deadline, due.milliseconds(since: began) <= end {
            now = due.adding(milliseconds: late)
            player.advance(to: now)
        }
        now = max(now, began.adding(milliseconds: end))
        player.advance(to: now)
    }

    var pulses: [Int64] {
        stride(from: 0, to: edges.count - 1, by: 2).map { edges[$0 + 1].milliseconds - edges[$0].milliseconds }
    }
}

@Suite struct HapticPlayerTests {
    @Test(arguments: Haptic.allCases) func eachIsItsPulsesAndEndsStill(haptic: Haptic) {
        let line = FakeLine()
        line.player.play(haptic, at: line.now)
        line.run(untilMilliseconds: 1000)
        var place: Int64 = 0
        var expected: [(Int64, Bool)] = []
        for (index, milliseconds) in HapticPattern.milliseconds(haptic).enumerated() {
            expected.append((place, index % 2 == 0))
            place += Int64(milliseconds)
        }
        expected.append((place, false))
        #expect(line.edges.map { $0.milliseconds } == expected.map { $0.0 })
        #expect(line.edges.map { $0.level } == expected.map { $0.1 })
        #expect(line.player.deadline == nil, "nothing wakes anybody afterwards")
    }

    @Test func strengthIsItsOwnWhereThereIsOne() {
        var seen: [Int] = []
        for haptic in [Haptic.selection, .light, .medium, .heavy] {
            let line = FakeLine(strength: 100, hasLevels: true)
            line.player.play(haptic, at: line.now)
            line.run(untilMilliseconds: 1000)
            #expect(line.levels == [HapticPattern.percent(haptic), 0])
            #expect(line.pulses == HapticPattern.milliseconds(haptic).map { Int64($0) })
            seen.append(line.levels[0])
        }
        #expect(seen == seen.sorted() && Set(seen).count == 4)
        for (strength, expected) in [(50, 50), (10, 10), (400, 100)] {
            let line = FakeLine(strength: strength, hasLevels: true)
            line.player.play(.heavy, at: line.now)
            #expect(line.levels == [expected])
            // Longer it is not.
            line.run(untilMilliseconds: 1000)
            #expect(line.pulses == [45])
        }
        let plain = FakeLine(strength: 50)
        plain.player.play(.light, at: plain.now)
        #expect(plain.levels == [100])
    }

    /// A hand tells them apart: no two are the same, and impacts grow.
    @Test func allDiffer() {
        let all = Haptic.allCases.map { HapticPattern.milliseconds($0) }
        #expect(Set(all).count == all.count)
        #expect(all[0][0] < all[1][0] && all[1][0] < all[2][0] && all[2][0] < all[3][0])
        #expect(all.allSatisfy { $0.count % 2 == 1 })
    }

    @Test func strengthIsHowLongItIsOn() {
        let line = FakeLine(strength: 200)
        line.player.play(.success, at: line.now)
        line.run(untilMilliseconds: 1000)
        #expect(line.edges.map { $0.milliseconds } == [0, 30, 110, 180])
    }

    /// A loop that was busy makes a pulse longer and never shorter, nor lost.
    @Test func lateIsNoShorter() {
        let line = FakeLine()
        line.player.play(.error, at: line.now)
        line.run(untilMilliseconds: 2000, late: 7)
        #expect(line.pulses == [42, 42, 42])
    }

    @Test func nothingIsQueued() {
        let line = FakeLine()
        for _ in 0..<100 { line.player.play(.light, at: line.now) }
        line.run(untilMilliseconds: 1000)
        #expect(line.pulses == [15])
    }

    @Test func theWeightierTakesThePlaceOfTheLighter() {
        let line = FakeLine()
        line.player.play(.light, at: line.now)
        line.now = line.now.adding(milliseconds: 10)
        line.player.play(.heavy, at: line.now)
        line.now = line.now.adding(milliseconds: 1)
        line.player.play(.selection, at: line.now)
        line.run(untilMilliseconds: 1000)
        #expect(line.pulses == [55])
    }

    /// A client that asks without end moves the motor for a part of the time, with a rest after each.
    @Test func aFloodIsBounded() {
        let line = FakeLine()
        for millisecond in 0..<1000 {
            line.now = line.began.adding(milliseconds: millisecond)
            line.player.play(.heavy, at: line.now)
        }
        line.run(untilMilliseconds: 2000)
        #expect(line.pulses.reduce(0, +) <= 630 && line.pulses.count > 5)
    }

    @Test func stoppingLeavesItStill() {
        let line = FakeLine()
        line.player.play(.heavy, at: line.now)
        line.player.stop()
        #expect(line.edges.last?.level == false && line.player.deadline == nil)
        line.player.play(.light, at: line.now)
        #expect(line.edges.last?.level == true)
    }

    @Test func namesAndCommands() {
        for haptic in Haptic.allCases { #expect(Haptic(name: haptic.name) == haptic) }
        #expect(Haptic(name: "loud") == nil)
        #expect(Haptic(.none) == nil && Haptic(.playPause) == .light && Haptic(.toggleFavourite) == .medium)
        #expect(Haptic(.volume(step: 2)) == .selection)
    }
}
