// SPDX-License-Identifier: Apache-2.0
import Core

/// When something that a household shares was changed: milliseconds since 1970 in the upper 47 bits, and a count in the lower 16 for what
/// is later although no clock says so. Larger is later.
public struct HybridTime: Comparable, Sendable {
    public let rawValue: Int64

    private static let countBits = 16
    /// The year 2200. No household lives to see it, and what is beyond is refused: so there is always something later.
    private static let mostMilliseconds: Int64 = 7_258_118_400_000
    private static var most: Int64 { mostMilliseconds << countBits }

    /// Nil for what no device can have said.
    public init?(rawValue: Int64) {
        guard (0...HybridTime.most).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// - Parameter milliseconds: since 1970; the nearest that there is.
    public init(milliseconds: Int64) {
        rawValue = max(0, min(HybridTime.mostMilliseconds, milliseconds)) << HybridTime.countBits
    }

    private init(unchecked rawValue: Int64) { self.rawValue = rawValue }

    public static let first = HybridTime(milliseconds: 0)

    public var milliseconds: Int64 { rawValue >> HybridTime.countBits }

    /// The first that is later.
    public var next: HybridTime { HybridTime(unchecked: min(HybridTime.most, rawValue + 1)) }

    public static func < (one: HybridTime, other: HybridTime) -> Bool { one.rawValue < other.rawValue }
}

/// Orders changes by clocks that no device trusts: boards have none at the start, and wrong ones later.
///
/// The rule, from which all else follows:
/// * A receiver never changes a record's time. So all devices compare the same two numbers, at any setting of their clocks, and come to the
///   same end.
/// * A change is always later than the record that it changes. So a device that has seen a change wins over it, and one that says 2099 wins
///   only until another that has heard of it changes the same.
/// * Beyond that a change has the time at which it was made, by the clock of the device, but no later than a day from now. The time of one
///   key does not affect any other: a wrong clock spoils what was changed by it, and no more.
/// * While the clock of a device is not set, the latest time that it has heard of stands in for it, and that too never leads the clock by
///   more than a day once it is set.
public struct HybridClock: Sendable {
    /// The latest time that was heard of.
    public private(set) var latest: HybridTime

    private static let mostDriftMilliseconds: Int64 = 24 * 3600 * 1000
    /// 2024: before that no clock was set.
    private static let leastMilliseconds: Int64 = 1_704_067_200_000

    public init(latest: HybridTime = .first) { self.latest = latest }

    /// The time of a change that is made known now.
    /// - Parameters:
    ///   - changed: when it was made, in milliseconds since 1970, as this device's clock said.
    ///   - now: the clock's present time.
    ///   - known: of the record that it changes; nil where there is none.
    public mutating func stamp(changed: Int64, now: Int64, after known: HybridTime?) -> HybridTime {
        bound(now)
        var time = latest.next
        if HybridClock.isSet(changed) {
            let most = HybridClock.isSet(now) ? now.addingSaturated(HybridClock.mostDriftMilliseconds) : changed
            time = HybridTime(milliseconds: min(changed, most))
        }
        if let known { time = max(time, known.next) }
        saw(time, now: now)
        return time
    }

    /// A record with this time has come.
    public mutating func saw(_ time: HybridTime, now: Int64) {
        latest = max(latest, time)
        bound(now)
    }

    private mutating func bound(_ now: Int64) {
        guard HybridClock.isSet(now) else { return }
        latest = min(latest, HybridTime(milliseconds: now.addingSaturated(HybridClock.mostDriftMilliseconds)))
    }

    private static func isSet(_ milliseconds: Int64) -> Bool { milliseconds >= leastMilliseconds }
}
