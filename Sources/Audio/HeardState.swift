// SPDX-License-Identifier: Apache-2.0
import Posix

/// The audible position, as the audio thread saw it at one moment.
public struct HeardState: BitwiseCopyable, Sendable {
    /// The moment of this state.
    public var time = MonotonicTime(nanoseconds: 0)
    /// The audible recording and the position in it.
    public var heard = Place()
    /// True if the card is moving, so that the position advances with the clock…
    public var isAdvancing = false
    /// …until the listener has heard so many nanoseconds from `time` on; then it stands still.
    public var queuedNanoseconds: Int64 = 0
    /// The next deck to become audible, and its delay from `time`; token 0 without a next deck.
    public var next = Place()
    public var nanosecondsUntilNext: Int64 = 0

    @_noLocks @_noAllocation
    public init() {}

    /// The audible deck; 0 for none.
    public var token: Int { heard.token }

    /// The next audible deck; 0 without one.
    public var nextToken: Int { next.token }

    /// Returns the time that shortened silences have saved the listener up to `now`, in microseconds.
    public func savedMicroseconds(at now: MonotonicTime) -> Int64 {
        if next.token != 0 && elapsed(at: now) >= nanosecondsUntilNext { return next.savedMicroseconds }
        return heard.savedMicroseconds
    }

    /// Returns the nanoseconds from `now` in which the position advances with time: until the next skipped silence, or the end of the known
    /// frames. Nil if it does not advance.
    public func steadyNanoseconds(from now: MonotonicTime) -> Int64? {
        if !isAdvancing { return nil }
        let elapsed = elapsed(at: now)
        if next.token != 0 && elapsed < nanosecondsUntilNext { return nanosecondsUntilNext - elapsed }
        return queuedNanoseconds - elapsed
    }

    private func elapsed(at now: MonotonicTime) -> Int64 {
        isAdvancing ? min(max(0, now.nanoseconds - time.nanoseconds), queuedNanoseconds) : 0
    }

    /// Returns the audible deck at `now`, and the millisecond of its recording.
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
    /// Returns the audible millisecond of the recording so many nanoseconds after this place.
    func milliseconds(after nanoseconds: Int64) -> Int {
        Int(clamping: sample * 1000 / Int64(max(1, pace.rate)) + nanoseconds / 1000 * Int64(pace.speed) / 1_000_000)
    }
}
