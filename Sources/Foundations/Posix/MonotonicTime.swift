// SPDX-License-Identifier: Apache-2.0
import CPosix

/// A time of CLOCK_MONOTONIC, in nanoseconds. ALSA's time stamps and the kernel's GPIO events use the same clock.
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

    /// The whole hours.
    public var hour: Int64 { nanoseconds / 3_600_000_000_000 }

    /// Returns the whole milliseconds since `earlier`; negative if `earlier` is later. 64 bits, since a 32-bit `Int` holds only 24 days.
    public func milliseconds(since earlier: MonotonicTime) -> Int64 {
        (nanoseconds - earlier.nanoseconds) / 1_000_000
    }
}

/// Returns the wall clock's seconds since 1970. Never measure durations with it: a board without a clock chip starts in the past and jumps.
public func wallClockSeconds() -> Int64 {
    Int64(time(nil))
}

/// Returns the local seconds since 1970; nil while the clock is not set.
private func wallSeconds() -> Int64? {
    var now = time(nil)
    var parts = tm()
    // A time before 2020 is not a set clock.
    if now < 1_577_836_800 || localtime_r(&now, &parts) == nil { return nil }
    return Int64(now) + Int64(parts.tm_gmtoff)
}

/// Returns the local day, counted from the first of 1970; nil while the clock is not set.
public func wallClockDay() -> Int64? { wallSeconds().map { $0 / 86_400 } }

/// Returns the local minute of the day, 0…1439; nil while the clock is not set.
public func wallClockMinute() -> Int? { wallSeconds().map { Int($0 % 86_400 / 60) } }
