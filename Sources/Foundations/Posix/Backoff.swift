// SPDX-License-Identifier: Apache-2.0
/// The wait before another attempt: short at first, then doubled each time up to a limit.
public struct Backoff: Sendable {
    /// The number of failed attempts in a row.
    public private(set) var failures = 0
    private let firstMilliseconds: Int
    private let longestMilliseconds: Int

    /// - Parameters:
    ///   - firstMilliseconds: the first wait; a quarter of a second suits a moved cable.
    ///   - longestMilliseconds: the longest wait; five seconds suit a device that returns after days.
    public init(firstMilliseconds: Int = 250, longestMilliseconds: Int = 5000) {
        self.firstMilliseconds = firstMilliseconds
        self.longestMilliseconds = longestMilliseconds
    }

    /// Counts a failure. Returns the wait before the next attempt.
    public mutating func failed() -> Int {
        var delay = firstMilliseconds
        for _ in 0..<failures { delay = delay > longestMilliseconds / 2 ? longestMilliseconds : delay * 2 }
        // Enough for a caller to log only the first, and to reach the longest wait.
        failures = min(failures + 1, 64)
        return delay
    }

    /// Resets the wait after a success.
    public mutating func succeeded() { failures = 0 }
}
