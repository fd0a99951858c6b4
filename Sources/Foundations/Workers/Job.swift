// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Work in two halves: steps on a worker's thread, then an answer on the control thread.
public final class Job: @unchecked Sendable {
    /// The importance of a job beside others.
    public enum Priority: Int, Comparable, Sendable {
        /// A person has pressed a button and waits.
        case pressed
        /// No caller waits, but it must not take long: the place is to be saved.
        case soon
        /// It may take as long as it takes: looking through the library, counting frames, indexing.
        case background

        /// The more urgent one is the smaller.
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
        /// `cancel` was called. Some of its steps may have run.
        case cancelled
        /// A later job with the same key was given before this one began: none of its steps ran.
        case superseded
        /// The worker was stopped before the job was done.
        case stopped
    }

    /// Why a job was not taken; none of it is run or answered.
    public enum Refusal: Error {
        /// Too many jobs wait already: a disk has hung for a long time.
        case full
        case stopped
    }

    /// Jobs with equal keys are one wish: the later replaces the earlier that has not begun, and waits for the one that has.
    public let key: String?
    /// A job that replaces another is as urgent as the more urgent of both.
    public internal(set) var priority: Priority
    private let stepBody: () -> Step
    private let finishBody: (Outcome) -> Void
    private let cancelled = Atomic<Bool>(false)
    /// Called by `cancel` on the control thread; forgotten with the answer.
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

    /// The caller no longer wants the job: it ends with the step that it is at. Control thread.
    public func cancel() {
        cancelled.store(true, ordering: .releasing)
        whenCancelled?(self)
    }

    /// Any thread; a long step may look now and then.
    public var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Runs one step, on a worker's thread.
    public func runStep() -> Step { stepBody() }

    /// The second half. Control thread, once.
    public func answer(_ outcome: Outcome) {
        whenCancelled = nil
        finishBody(outcome)
    }
}
