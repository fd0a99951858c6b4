// SPDX-License-Identifier: Apache-2.0
import Posix
import Synchronization
import Testing
import Workers

/// A worker with its loop, and gates that a step can be made to hang in.
private final class Bench {
    let loop: EventLoop
    let worker: Worker
    private(set) var log: [String] = []

    init() throws {
        loop = try EventLoop()
        worker = try Worker(name: "work")
    }

    func start() throws { try worker.start(loop: loop) }

    @discardableResult
    func give(
        _ name: String, _ priority: Job.Priority = .background, key: String? = nil, steps: Int = 1,
        body: @escaping @Sendable () -> Void = {}
    ) throws -> Job {
        var left = steps
        return try worker.perform(priority, key: key) {
            body()
            left -= 1
            return left <= 0 ? .done : .again
        } finish: { [self] in
            log.append("\(name) \($0)")
        }
    }

    /// Lets the loop go round until `isOver`; false where that takes more than `milliseconds`.
    func run(_ milliseconds: Int = 5000, until isOver: () -> Bool) throws -> Bool {
        let limit = MonotonicTime.now.adding(milliseconds: milliseconds)
        while !isOver() {
            if MonotonicTime.now > limit { return false }
            loop.schedule(at: MonotonicTime.now.adding(milliseconds: 5)) {}
            try loop.waitOnce()
        }
        return true
    }
}

/// The gate of a hanging disk: a visitor waits until it opens.
private final class Gate: Sendable {
    private let isOpen = Atomic<Bool>(false)
    private let waiters = Atomic<Int>(0)

    var hasWaiter: Bool { waiters.load(ordering: .acquiring) > 0 }

    func wait() {
        waiters.wrappingAdd(1, ordering: .acquiringAndReleasing)
        while !isOpen.load(ordering: .acquiring) { pause() }
        waiters.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    }

    func open() { isOpen.store(true, ordering: .releasing) }

    private func pause() {
        let began = MonotonicTime.now
        while MonotonicTime.now.milliseconds(since: began) < 1 {}
    }
}

private final class Count: Sendable {
    private let value = Atomic<Int>(0)
    var count: Int { value.load(ordering: .acquiring) }
    func add() { value.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}

@Suite(.serialized) struct WorkerTests {
    @Test func theMostUrgentGoesFirstAndEqualsInOrder() throws {
        let bench = try Bench()
        try bench.give("b1", .background)
        try bench.give("s1", .soon)
        try bench.give("p1", .pressed)
        try bench.give("b2", .background)
        try bench.give("p2", .pressed)
        try bench.start()
        #expect(try bench.run { bench.log.count == 5 })
        #expect(bench.log == ["p1 done", "p2 done", "s1 done", "b1 done", "b2 done"])
        bench.worker.stop()
    }

    @Test func aPressedJobGoesBetweenTheStepsOfALongOne() throws {
        let bench = try Bench()
        try bench.start()
        let steps = Count()
        let enough = Count()
        _ = try bench.worker.perform(.background) {
            steps.add()
            return enough.count > 0 ? .done : .again
        } finish: { _ in
        }
        #expect(try bench.run { steps.count > 0 })
        try bench.give("pressed", .pressed)
        #expect(try bench.run { bench.log == ["pressed done"] })
        #expect(enough.count == 0)
        enough.add()
        bench.worker.stop()
    }

    @Test func longJobsTakeTurns() throws {
        let bench = try Bench()
        try bench.start()
        let enough = Count()
        let first = Count()
        let second = Count()
        _ = try bench.worker.perform(.background) {
            first.add()
            return enough.count > 0 ? .done : .again
        } finish: { _ in
        }
        _ = try bench.worker.perform(.background) {
            second.add()
            return enough.count > 0 ? .done : .again
        } finish: { _ in
        }
        #expect(
            try bench.run { first.count > 0 && second.count > 0 })
        enough.add()
        bench.worker.stop()
    }

    @Test func equalJobsAreOneAndTheOldOneHearsOfIt() throws {
        let bench = try Bench()
        let ran = Count()
        for number in 1...300 {
            try bench.give("sync \(number)", .soon, key: "sync") { ran.add() }
        }
        try bench.start()
        #expect(try bench.run { bench.log.count == 300 })
        #expect(ran.count == 1)
        #expect(bench.log.filter { $0.hasSuffix("superseded") }.count == 299)
        #expect(bench.log.last == "sync 300 done")
        bench.worker.stop()
    }

    @Test func aJobOfTheSameKeyWaitsForTheOneThatRuns() throws {
        let bench = try Bench()
        try bench.start()
        let gate = Gate()
        try bench.give("first", .soon, key: "sync") { gate.wait() }
        #expect(try bench.run { gate.hasWaiter })
        let overlapped = Count()
        try bench.give("second", .soon, key: "sync") { if gate.hasWaiter { overlapped.add() } }
        #expect(try !bench.run(700) { bench.log.count > 0 })
        gate.open()
        #expect(try bench.run { bench.log == ["first done", "second done"] })
        #expect(overlapped.count == 0)
        bench.worker.stop()
    }

    @Test func aCancelledJobIsToldAndNotRun() throws {
        let bench = try Bench()
        let ran = Count()
        let job = try bench.give("job") { ran.add() }
        job.cancel()
        #expect(bench.log.isEmpty)
        try bench.start()
        #expect(try bench.run { bench.log == ["job cancelled"] })
        #expect(ran.count == 0)
        bench.worker.stop()
    }

    @Test func aCancelledJobEndsWithItsStep() throws {
        let bench = try Bench()
        try bench.start()
        let steps = Count()
        var outcome: Job.Outcome?
        let job = try bench.worker.perform(.background) {
            steps.add()
            return .again
        } finish: {
            outcome = $0
        }
        #expect(try bench.run { steps.count > 0 })
        job.cancel()
        #expect(try bench.run { outcome != nil })
        #expect(outcome == .cancelled)
        bench.worker.stop()
    }

    @Test func whatIsTooMuchIsRefusedAndNeverDropped() throws {
        let bench = try Bench()
        for number in 0..<1024 { try bench.give("\(number)") }
        #expect(throws: Job.Refusal.full) { try bench.give("one more") }
        try bench.start()
        #expect(try bench.run { bench.log.count == 1024 })
        bench.worker.stop()
        #expect(throws: Job.Refusal.stopped) { try bench.give("too late") }
    }

    @Test func aJobThatHangsHoldsNobodyUp() throws {
        let bench = try Bench()
        try bench.start()
        let gate = Gate()
        try bench.give("hung", .soon, key: "sync") { gate.wait() }
        #expect(try bench.run { gate.hasWaiter })
        let asked = MonotonicTime.now
        try bench.give("pressed", .pressed)
        #expect(try bench.run { bench.log == ["pressed done"] })
        #expect(MonotonicTime.now.milliseconds(since: asked) < 1500)
        // Hundreds while it hangs are one, and done once it is over.
        for number in 0..<300 { try bench.give("sync \(number)", .soon, key: "sync") }
        try bench.give("other", .soon)
        #expect(try bench.run { bench.log.contains("other done") })
        #expect(!bench.log.contains("hung done"))
        gate.open()
        #expect(try bench.run { bench.log.contains("sync 299 done") })
        #expect(bench.log.contains("hung done"))
        try bench.give("after", .pressed)
        #expect(try bench.run { bench.log.contains("after done") })
        bench.worker.stop()
    }

    @Test func stoppingWaitsForNoJobThatHangs() throws {
        let bench = try Bench()
        try bench.start()
        let gate = Gate()
        try bench.give("hung") { gate.wait() }
        #expect(try bench.run { gate.hasWaiter })
        try bench.give("waiting")
        let asked = MonotonicTime.now
        bench.worker.stop()
        #expect(MonotonicTime.now.milliseconds(since: asked) < 2000)
        #expect(bench.log == ["waiting stopped"])
        gate.open()
    }

    /// A library reads for seconds within one step: the duty is done between its reads.
    @Test func aDutyIsDoneWithinALongStep() throws {
        final class Input: ByteInput {
            init() { super.init(byteCount: 1 << 20, isSeekable: true) }
            override func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int { buffer.count }
        }
        let loop = try EventLoop()
        let wake = UnsafeMutablePointer<WakeSignal>.allocate(capacity: 1)
        wake.initialize(to: try WakeSignal())
        let (due, done, inner) = (Count(), Count(), Count())
        let worker = try Worker(name: "feed", standsBack: false, dutyWake: wake) {
            if done.count == due.count { return false }
            done.add()
            // Bytes that the duty itself reads begin no other.
            var byte: UInt8 = 0
            _ = Input().read(&byte, 1)
            inner.add()
            return true
        }
        try worker.start(loop: loop)
        var ended = false
        let missed = Count()
        _ = try worker.perform(.pressed) {
            let input = Input()
            var bytes = [UInt8](repeating: 0, count: 16 * 1024)
            for _ in 0..<64 {
                due.add()
                _ = input.read(&bytes, bytes.count)
                if done.count != due.count { missed.add() }
            }
            return .done
        } finish: { _ in
            ended = true
        }
        while !ended { try loop.waitOnce() }
        #expect(missed.count == 0 && done.count == 64 && inner.count == 64)
        worker.stop()
    }

    /// One step hangs and nothing waits: the duty gets a thread of its own.
    @Test func aDutyWaitsForNoStepThatHangs() throws {
        let loop = try EventLoop()
        let wake = UnsafeMutablePointer<WakeSignal>.allocate(capacity: 1)
        wake.initialize(to: try WakeSignal())
        let (due, done) = (Count(), Count())
        let worker = try Worker(name: "feed", standsBack: false, dutyWake: wake) {
            if done.count == due.count { return false }
            done.add()
            return true
        }
        try worker.start(loop: loop)
        let gate = Gate()
        var ended = false
        _ = try worker.perform(.pressed) {
            gate.wait()
            return .done
        } finish: { _ in
            ended = true
        }
        let limit = MonotonicTime.now.adding(milliseconds: 20_000)
        loop.schedule(at: .now.adding(milliseconds: 50)) { due.add() }
        func tick() { loop.schedule(at: .now.adding(milliseconds: 10)) { tick() } }
        tick()
        while done.count == 0 && MonotonicTime.now < limit { try loop.waitOnce() }
        #expect(done.count == 1 && !ended)
        gate.open()
        while !ended && MonotonicTime.now < limit { try loop.waitOnce() }
        #expect(ended)
        worker.stop()
    }

    @Test func aDutyComesBeforeEveryStep() throws {
        let loop = try EventLoop()
        let wake = UnsafeMutablePointer<WakeSignal>.allocate(capacity: 1)
        wake.initialize(to: try WakeSignal())
        let due = Count()
        let done = Count()
        let worker = try Worker(name: "feed", standsBack: false, dutyWake: wake) {
            if done.count == due.count { return false }
            done.add()
            return true
        }
        try worker.start(loop: loop)
        var ended = false
        let missed = Count()
        var left = 1000
        _ = try worker.perform(.pressed) {
            if done.count != due.count { missed.add() }
            due.add()
            left -= 1
            return left == 0 ? .done : .again
        } finish: { _ in
            ended = true
        }
        while !ended { try loop.waitOnce() }
        #expect(missed.count == 0)
        due.add()
        wake.pointee.signal()
        let limit = MonotonicTime.now.adding(milliseconds: 5000)
        while done.count != due.count && MonotonicTime.now < limit {}
        #expect(done.count == due.count)
        worker.stop()
    }
}
