// SPDX-License-Identifier: Apache-2.0
/// The growth of a count in each of the last hours, including the present one. It is never saved: it starts with the speaker.
public struct HourlyCounts: Equatable, Sendable {
    public static let hours = 24

    /// The growth in each hour, the oldest first.
    public private(set) var counts = [Int64](repeating: 0, count: hours)
    /// The present hour by a clock that is never set; `total` is the last total.
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
