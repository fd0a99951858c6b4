// SPDX-License-Identifier: Apache-2.0
/// The wait before another attempt: soon at first, then twice as long each time up to a limit.
public struct Backoff: Sendable {
    /// Attempts that failed in a row.
    public private(set) var failures = 0
    private let firstMilliseconds: Int
    private let longestMilliseconds: Int

    /// - Parameters:
    ///   - firstMilliseconds: a quarter of a second suits a cable that was moved.
    ///   - longestMilliseconds: five seconds suit a person who plugs in a device that was away for days.
    public init(firstMilliseconds: Int = 250, longestMilliseconds: Int = 5000) {
        self.firstMilliseconds = firstMilliseconds
        self.longestMilliseconds = longestMilliseconds
    }

    /// Another attempt has failed: returns the wait before the next.
    public mutating func failed() -> Int {
        var delay = firstMilliseconds
        for _ in 0..<failures { delay = delay > longestMilliseconds / 2 ? longestMilliseconds : delay * 2 }
        // Enough to be silent after the first, and to have come to the longest.
        failures = min(failures + 1, 64)
        return delay
    }

    /// It went well.
    public mutating func succeeded() { failures = 0 }
}
