// SPDX-License-Identifier: Apache-2.0
import Wire

/// A worker's answer, which may still be under way. Control thread.
final class Awaited<Value> {
    /// The answer; nil until it is there.
    private(set) var outcome: Result<Value, ConsoleError>?

    init() {}

    /// Creates an answer that is known at once.
    init(_ outcome: Result<Value, ConsoleError>) { self.outcome = outcome }

    /// Sets the answer. Only the first counts: an answer after a timeout is ignored.
    func settle(_ outcome: Result<Value, ConsoleError>) {
        if self.outcome == nil { self.outcome = outcome }
    }
}
