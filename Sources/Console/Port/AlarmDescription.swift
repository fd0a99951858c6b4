// SPDX-License-Identifier: Apache-2.0
import Model

/// An alarm, with its description.
public struct AlarmDescription {
    public var alarm: Alarm
    /// The name of its recording or playlist, for people.
    public var plays: String
    /// When it rings next, in seconds since 1970; nil if it does not ring, or the clock is not set.
    public var nextSeconds: Int64?

    public init(_ alarm: Alarm, plays: String, nextSeconds: Int64?) {
        self.alarm = alarm
        self.plays = plays
        self.nextSeconds = nextSeconds
    }
}
