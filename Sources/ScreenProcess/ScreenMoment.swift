// SPDX-License-Identifier: Apache-2.0
import Posix

/// Moments: milliseconds in an `Int`, as scenes and hands count them. A 32-bit `Int` counts from the start of the process and lasts 24
/// days.
extension MonotonicTime {
    #if _pointerBitWidth(_32)
        private static let origin = MonotonicTime.now.nanoseconds
        /// A day before the largest `Int`.
        private static let lastMoment = 2_061_000_000
    #else
        private static let origin: Int64 = 0
        private static let lastMoment = Int.max
    #endif

    /// Creates the time of a moment.
    init(moment: Int) {
        self.init(nanoseconds: MonotonicTime.origin + Int64(moment) * 1_000_000)
    }

    var moment: Int { Int(clamping: (nanoseconds - MonotonicTime.origin) / 1_000_000) }

    var microsecondsOfMoments: Int64 { (nanoseconds - MonotonicTime.origin) / 1000 }

    /// Ends the process before its moments run out. The service manager starts another, which shows the same.
    static func endWhereMomentsDo(_ moment: Int) {
        if moment > lastMoment {
            Log.notice("screen: begins anew after 23 days")
            ScreenSubcommand.endToBeginAnew()
        }
    }
}
