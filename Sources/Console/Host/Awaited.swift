// SPDX-License-Identifier: Apache-2.0
import Wire

/// The answer of a worker that is still at it. Control thread.
final class Awaited<Value> {
    /// nil until it is there.
    private(set) var outcome: Result<Value, ConsoleError>?

    init() {}

    /// Known at once.
    init(_ outcome: Result<Value, ConsoleError>) { self.outcome = outcome }

    /// The first answer counts: an answer after a timeout is ignored.
    func settle(_ outcome: Result<Value, ConsoleError>) {
        if self.outcome == nil { self.outcome = outcome }
    }
}
