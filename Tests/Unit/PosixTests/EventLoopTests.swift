// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import Posix

@Suite struct EventLoopTests {
    @Test func timersFireInOrderOfTimeAndOnce() throws {
        let loop = try EventLoop()
        var fired: [Int] = []
        let now = MonotonicTime.now
        for (number, delay) in [(3, 6), (1, 1), (2, 3)] {
            loop.schedule(at: now.adding(milliseconds: delay)) {
                #expect(MonotonicTime.now >= now.adding(milliseconds: delay))
                fired.append(number)
                if number == 3 { loop.stop() }
            }
        }
        let cancelled = loop.schedule(at: now.adding(milliseconds: 2)) { fired.append(99) }
        loop.cancel(cancelled)
        try loop.run()
        #expect(fired == [1, 2, 3])
    }

    @Test func aTimerThatCanWaitGoesWithTheNextWakeUp() throws {
        let loop = try EventLoop()
        var fired: [Int] = []
        let now = MonotonicTime.now
        loop.schedule(at: now.adding(milliseconds: 1), latest: now.adding(milliseconds: 60_000)) { fired.append(1) }
        loop.schedule(at: now.adding(milliseconds: 30_000), latest: now.adding(milliseconds: 60_000)) {
            fired.append(9)
        }
        loop.schedule(at: now.adding(milliseconds: 20)) { fired.append(2) }
        // Both in one turn.
        try loop.waitOnce()
        #expect(fired == [1, 2])
        // With nothing else it wakes the loop itself.
        let latest = MonotonicTime.now.adding(milliseconds: 5)
        loop.schedule(at: .now, latest: latest) {
            #expect(MonotonicTime.now >= latest)
            fired.append(3)
        }
        try loop.waitOnce()
        #expect(fired == [1, 2, 3])
    }

    @Test func aTimerSetAgainByItselfLetsOthersIn() throws {
        let loop = try EventLoop()
        let wake = try WakeSignal()
        var rounds = 0
        func again() {
            rounds += 1
            if rounds < 1000 { loop.schedule(at: .now) { again() } }
        }
        again()
        try loop.add(wake.number, .readable) { _ in loop.stop() }
        wake.signal()
        try loop.run()
        #expect(rounds < 1000)
    }

    @Test func aRemovedDescriptorIsNotHeardOfAgain() throws {
        let loop = try EventLoop()
        let first = try WakeSignal()
        let second = try WakeSignal()
        var heard = 0
        let numbers = (first.number, second.number)
        // Both are ready at once; whichever comes first removes the other.
        try loop.add(numbers.0, .readable) { _ in
            heard += 1
            loop.remove(numbers.1)
            loop.stop()
        }
        try loop.add(numbers.1, .readable) { _ in
            heard += 1
            loop.remove(numbers.0)
            loop.stop()
        }
        first.signal()
        second.signal()
        try loop.run()
        #expect(heard == 1)
    }

    /// Two are ready at once; the first one's handler closes the second, and its number is given to another at once.
    @Test func aNumberThatIsGivenAnewHearsOfItsOwnAlone() throws {
        let loop = try EventLoop()
        var (first, second, third): ([Int32], [Int32], [Int32]) = ([0, 0], [0, 0], [0, 0])
        #expect(pipe(&first) == 0 && pipe(&second) == 0)
        var heard: [String] = []
        func close(_ ends: [Int32]) { for end in ends { Glibc.close(end) } }
        for (name, mine, other) in [("first", first, second), ("second", second, first)] {
            try loop.add(mine[0], .readable) { _ in
                heard.append(name)
                if heard.count > 1 { return }
                loop.remove(mine[0])
                loop.remove(other[0])
                close(other)
                _ = pipe(&third)
                #expect(third[0] == other.min())
                try? loop.add(third[0], .readable) { _ in heard.append("third") }
            }
        }
        _ = write(first[1], "x", 1)
        _ = write(second[1], "x", 1)
        loop.schedule(at: .now.adding(milliseconds: 50)) { loop.stop() }
        try loop.run()
        #expect(heard.count == 1)
        close(third)
        close(heard.first == "first" ? first : second)
    }

    @Test func signalsAddUpToOneWakeUp() throws {
        let loop = try EventLoop()
        let wake = try WakeSignal()
        var wakeUps = 0
        try loop.add(wake.number, .readable) { _ in
            wake.clear()
            wakeUps += 1
            loop.schedule(at: .now) { loop.stop() }
        }
        for _ in 0..<5 { wake.signal() }
        try loop.run()
        #expect(wakeUps == 1)
    }
}
