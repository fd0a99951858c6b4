/// How long to wait before something that failed is tried again: soon at first, then ever less often.
public struct Backoff: Sendable {
    /// A quarter of a second for a cable that was moved, five seconds for what may stay away for days.
    private static let milliseconds = [250, 500, 1000, 2000, 5000]

    /// Attempts that failed in a row.
    public private(set) var failures = 0

    public init() {}

    /// Another attempt has failed: how long to wait for the next.
    public mutating func failed() -> Int {
        defer { failures += 1 }
        return Backoff.milliseconds[min(failures, Backoff.milliseconds.count - 1)]
    }

    /// It went well.
    public mutating func succeeded() { failures = 0 }
}
