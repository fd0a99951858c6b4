// SPDX-License-Identifier: Apache-2.0
/// Something that performs jobs. Control thread.
public protocol Performer: AnyObject {
    /// Accepts a job, and always answers it. If this throws, the job is neither run nor answered.
    func take(_ job: Job) throws(Job.Refusal)
}

extension Performer {
    /// Runs `step` elsewhere until it returns `.done`, then `finish` here.
    ///
    /// Inlined, because Embedded Swift has no code for an extension's method called on `any Performer`: such a call ends the program.
    @discardableResult @inline(__always)
    public func perform(
        _ priority: Job.Priority, key: String? = nil, step: @escaping () -> Job.Step,
        finish: @escaping (Job.Outcome) -> Void
    ) throws(Job.Refusal) -> Job {
        let job = Job(priority, key: key, step: step, finish: finish)
        try take(job)
        return job
    }
}
