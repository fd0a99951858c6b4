// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import Synchronization

/// Does what may wait for a disk or take long, on a thread of its own: one job at a time, the most urgent first. A longer job is
/// done in steps; between two of them a more urgent job goes first, and one as urgent has its turn.
///
/// Everything that waits is kept here, on the control thread, and its thread is given one job at a time: so jobs are replaced and
/// cancelled without a lock. Should the thread hang in the kernel, what is more urgent than hanging goes on with a second one (and
/// a third): two jobs that share state must share a key, for jobs of one key never run at once.
public final class Worker: Performer {
    /// Jobs that wait at most. Each kind of job has a key or comes one at a time, so that hundreds mean that something hangs.
    private static let waitingLimit = 1024
    private static let laneLimit = 4
    /// A thread that has been within one step for so long seems to hang: other jobs no longer wait for it.
    private static func patienceMilliseconds(for priority: Job.Priority) -> Int64 {
        priority == .background ? 2000 : 250
    }
    /// The longest wait of `stop` for the steps under way.
    private static let stopMilliseconds: Int64 = 1000

    private let setup: Lane.Setup
    private var loop: EventLoop?
    private var lanes: [Lane] = []
    /// Not begun or interrupted, in the order in which they came.
    private var waiting: [Job] = []
    /// Jobs that are over although they did not run to their end; they are answered from the loop.
    private var unanswered: [(job: Job, outcome: Job.Outcome)] = []
    private var isLooking = false
    private var isStopped = false

    /// - Parameters:
    ///   - standsBack: the thread takes what others leave of processor and disk.
    ///   - dutyWake: signaled to have `duty` run.
    ///   - duty: comes before every job and every step: does one part of what there is to do, and returns whether there was any. By
    ///     several threads at once where one hangs.
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

    /// Starts the thread. Jobs that were given before are begun now; the second halves run in `loop`, without which there is only the
    /// duty.
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

    /// Some steps of it have run.
    private func hasBegun(_ job: Job) -> Bool { begun.contains { $0 === job } }
    /// Jobs among the waiting ones that were interrupted.
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

    /// Takes in what has come back, gives out what waits, then answers.
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

    /// Gives idle threads the most urgent jobs, and has busy ones make room.
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
            // Its first step may hang, and the duty with it.
            if setup.duty != nil { lookLater() }
        }
    }

    /// The most urgent of the waiting that may run now, of those the first that came.
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

    /// Something waits that may run: looks soon whether every thread hangs.
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
        // Jobs given to a thread that hangs in its duty come first.
        for lane in lanes { if let job = lane.takeBack() { waiting.insert(job, at: 0) } }
        do throws(PosixError) { try addLane() } catch { return lookLater() }
        dispatch()
    }

    /// The priority of the duty while jobs keep every thread from it; nil where there is none to be done.
    private var dutyPriority: Job.Priority? {
        let isKeptFromIt = setup.duty != nil && !lanes.isEmpty && lanes.allSatisfy { $0.job != nil }
        return isKeptFromIt ? lanes.compactMap { $0.job?.priority }.min() : nil
    }

    /// One thread is enough again.
    private func retireLanes() {
        while lanes.count > 1,
            let place = lanes.firstIndex(where: { $0.state.load(ordering: .acquiring) == Lane.State.idle })
        {
            // An idle lane's thread may yet be stuck in its duty: that one goes, the other stays.
            let now = MonotonicTime.now
            let stuck = lanes.indices.max { lanes[$0].stuckMilliseconds(now) < lanes[$1].stuckMilliseconds(now) }
            let isStuckIdle = stuck.map { lanes[$0].state.load(ordering: .acquiring) == Lane.State.idle } ?? false
            lanes.remove(at: isStuckIdle ? stuck! : place).retire()
            for lane in lanes { lane.isOneOfSeveral.store(lanes.count > 1, ordering: .relaxed) }
        }
    }

    // MARK: The end

    /// Ends the threads: steps that are under way are waited for, a second at most, and left alone where they hang. Before it returns, it
    /// answers the rest with `.stopped`.
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
        // A step that hangs may still write to what its second half would read, so that one gets no answer.
        for job in waiting { unanswered.append((job, .stopped)) }
        waiting = []
        answerEnded()
        for (job, outcome) in ended { job.answer(outcome) }
    }
}
