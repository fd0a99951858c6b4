// SPDX-License-Identifier: Apache-2.0
import CPosix

/// A point on CLOCK_MONOTONIC, in nanoseconds; the clock of ALSA's time stamps and the kernel's GPIO events too.
public struct MonotonicTime: BitwiseCopyable, Comparable, Sendable {
    public var nanoseconds: Int64

    @_noLocks @_noAllocation
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    public static var now: MonotonicTime { MonotonicTime(nanoseconds: ns_monotonic_nanoseconds()) }

    public static func < (a: MonotonicTime, b: MonotonicTime) -> Bool { a.nanoseconds < b.nanoseconds }

    public func adding(milliseconds: some BinaryInteger) -> MonotonicTime {
        MonotonicTime(nanoseconds: nanoseconds + Int64(milliseconds) * 1_000_000)
    }

    /// Whole hours.
    public var hour: Int64 { nanoseconds / 3_600_000_000_000 }

    /// Whole milliseconds from `earlier` to this; negative if `earlier` is later. 64 bits, since a 32-bit `Int` holds 24 days only.
    public func milliseconds(since earlier: MonotonicTime) -> Int64 {
        (nanoseconds - earlier.nanoseconds) / 1_000_000
    }
}

/// Seconds since 1970 by the wall clock; a board without a clock chip starts in the past and jumps, so never a measure of time passed.
public func wallClockSeconds() -> Int64 {
    Int64(time(nil))
}

/// Seconds since 1970 as a clock on the wall counts them where the board stands; nil while the clock has not been set.
private func wallSeconds() -> Int64? {
    var now = time(nil)
    var parts = tm()
    // Before 2020.
    if now < 1_577_836_800 || localtime_r(&now, &parts) == nil { return nil }
    return Int64(now) + Int64(parts.tm_gmtoff)
}

/// The day on the wall where the board stands, from the first of 1970 on; nil while the clock has not been set.
public func wallClockDay() -> Int64? { wallSeconds().map { $0 / 86_400 } }

/// The minute of that day, 0…1439; likewise.
public func wallClockMinute() -> Int? { wallSeconds().map { Int($0 % 86_400 / 60) } }
