import Posix

/// What is heard, as the audio thread saw it at one moment.
public struct HeardState: BitwiseCopyable, Sendable {
    /// When it was so.
    public var time = MonotonicTime(nanoseconds: 0)
    /// Which recording is heard, and where.
    public var heard = Place()
    /// The card is moving, so the position goes on with the clock…
    public var isAdvancing = false
    /// …until this much has been played from `time` on, in nanoseconds; then it stands.
    public var queuedNanoseconds: Int64 = 0
    /// What is heard next and how long from `time` until it is heard; token 0 if nothing else is queued.
    public var next = Place()
    public var nanosecondsUntilNext: Int64 = 0

    @_noLocks @_noAllocation
    public init() {}

    /// Which deck is heard; 0 for none.
    public var token: Int { heard.token }

    /// Which deck is heard next; 0 if nothing else is queued.
    public var nextToken: Int { next.token }

    /// What silences made shorter have saved a listener up to `now`, in microseconds.
    public func savedMicroseconds(at now: MonotonicTime) -> Int64 {
        if next.token != 0 && elapsed(at: now) >= nanosecondsUntilNext { return next.savedMicroseconds }
        return heard.savedMicroseconds
    }

    /// Until when the place goes on as time does, from `now` on in nanoseconds: the next leap over a silence, or the end of what is
    /// known to come. Nil where time does not go on.
    public func steadyNanoseconds(from now: MonotonicTime) -> Int64? {
        if !isAdvancing { return nil }
        let elapsed = elapsed(at: now)
        if next.token != 0 && elapsed < nanosecondsUntilNext { return nanosecondsUntilNext - elapsed }
        return queuedNanoseconds - elapsed
    }

    private func elapsed(at now: MonotonicTime) -> Int64 {
        isAdvancing ? min(max(0, now.nanoseconds - time.nanoseconds), queuedNanoseconds) : 0
    }

    /// Which deck is heard at `now` and at which millisecond of its recording.
    public func at(_ now: MonotonicTime) -> (token: Int, milliseconds: Int) {
        if heard.pace.rate == 0 { return (heard.token, 0) }
        let elapsed = elapsed(at: now)
        if next.token != 0 && elapsed >= nanosecondsUntilNext {
            return (next.token, next.milliseconds(after: elapsed - nanosecondsUntilNext))
        }
        return (heard.token, heard.milliseconds(after: elapsed))
    }
}

extension Place {
    /// The millisecond of the recording that is heard so many nanoseconds after this place was.
    func milliseconds(after nanoseconds: Int64) -> Int {
        Int(clamping: sample * 1000 / Int64(max(1, pace.rate)) + nanoseconds / 1000 * Int64(pace.speed) / 1_000_000)
    }
}
