// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Work in two halves: steps on a worker's thread, then an answer on the control thread.
public final class Job: @unchecked Sendable {
    /// The urgency of a job.
    public enum Priority: Int, Comparable, Sendable {
        /// The listener has pressed a button and waits.
        case pressed
        /// No caller waits, but it must not take long: saving the position.
        case soon
        /// It may take any time: scanning the library, counting frames, indexing.
        case background

        /// The more urgent priority is the smaller one.
        public static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }
    }

    /// The result of a step.
    public enum Step: Sendable {
        /// There is more to do: call again.
        case again
        case done
    }

    /// The end of a job.
    public enum Outcome: Sendable {
        case done
        /// `cancel` was called. Some steps may have run.
        case cancelled
        /// A later job with the same key arrived before this one began: no step ran.
        case superseded
        /// The worker stopped before the job was done.
        case stopped
    }

    /// The reason for refusing a job; none of it is run or answered.
    public enum Refusal: Error {
        /// Too many jobs wait: a disk has hung for a long time.
        case full
        case stopped
    }

    /// The key of the job. A later job replaces a waiting one with the same key, and waits for a running one.
    public let key: String?
    /// The priority. A job that replaces another takes the more urgent one of both.
    public internal(set) var priority: Priority
    private let stepBody: () -> Step
    private let finishBody: (Outcome) -> Void
    private let cancelled = Atomic<Bool>(false)
    /// Called by `cancel` on the control thread; cleared with the answer.
    var whenCancelled: ((Job) -> Void)?

    /// - Parameters:
    ///   - step: called on the worker's thread until it returns `.done`; each call some milliseconds of work or one access to a disk.
    ///   - finish: called once on the control thread, from the event loop and never from within a call to the worker.
    public init(
        _ priority: Priority, key: String? = nil, step: @escaping () -> Step, finish: @escaping (Outcome) -> Void
    ) {
        self.priority = priority
        self.key = key
        stepBody = step
        finishBody = finish
    }

    /// Cancels the job: it ends after its present step. Control thread.
    public func cancel() {
        cancelled.store(true, ordering: .releasing)
        whenCancelled?(self)
    }

    /// True if the job was cancelled. Any thread; a long step may check it.
    public var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Runs one step, on a worker's thread.
    public func runStep() -> Step { stepBody() }

    /// Runs the second half. Control thread, once.
    public func answer(_ outcome: Outcome) {
        whenCancelled = nil
        finishBody(outcome)
    }
}
