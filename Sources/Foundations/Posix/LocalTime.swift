// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The clock on the wall where the board stands, beside the one that counts seconds since 1970: its zone, and the days on which it is changed.
public struct LocalTime {
    /// Nowhere on earth the two are further apart, and a zone does not change twice in so long.
    private static let mostSeconds: Int64 = 30 * 3600

    /// Returns the seconds by which the wall clock is ahead, at a moment in seconds since 1970.
    private let ahead: (Int64) -> Int64

    public init(ahead: @escaping (Int64) -> Int64) { self.ahead = ahead }

    /// By the zone that the board is set to, also once another one was chosen. (`localtime_r` alone reads it once.)
    public static var ofBoard: LocalTime {
        LocalTime { seconds in
            tzset()
            var time = time_t(clamping: seconds)
            var parts = tm()
            return localtime_r(&time, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
        }
    }

    /// Returns the wall clock's seconds since the first of 1970.
    /// - Parameter seconds: since 1970, up to the year 9999.
    public func wallSeconds(at seconds: Int64) -> Int64 { seconds + ahead(seconds) }

    /// The first moment at which the clock on the wall shows a time, in seconds since 1970: of a time that comes twice the first one; for
    /// one that does not come, when the clock is changed.
    /// - Parameter wall: as `wallSeconds` gives it, 1970 to the year 9999.
    public func moment(ofWall wall: Int64) -> Int64 {
        var (low, high) = (wall - LocalTime.mostSeconds, wall + LocalTime.mostSeconds)
        let (before, after) = (ahead(low), ahead(high))
        if before == after { return wall - before }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if ahead(middle) == before { low = middle } else { high = middle }
        }
        // It is changed at `high`.
        return wall - before < high ? wall - before : max(high, wall - after)
    }
}
