// SPDX-License-Identifier: Apache-2.0
/// A gain that moves along straight lines, each tied to its first frame. So frames that are rewound and written again get the same gain as
/// before, and nothing jumps.
///
/// The caller numbers the frames. Levels are fixed point, `unity` being 1.
public struct Envelope: BitwiseCopyable, Sendable {
    private struct Line: BitwiseCopyable, Sendable {
        var start: Int64
        var frames: Int
        var from: Int
        var to: Int

        @_noLocks @_noAllocation
        init(start: Int64, frames: Int, from: Int, to: Int) {
            self.start = start
            self.frames = frames
            self.from = from
            self.to = to
        }

        @_noLocks @_noAllocation
        func level(at frame: Int64) -> Int {
            if frame >= start + Int64(frames) { return to }
            if frame <= start { return from }
            // 64 bits, since a fall may take an hour.
            return from + Int(Int64(to - from) * (frame - start) / Int64(frames))
        }
    }

    public static var unity: Int { @_noLocks @_noAllocation get { 1 << 30 } }

    // The latest four moves. The caller ensures that no more begin within the part that may be rewound.
    private var first: Line
    private var second: Line
    private var third: Line
    private var fourth: Line

    @_noLocks @_noAllocation
    public init(level: Int) {
        let still = Line(start: Int64.min / 2, frames: 1, from: level, to: level)
        first = still
        second = still
        third = still
        fourth = still
    }

    /// The level at the end of the latest move.
    public var target: Int { @_noLocks @_noAllocation get { fourth.to } }

    /// The start of the latest move that begins before `frame`; far below 0 if there is none.
    @_noLocks @_noAllocation
    public func latestStart(before frame: Int64) -> Int64 {
        if fourth.start < frame { return fourth.start }
        if third.start < frame { return third.start }
        if second.start < frame { return second.start }
        return first.start < frame ? first.start : Int64.min / 2
    }

    /// Moves from frame `start` on to `target` within `frames`. Later moves are dropped.
    @_noLocks @_noAllocation
    public mutating func move(to target: Int, from start: Int64, frames: Int) {
        let level = level(at: start)
        forget(from: start)
        first = second
        second = third
        third = fourth
        fourth = Line(start: start, frames: max(1, frames), from: level, to: target)
    }

    /// Jumps to a level for all frames.
    @_noLocks @_noAllocation
    public mutating func set(_ level: Int) { self = Envelope(level: level) }

    /// Jumps at a frame; earlier frames keep their gain.
    @_noLocks @_noAllocation
    public mutating func set(_ level: Int, from start: Int64) {
        forget(from: start)
        first = second
        second = third
        third = fourth
        fourth = Line(start: start, frames: 1, from: level, to: level)
    }

    @_noLocks @_noAllocation
    private mutating func forget(from start: Int64) {
        while fourth.start >= start && fourth.start > Int64.min / 2 {
            fourth = third
            third = second
            second = first
            first = Line(start: Int64.min / 2, frames: 1, from: first.from, to: first.from)
        }
    }

    @_noLocks @_noAllocation
    public func level(at frame: Int64) -> Int {
        if frame >= fourth.start { return fourth.level(at: frame) }
        if frame >= third.start { return third.level(at: frame) }
        if frame >= second.start { return second.level(at: frame) }
        return first.level(at: frame)
    }

    /// Returns the number of frames from `frame` to silence if `frame` lies in or after a fall to silence; nil otherwise.
    @_noLocks @_noAllocation
    public func framesToSilence(from frame: Int64) -> Int? {
        var line = first
        if frame >= fourth.start {
            line = fourth
        } else if frame >= third.start {
            line = third
        } else if frame >= second.start {
            line = second
        }
        return line.to == 0 ? max(0, Int(clamping: line.start + Int64(line.frames) - frame)) : nil
    }

    /// Returns true if the gain is constantly 1 from a frame on.
    @_noLocks @_noAllocation
    public func isUnity(from frame: Int64) -> Bool { isStill(from: frame) && fourth.to == Envelope.unity }

    /// Returns true if the level is constant from a frame on.
    @_noLocks @_noAllocation
    public func isStill(from frame: Int64) -> Bool { framesUntilStill(from: frame) == 0 }

    /// Returns the number of frames from `frame` to the end of the latest move; 0 if that has passed.
    @_noLocks @_noAllocation
    public func framesUntilStill(from frame: Int64) -> Int {
        max(0, Int(clamping: fourth.start + Int64(fourth.frames) - frame))
    }

    /// Returns the envelope with frames renumbered: `frame` becomes 0, and a second has `newRate` frames instead of `oldRate`. A running
    /// move continues.
    @_noLocks @_noAllocation
    public func countedAnew(from frame: Int64, oldRate: Int64, newRate: Int64) -> Envelope {
        var anew = Envelope(level: level(at: frame))
        let left = fourth.start + Int64(fourth.frames) - frame
        if left > 0 {
            anew.move(to: fourth.to, from: 0, frames: Int(clamping: left * newRate / max(1, oldRate)))
        }
        return anew
    }
}
