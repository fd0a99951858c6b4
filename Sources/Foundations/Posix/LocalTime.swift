// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The local time of the board, by its zone and daylight saving time, relative to seconds since 1970.
public struct LocalTime {
    /// The greatest offset on earth with a margin. No zone changes twice within that time.
    private static let mostSeconds: Int64 = 30 * 3600

    /// Returns the seconds by which local time is ahead, at a moment in seconds since 1970.
    private let ahead: (Int64) -> Int64

    public init(ahead: @escaping (Int64) -> Int64) { self.ahead = ahead }

    /// The zone that the board is set to now. (`localtime_r` alone reads the setting only once.)
    public static var ofBoard: LocalTime {
        LocalTime { seconds in
            tzset()
            var time = time_t(clamping: seconds)
            var parts = tm()
            return localtime_r(&time, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
        }
    }

    /// Returns the local time in seconds since the start of 1970.
    /// - Parameter seconds: the moment, in seconds since 1970, up to the year 9999.
    public func wallSeconds(at seconds: Int64) -> Int64 { seconds + ahead(seconds) }

    /// Returns the first moment with a local time, in seconds since 1970. A time that occurs twice gives the first; a skipped time gives
    /// the moment of the change.
    /// - Parameter wall: as `wallSeconds` gives it, 1970 to the year 9999.
    public func moment(ofWall wall: Int64) -> Int64 {
        var (low, high) = (wall - LocalTime.mostSeconds, wall + LocalTime.mostSeconds)
        let (before, after) = (ahead(low), ahead(high))
        if before == after { return wall - before }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if ahead(middle) == before { low = middle } else { high = middle }
        }
        // The clock is changed at `high`.
        return wall - before < high ? wall - before : max(high, wall - after)
    }
}
