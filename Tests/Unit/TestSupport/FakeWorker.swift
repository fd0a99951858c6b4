// SPDX-License-Identifier: Apache-2.0
import Workers

/// Does jobs when a test says so, on the test's own thread.
public final class FakeWorker: Performer {
    /// Given and not yet done, in order of urgency and then of coming.
    public private(set) var jobs: [Job] = []
    /// Every job so far, done or not.
    public private(set) var takenCount = 0
    /// Thrown at every job where it is not nil.
    public var refusal: Job.Refusal?

    public init() {}

    public func take(_ job: Job) throws(Job.Refusal) {
        if let refusal { throw refusal }
        takenCount += 1
        if let key = job.key, let place = jobs.firstIndex(where: { $0.key == key }) {
            let old = jobs[place]
            jobs[place] = job
            old.answer(.superseded)
            return
        }
        let place = jobs.firstIndex { job.priority < $0.priority } ?? jobs.count
        jobs.insert(job, at: place)
    }

    /// Runs the most urgent job to its end and answers it; false where none waits.
    @discardableResult
    public func runOne() -> Bool {
        guard !jobs.isEmpty else { return false }
        let job = jobs.removeFirst()
        while !job.isCancelled { if job.runStep() == .done { break } }
        job.answer(job.isCancelled ? .cancelled : .done)
        return true
    }

    /// Runs jobs, also those that come from answers, until none waits.
    public func runAll() { while runOne() {} }

    /// The most urgent job hangs from now on, until `finish`.
    public func holdBack() -> Job? { jobs.isEmpty ? nil : jobs.removeFirst() }

    /// A job that hung goes on.
    public func finish(_ job: Job) {
        while job.runStep() == .again {}
        job.answer(.done)
    }

    /// Runs one step of the most urgent job, and answers it if that was the last.
    public func runStep() {
        guard let job = jobs.first else { return }
        if job.runStep() == .again { return }
        jobs.removeFirst()
        job.answer(.done)
    }
}
