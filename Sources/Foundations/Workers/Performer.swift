// SPDX-License-Identifier: Apache-2.0
/// Something that does jobs. Control thread.
public protocol Performer: AnyObject {
    /// Takes a job, and answers it in any case; if this throws, the job is neither run nor answered.
    func take(_ job: Job) throws(Job.Refusal)
}

extension Performer {
    /// Has `step` run elsewhere until it returns `.done`, then `finish` here.
    // Embedded Swift has no code for a method of a protocol's extension that is called on `any Performer`: the call ends the program. So it
    // is part of its caller.
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
