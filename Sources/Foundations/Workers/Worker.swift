// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import Synchronization

/// Performs work that may wait for a disk or take long, on a separate thread: one job at a time, the most urgent first. A long job runs in
/// steps. Between two steps more urgent jobs go first, and equally urgent ones get their turn.
///
/// The control thread keeps all waiting jobs and hands over one at a time, so jobs are replaced and cancelled without a lock. If the thread
/// hangs in the kernel, other jobs continue on a second thread (and a third). Jobs that share state must share a key, since jobs of one key
/// never run at the same time.
public final class Worker: Performer {
    /// The most waiting jobs. Each kind of job has a key or comes one at a time, so hundreds of them mean that something hangs.
    private static let waitingLimit = 1024
    private static let laneLimit = 4
    /// Returns the time within one step after which a thread seems to hang, and other jobs no longer wait for it.
    private static func patienceMilliseconds(for priority: Job.Priority) -> Int64 {
        priority == .background ? 2000 : 250
    }
    /// The longest wait of `stop` for running steps.
    private static let stopMilliseconds: Int64 = 1000

    private let setup: Lane.Setup
    private var loop: EventLoop?
    private var lanes: [Lane] = []
    /// The jobs that have not begun or were interrupted, in order of arrival.
    private var waiting: [Job] = []
    /// The jobs that ended early; they are answered from the loop.
    private var unanswered: [(job: Job, outcome: Job.Outcome)] = []
    private var isLooking = false
    private var isStopped = false

    /// - Parameters:
    ///   - standsBack: true gives the thread only idle processor and disk time.
    ///   - dutyWake: the signal to run `duty`.
    ///   - duty: runs before every job and every step. It does one part of its work, and returns whether there was any. Several threads may
    ///     call it at once if one hangs.
    public init(
        name: String, standsBack: Bool = true, dutyWake: UnsafeMutablePointer<WakeSignal>? = nil,
        duty: (() -> Bool)? = nil
    ) throws(PosixError) {
        let signal = try WakeSignal()
        let collect = UnsafeMutablePointer<WakeSignal>.allocate(capacity: 1)
        collect.initialize(to: signal)
        Interlude.prepare()
        setup = Lane.Setup(name: name, standsBack: standsBack, dutyWake: dutyWake, duty: duty, collect: collect)
    }

    /// Starts the thread, and begins jobs given earlier. The second halves run in `loop`; without it there is only the duty.
    public func start(loop: EventLoop?) throws(PosixError) {
        self.loop = loop
        let collect = setup.collect
        try loop?.add(collect.pointee.number, .readable) { [self] _ in
            collect.pointee.clear()
            collectJobs()
        }
        try addLane()
        dispatch()
    }

    // MARK: Jobs

    public func take(_ job: Job) throws(Job.Refusal) {
        if isStopped { throw .stopped }
        if let place = waiting.firstIndex(where: { hasSameKey($0, job) && !hasBegun($0) }) {
            let old = waiting[place]
            if old.priority < job.priority { job.priority = old.priority }
            waiting[place] = job
            answerLater(old, .superseded)
        } else {
            if waiting.count >= Worker.waitingLimit { throw .full }
            waiting.append(job)
        }
        job.whenCancelled = { [self] in wasCancelled($0) }
        dispatch()
    }

    private func hasSameKey(_ a: Job, _ b: Job) -> Bool {
        guard let key = a.key else { return false }
        return key == b.key
    }

    /// Returns true if some steps of a job have run.
    private func hasBegun(_ job: Job) -> Bool { begun.contains { $0 === job } }
    /// The waiting jobs that were interrupted.
    private var begun: [Job] = []

    private func wasCancelled(_ job: Job) {
        guard let place = waiting.firstIndex(where: { $0 === job }) else { return }
        waiting.remove(at: place)
        begun.removeAll { $0 === job }
        answerLater(job, .cancelled)
    }

    private func answerLater(_ job: Job, _ outcome: Job.Outcome) {
        job.whenCancelled = nil
        unanswered.append((job, outcome))
        setup.collect.pointee.signal()
    }

    private func answerEnded() {
        while !unanswered.isEmpty {
            let (job, outcome) = unanswered.removeFirst()
            job.answer(outcome)
        }
    }

    // MARK: Threads

    private func addLane() throws(PosixError) {
        let lane = try Lane(setup)
        try lane.start()
        lanes.append(lane)
        for lane in lanes { lane.isOneOfSeveral.store(lanes.count > 1, ordering: .relaxed) }
    }

    /// Collects finished jobs, hands out waiting ones, then answers.
    private func collectJobs() {
        var ended: [(Job, Job.Outcome)] = []
        for lane in lanes {
            guard let job = lane.collect() else { continue }
            if lane.isDone {
                ended.append((job, .done))
            } else if job.isCancelled {
                ended.append((job, .cancelled))
            } else {
                begun.append(job)
                waiting.append(job)
            }
        }
        dispatch()
        retireLanes()
        answerEnded()
        for (job, outcome) in ended { job.answer(outcome) }
    }

    /// Hands the most urgent jobs to idle threads, and makes busy ones yield.
    private func dispatch() {
        if lanes.isEmpty || isStopped { return }
        while let place = nextPlace {
            guard let lane = lanes.first(where: { $0.state.load(ordering: .acquiring) == Lane.State.idle }) else {
                makeRoom(for: waiting[place])
                return lookLater()
            }
            let job = waiting.remove(at: place)
            begun.removeAll { $0 === job }
            lane.hand(job)
            // The first step may hang, and with it the duty.
            if setup.duty != nil { lookLater() }
        }
    }

    /// The index of the most urgent waiting job that may run now; of equal ones the first.
    private var nextPlace: Int? {
        var best: Int?
        for (place, job) in waiting.enumerated() where best == nil || job.priority < waiting[best!].priority {
            if !lanes.contains(where: { $0.job.map { hasSameKey($0, job) } ?? false }) { best = place }
        }
        return best
    }

    private func makeRoom(for job: Job) {
        for lane in lanes {
            guard let running = lane.job else { continue }
            if job.priority < running.priority {
                lane.shouldYield.store(true, ordering: .relaxed)
            } else if job.priority == running.priority {
                lane.shouldTakeTurns.store(true, ordering: .relaxed)
            }
        }
    }

    /// Checks soon whether every thread hangs, because a job waits that could run.
    private func lookLater() {
        if isLooking || lanes.count == Worker.laneLimit { return }
        isLooking = true
        loop?.schedule(at: .now.adding(milliseconds: 100)) { [self] in
            isLooking = false
            look()
        }
    }

    private func look() {
        guard !isStopped, let urgent = nextPlace.map({ waiting[$0].priority }) ?? dutyPriority else { return }
        let now = MonotonicTime.now
        let patience = Worker.patienceMilliseconds(for: urgent)
        if lanes.contains(where: { $0.stuckMilliseconds(now) < patience }) { return lookLater() }
        // A job handed to a thread that hangs in its duty comes first.
        for lane in lanes { if let job = lane.takeBack() { waiting.insert(job, at: 0) } }
        do throws(PosixError) { try addLane() } catch { return lookLater() }
        dispatch()
    }

    /// The priority of the duty while jobs keep every thread from it; nil if no thread is kept from it.
    private var dutyPriority: Job.Priority? {
        let isKeptFromIt = setup.duty != nil && !lanes.isEmpty && lanes.allSatisfy { $0.job != nil }
        return isKeptFromIt ? lanes.compactMap { $0.job?.priority }.min() : nil
    }

    /// Ends surplus threads, since one is enough again.
    private func retireLanes() {
        while lanes.count > 1,
            let place = lanes.firstIndex(where: { $0.state.load(ordering: .acquiring) == Lane.State.idle })
        {
            // An idle lane's thread may still hang in its duty: retire that one.
            let now = MonotonicTime.now
            let stuck = lanes.indices.max { lanes[$0].stuckMilliseconds(now) < lanes[$1].stuckMilliseconds(now) }
            let isStuckIdle = stuck.map { lanes[$0].state.load(ordering: .acquiring) == Lane.State.idle } ?? false
            lanes.remove(at: isStuckIdle ? stuck! : place).retire()
            for lane in lanes { lane.isOneOfSeveral.store(lanes.count > 1, ordering: .relaxed) }
        }
    }

    // MARK: The end

    /// Ends the threads. It waits a second at most for running steps, and leaves hanging ones alone. Before it returns, it answers all
    /// other jobs with `.stopped`.
    public func stop() {
        if isStopped { return }
        isStopped = true
        loop?.remove(setup.collect.pointee.number)
        for lane in lanes { lane.stop() }
        let limit = MonotonicTime.now.adding(milliseconds: Int(Worker.stopMilliseconds))
        var ended: [(Job, Job.Outcome)] = []
        while true {
            setup.collect.pointee.clear()
            for lane in lanes {
                if let job = lane.collect() {
                    ended.append((job, lane.isDone ? .done : .stopped))
                    lane.stop()
                }
            }
            let left = limit.milliseconds(since: .now)
            if lanes.allSatisfy({ $0.hasEnded }) || left <= 0 { break }
            var polled = pollfd(fd: setup.collect.pointee.number, events: Int16(POLLIN), revents: 0)
            _ = ns_poll(&polled, 1, Int32(clamping: left))
        }
        for lane in lanes { if lane.hasEnded { lane.join() } else { lane.abandon() } }
        // A hanging step may still write to what its second half would read, so that job gets no answer.
        for job in waiting { unanswered.append((job, .stopped)) }
        waiting = []
        answerEnded()
        for (job, outcome) in ended { job.answer(outcome) }
    }
}
