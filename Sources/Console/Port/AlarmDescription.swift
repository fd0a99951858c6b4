import Model

/// An alarm, and what is to be told of it.
public struct AlarmDescription {
    public var alarm: Alarm
    /// What it plays, as a person knows it.
    public var plays: String
    /// When it rings next, in seconds since 1970; nil where it does not, or the clock is not set.
    public var nextSeconds: Int64?

    public init(_ alarm: Alarm, plays: String, nextSeconds: Int64?) {
        self.alarm = alarm
        self.plays = plays
        self.nextSeconds = nextSeconds
    }
}
