// SPDX-License-Identifier: Apache-2.0
import Core

/// The time of a change of something that a household shares: milliseconds since 1970 in the upper 47 bits. The lower 16 bits count changes
/// that are later although no clock shows it. Larger is later.
public struct HybridTime: Comparable, Sendable {
    public let rawValue: Int64

    private static let countBits = 16
    /// The year 2200, the latest accepted time: so there is always a later one.
    private static let mostMilliseconds: Int64 = 7_258_118_400_000
    private static var most: Int64 { mostMilliseconds << countBits }

    /// nil for an impossible time.
    public init?(rawValue: Int64) {
        guard (0...HybridTime.most).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// - Parameter milliseconds: since 1970; bounded to the possible times.
    public init(milliseconds: Int64) {
        rawValue = max(0, min(HybridTime.mostMilliseconds, milliseconds)) << HybridTime.countBits
    }

    private init(unchecked rawValue: Int64) { self.rawValue = rawValue }

    public static let first = HybridTime(milliseconds: 0)

    public var milliseconds: Int64 { rawValue >> HybridTime.countBits }

    /// The next later time.
    public var next: HybridTime { HybridTime(unchecked: min(HybridTime.most, rawValue + 1)) }

    public static func < (one: HybridTime, other: HybridTime) -> Bool { one.rawValue < other.rawValue }
}

/// Orders changes without trusting any clock: boards have none at the start, and wrong ones later.
///
/// The rules, from which all else follows:
/// * A receiver never changes a record's time. So all devices compare the same two numbers, at any setting of their clocks, and reach the
///   same result.
/// * A change is always later than the record that it changes. So a device that has seen a change wins over it. One that claims the year
///   2099 wins only until another device that has seen its change changes the same again.
/// * Beyond that a change has the time at which it was made, by the device's clock, but no later than a day from now. The time of one key
///   does not affect any other: a wrong clock spoils only the changes made by it.
/// * While a device's clock is not set, the latest known time replaces it. Once the clock is set, that time never leads it by more than a
///   day.
public struct HybridClock: Sendable {
    /// The latest known time.
    public private(set) var latest: HybridTime

    private static let mostDriftMilliseconds: Int64 = 24 * 3600 * 1000
    /// The year 2024: a clock that shows less was never set.
    private static let leastMilliseconds: Int64 = 1_704_067_200_000

    public init(latest: HybridTime = .first) { self.latest = latest }

    /// Returns the time of a change that is published now.
    /// - Parameters:
    ///   - changed: the time of the change, in milliseconds since 1970, by this device's clock.
    ///   - now: the clock's present time.
    ///   - known: the time of the changed record; nil for a new one.
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

    /// Notes the time of a received record.
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
