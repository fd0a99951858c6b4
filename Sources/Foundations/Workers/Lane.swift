// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import Synchronization

/// One thread of a worker, with its present job. `state` says which thread owns the job.
final class Lane: @unchecked Sendable {
    enum State {
        /// The lane has no work. Control owns the job.
        static let idle = 0
        /// The job was handed over but has not begun: the first to change the state owns it.
        static let handed = 1
        /// The job runs. The thread owns it.
        static let running = 2
        /// The job is done or interrupted, and waits to be collected. Control owns it.
        static let returned = 3
        /// The thread is to end.
        static let retired = 4
        static let ended = 5
    }

    /// The time of a job before others of its priority get a turn.
    private static let turnNanoseconds: Int64 = 50_000_000
    /// The interval at which threads that share a duty check for it themselves: one may take the other's signal and hang.
    private static let lookMilliseconds: Int32 = 50

    /// The state that a worker's threads share.
    struct Setup {
        var name: String
        var standsBack: Bool
        var dutyWake: UnsafeMutablePointer<WakeSignal>?
        /// The work before any job. It does one part, and returns whether there was any.
        var duty: (() -> Bool)?
        /// Signaled when a job comes back.
        var collect: UnsafeMutablePointer<WakeSignal>
    }

    let state = Atomic<Int>(State.idle)
    /// The start of the thread's present step or part of its duty, in nanoseconds; 0 while it waits.
    private let busySince = Atomic<Int64>(0)
    /// True if a more urgent job waits.
    let shouldYield = Atomic<Bool>(false)
    /// True if an equally urgent job waits.
    let shouldTakeTurns = Atomic<Bool>(false)
    var job: Job?
    /// True if the job's last step has run.
    var isDone = false

    private let setup: Setup
    private let wake: UnsafeMutablePointer<WakeSignal>
    private var thread: Thread?
    /// Used only by the lane's own thread.
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
            // A library that opens a large file may read for seconds within one step, so the interlude does the duty.
            Interlude { while duty() {} }.during { self.run() }
        }
    }

    /// Hands a job to an idle lane.
    func hand(_ job: Job) {
        self.job = job
        isDone = false
        shouldYield.store(false, ordering: .relaxed)
        shouldTakeTurns.store(false, ordering: .relaxed)
        state.store(State.handed, ordering: .releasing)
        wake.pointee.signal()
    }

    /// Takes back a job that has not begun because the thread hangs in its duty.
    func takeBack() -> Job? {
        let found = state.compareExchange(
            expected: State.handed, desired: State.idle, ordering: .acquiringAndReleasing)
        if !found.exchanged { return nil }
        defer { job = nil }
        return job
    }

    /// Returns the finished or interrupted job, if any.
    func collect() -> Job? {
        guard state.load(ordering: .acquiring) == State.returned else { return nil }
        defer { job = nil }
        state.store(State.idle, ordering: .relaxed)
        return job
    }

    /// Returns how long the thread has been in its step, which reveals a hang.
    func stuckMilliseconds(_ now: MonotonicTime) -> Int64 {
        let since = busySince.load(ordering: .relaxed)
        return since == 0 ? 0 : (now.nanoseconds - since) / 1_000_000
    }

    /// Ends an idle lane. No caller waits for its thread.
    func retire() {
        state.store(State.retired, ordering: .releasing)
        wake.pointee.signal()
        thread?.detach()
        thread = nil
    }

    /// Ends the lane after its present step.
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

    /// Runs steps. Returns true if the job is done, false if it was interrupted. In both cases the thread gives up the job.
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

    /// Sets whether disk access waits until the disk is idle. A scan never keeps a disk from others, even idle-class ones. Urgent jobs do
    /// not wait for a disk that is never idle.
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

    /// True if another thread has the same duty.
    let isOneOfSeveral = Atomic<Bool>(false)
}
