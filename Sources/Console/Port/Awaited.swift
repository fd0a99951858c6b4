// SPDX-License-Identifier: Apache-2.0
/// The answer of a worker that is still at it. Control thread.
public final class Awaited<Value> {
    /// nil until it is there.
    public private(set) var outcome: Result<Value, ConsoleError>?

    public init() {}

    /// Known at once.
    public init(_ outcome: Result<Value, ConsoleError>) { self.outcome = outcome }

    /// The first answer counts: an answer after a timeout is ignored.
    public func settle(_ outcome: Result<Value, ConsoleError>) {
        if self.outcome == nil { self.outcome = outcome }
    }
}
