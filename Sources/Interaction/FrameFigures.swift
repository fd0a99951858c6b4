// SPDX-License-Identifier: Apache-2.0
/// Counts the pictures of a panel, and the time from a touch to its picture. Moments in milliseconds of a monotonic clock.
public struct FrameFigures: Equatable, Sendable {
    public private(set) var frames = 0
    /// The number of touches by delay in milliseconds; the last entry includes all longer delays.
    private var delays = [Int](repeating: 0, count: 256)
    private var longest = 0
    private var touchedAt: Int?

    public init() {}

    /// Records a finger's touch or release, by the kernel's time.
    public mutating func touched(at moment: Int) { if touchedAt == nil { touchedAt = moment } }

    /// Forgets the touch, since it changed nothing visible.
    public mutating func nothingChanged() { touchedAt = nil }

    /// Records that a picture was given to the panel.
    public mutating func shown(at moment: Int) {
        frames += 1
        guard let touched = touchedAt else { return }
        touchedAt = nil
        let delay = max(0, moment - touched)
        longest = max(longest, delay)
        delays[min(delays.count - 1, delay)] += 1
    }

    /// The milliseconds within which 99 of 100 touches were visible; nil without touches.
    public var mostlyAfter: Int? {
        let count = delays.reduce(0, +)
        if count == 0 { return nil }
        var seen = 0
        for (delay, times) in delays.enumerated() {
            seen += times
            if seen * 100 >= count * 99 { return delay }
        }
        return nil
    }

    public var words: String {
        guard let mostlyAfter else { return "\(frames) pictures" }
        return "\(frames) pictures; a touch was seen after \(longest) ms at most, 99 of 100 after \(mostlyAfter)"
    }
}
