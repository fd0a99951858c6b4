// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import Synchronization

/// One thread of a worker, with the one job that it works on. `state` says which thread the job belongs to.
final class Lane: @unchecked Sendable {
    enum State {
        /// Nothing to do. The job is control's.
        static let idle = 0
        /// Given, not yet begun: the first to change the state owns the job.
        static let handed = 1
        /// Being run. The job is the thread's.
        static let running = 2
        /// Done or interrupted, to be collected. The job is control's.
        static let returned = 3
        /// To end.
        static let retired = 4
        static let ended = 5
    }

    /// The time of a job before others of its priority get their turn.
    private static let turnNanoseconds: Int64 = 50_000_000
    /// If two threads share a duty, one may take the other's call and hang: both look by themselves this often.
    private static let lookMilliseconds: Int32 = 50

    /// The state that a worker's threads share.
    struct Setup {
        var name: String
        var standsBack: Bool
        var dutyWake: UnsafeMutablePointer<WakeSignal>?
        /// Work before any job: one part of it, and whether there was any.
        var duty: (() -> Bool)?
        /// Signalled when a job comes back.
        var collect: UnsafeMutablePointer<WakeSignal>
    }

    let state = Atomic<Int>(State.idle)
    /// When the thread began its present step or part of its duty, in nanoseconds; 0 while it waits.
    private let busySince = Atomic<Int64>(0)
    /// Something more urgent waits.
    let shouldYield = Atomic<Bool>(false)
    /// Something as urgent waits.
    let shouldTakeTurns = Atomic<Bool>(false)
    var job: Job?
    /// The job's last step has been run.
    var isDone = false

    private let setup: Setup
    private let wake: UnsafeMutablePointer<WakeSignal>
    private var thread: Thread?
    /// Its own thread's.
    private var waitsForIdleDisk = false

    init(_ setup: Setup) throws(PosixError) {
        self.setup = setup
        let signal = try WakeSignal()
        wake = .allocate(capacity: 1)
        wake.initialize(to: signal)
    }

    deinit {
        wake.deinitialize(count: 1)
        wake.deallocate()
    }

    // MARK: Control thread

    func start() throws(PosixError) {
        thread = try Thread(name: setup.name, stackBytes: 256 * 1024) { [self] in
            guard let duty = setup.duty else { return run() }
            // A library that opens a large file may read for seconds within one step.
            Interlude { while duty() {} }.during { self.run() }
        }
    }

    /// Gives an idle lane a job.
    func hand(_ job: Job) {
        self.job = job
        isDone = false
        shouldYield.store(false, ordering: .relaxed)
        shouldTakeTurns.store(false, ordering: .relaxed)
        state.store(State.handed, ordering: .releasing)
        wake.pointee.signal()
    }

    /// Takes a job back that the thread has not begun, since it is stuck in its duty.
    func takeBack() -> Job? {
        let found = state.compareExchange(
            expected: State.handed, desired: State.idle, ordering: .acquiringAndReleasing)
        if !found.exchanged { return nil }
        defer { job = nil }
        return job
    }

    /// The job that has come back, if one has.
    func collect() -> Job? {
        guard state.load(ordering: .acquiring) == State.returned else { return nil }
        defer { job = nil }
        state.store(State.idle, ordering: .relaxed)
        return job
    }

    /// Returns the time that the thread has spent in its step, which shows a hang.
    func stuckMilliseconds(_ now: MonotonicTime) -> Int64 {
        let since = busySince.load(ordering: .relaxed)
        return since == 0 ? 0 : (now.nanoseconds - since) / 1_000_000
    }

    /// Has an idle lane end. No caller waits for its thread.
    func retire() {
        state.store(State.retired, ordering: .releasing)
        wake.pointee.signal()
        thread?.detach()
        thread = nil
    }

    /// Has the lane end once its step is over.
    func stop() {
        shouldYield.store(true, ordering: .relaxed)
        if state.load(ordering: .acquiring) == State.idle { state.store(State.retired, ordering: .releasing) }
        wake.pointee.signal()
    }

    var hasEnded: Bool { state.load(ordering: .acquiring) == State.ended }

    func join() {
        thread?.join()
        thread = nil
    }

    func abandon() {
        thread?.detach()
        thread = nil
    }

    // MARK: Its own thread

    private func run() {
        if setup.standsBack { ns_stand_back() }
        while true {
            wake.pointee.clear()
            setup.dutyWake?.pointee.clear()
            if state.load(ordering: .acquiring) == State.retired { break }
            doDuty()
            let found = state.compareExchange(
                expected: State.handed, desired: State.running, ordering: .acquiringAndReleasing)
            if found.exchanged {
                work()
                setup.collect.pointee.signal()
                continue
            }
            wait()
        }
        state.store(State.ended, ordering: .releasing)
        setup.collect.pointee.signal()
    }

    private func doDuty() {
        guard let duty = setup.duty else { return }
        repeat { noteTime() } while duty()
        busySince.store(0, ordering: .relaxed)
    }

    @discardableResult
    private func noteTime() -> Int64 {
        let now = MonotonicTime.now.nanoseconds
        busySince.store(now, ordering: .relaxed)
        return now
    }

    private func work() {
        isDone = runSteps()
        busySince.store(0, ordering: .relaxed)
        state.store(State.returned, ordering: .releasing)
    }

    /// Returns whether the job is done, and not only interrupted. The thread lets go of the job with it.
    private func runSteps() -> Bool {
        guard let job else { return true }
        if setup.standsBack { waitForIdleDisk(job.priority == .background) }
        let began = noteTime()
        while true {
            if job.isCancelled { return false }
            if job.runStep() == .done { return true }
            if shouldYield.load(ordering: .relaxed) { return false }
            if shouldTakeTurns.load(ordering: .relaxed)
                && MonotonicTime.now.nanoseconds - began > Lane.turnNanoseconds
            {
                return false
            }
            doDuty()
            noteTime()
        }
    }

    /// A look through the library never keeps a disk from others, not even from those that stand back themselves; urgent jobs do not wait
    /// for a disk that is never idle.
    private func waitForIdleDisk(_ waits: Bool) {
        if waits == waitsForIdleDisk { return }
        waitsForIdleDisk = waits
        ns_wait_for_idle_disk(waits ? 1 : 0)
    }

    private func wait() {
        let none = pollfd(fd: -1, events: 0, revents: 0)
        var polled = (pollfd(fd: wake.pointee.number, events: Int16(POLLIN), revents: 0), none)
        if let dutyWake = setup.dutyWake {
            polled.1 = pollfd(fd: dutyWake.pointee.number, events: Int16(POLLIN), revents: 0)
        }
        let timeout = setup.dutyWake == nil ? -1 : isOneOfSeveral.load(ordering: .relaxed) ? Lane.lookMilliseconds : -1
        withUnsafeMutablePointer(to: &polled) {
            $0.withMemoryRebound(to: pollfd.self, capacity: 2) { _ = ns_poll($0, 2, timeout) }
        }
    }

    /// Another thread has the same duty.
    let isOneOfSeveral = Atomic<Bool>(false)
}
