import Posix

/// What is heard, as the audio thread saw it at one moment.
public struct HeardState: BitwiseCopyable, Sendable {
    /// When it was so.
    public var time = MonotonicTime(nanoseconds: 0)
    /// Which deck is heard; 0 for none.
    public var token = 0
    /// Gapless sample of that deck's stream, and its rate in Hz.
    public var sample: Int64 = 0
    public var rate = 0
    /// The card is moving, so the position goes on with the clock…
    public var isAdvancing = false
    /// …until this much has been played from `time` on, in nanoseconds; then it stands.
    public var queuedNanoseconds: Int64 = 0
    /// The deck heard next and how long from `time` until it is heard; 0 if nothing else is queued.
    public var nextToken = 0
    public var nextSample: Int64 = 0
    public var nanosecondsUntilNext: Int64 = 0

    @_noLocks @_noAllocation
    public init() {}

    /// Which deck is heard at `now` and at which millisecond of its stream.
    public func at(_ now: MonotonicTime) -> (token: Int, milliseconds: Int) {
        if rate == 0 { return (token, 0) }
        var elapsed = isAdvancing ? min(max(0, now.nanoseconds - time.nanoseconds), queuedNanoseconds) : 0
        var token = token
        var start = sample
        if nextToken != 0 && elapsed >= nanosecondsUntilNext {
            token = nextToken
            start = nextSample
            elapsed -= nanosecondsUntilNext
        }
        return (token, Int(clamping: start * 1000 / Int64(rate) + elapsed / 1_000_000))
    }
}
