// SPDX-License-Identifier: Apache-2.0
/// By how much a count has grown in each of the last hours, of which the last is not over. Nobody keeps it: it begins with the speaker.
public struct HourlyCounts: Equatable, Sendable {
    public static let hours = 24

    /// The oldest first.
    public private(set) var counts = [Int64](repeating: 0, count: hours)
    /// Of a clock that is never set, and what the count stood at when it was noted last.
    private var hour: Int64
    private var total: Int64 = 0

    public init(hour: Int64) { self.hour = hour }

    /// Adds the difference to the last total to this hour.
    public mutating func note(_ total: Int64, at now: Int64) {
        let gone = now <= hour ? 0 : Int(min(UInt64(HourlyCounts.hours), (now &- hour).magnitude))
        for index in counts.indices {
            let from = index + gone
            counts[index] = from < counts.count ? counts[from] : 0
        }
        hour = max(hour, now)
        counts[counts.count - 1] += max(0, total - self.total)
        self.total = total
    }
}
