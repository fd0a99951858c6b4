// SPDX-License-Identifier: Apache-2.0
import Realtime

/// The gains of a frame. Each has its own purpose and its own moves, independent of the others.
public struct Gains: BitwiseCopyable {
    public enum Kind: BitwiseCopyable, Sendable {
        /// The listener's volume.
        case user
        /// The fade-in and fade-out at pauses and jumps.
        case fade
        /// The lower level while a voice speaks.
        case duck
        /// The slow fade at the end of a sleep timer.
        case sleep
    }

    var user = Envelope(level: Envelope.unity)
    var fade = Envelope(level: 0)
    var duck = Envelope(level: Envelope.unity)
    var sleep = Envelope(level: Envelope.unity)

    @_noLocks @_noAllocation
    init() {}

    @_noLocks @_noAllocation
    mutating func move(_ kind: Kind, to level: Int, from frame: Int64, frames: Int) {
        switch kind {
        case .user: user.move(to: level, from: frame, frames: frames)
        case .fade: fade.move(to: level, from: frame, frames: frames)
        case .duck: duck.move(to: level, from: frame, frames: frames)
        case .sleep: sleep.move(to: level, from: frame, frames: frames)
        }
    }

    /// Returns the start of the latest move of a gain that begins before `frame`.
    @_noLocks @_noAllocation
    func latestStart(_ kind: Kind, before frame: Int64) -> Int64 {
        switch kind {
        case .user: user.latestStart(before: frame)
        case .fade: fade.latestStart(before: frame)
        case .duck: duck.latestStart(before: frame)
        case .sleep: sleep.latestStart(before: frame)
        }
    }

    /// Returns true if the gains leave frames unchanged from `frame` on.
    @_noLocks @_noAllocation
    func isUnity(from frame: Int64) -> Bool {
        user.isUnity(from: frame) && fade.isUnity(from: frame) && duck.isUnity(from: frame)
            && sleep.isUnity(from: frame)
    }

    /// Returns the number of frames from `frame` on with a changing level; after them it is constant.
    @_noLocks @_noAllocation
    func framesUntilStill(from frame: Int64) -> Int {
        max(
            max(user.framesUntilStill(from: frame), fade.framesUntilStill(from: frame)),
            max(duck.framesUntilStill(from: frame), sleep.framesUntilStill(from: frame)))
    }

    /// Returns the product of the gains at a frame; `Envelope.unity` is 1.
    @_noLocks @_noAllocation
    func level(at frame: Int64) -> Int {
        // Both factors have 15 fractional bits, which is exact for 1.
        var level = (user.level(at: frame) >> 15) * (fade.level(at: frame) >> 15)
        if !duck.isUnity(from: frame) { level = (level >> 15) * (duck.level(at: frame) >> 15) }
        if !sleep.isUnity(from: frame) { level = (level >> 15) * (sleep.level(at: frame) >> 15) }
        return level
    }

    /// Renumbers the frames, for a card of another rate: see `Envelope.countedAnew`. Silent until the next fade-in.
    @_noLocks @_noAllocation
    mutating func countAnew(from frame: Int64, oldRate: Int64, newRate: Int64) {
        user = Envelope(level: user.target)
        fade = Envelope(level: 0)
        duck = duck.countedAnew(from: frame, oldRate: oldRate, newRate: newRate)
        sleep = sleep.countedAnew(from: frame, oldRate: oldRate, newRate: newRate)
    }
}
