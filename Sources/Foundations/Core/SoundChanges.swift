// SPDX-License-Identifier: Apache-2.0
/// A listener's changes to the sound of recordings. Kept over a restart.
public struct SoundChanges: Equatable, Sendable {
    /// The loudness by which recordings get one level. The words are those of MPD's `replay_gain_mode`.
    public enum Level: String, Sendable {
        /// They are heard as they were made.
        case off
        /// Each by its own.
        case track
        /// Each by that of its album, where it says one.
        case album
        /// `track` where the queue is gone through in an order of chance, else `album`.
        case auto
    }

    /// A fifth of each is kept.
    public var shortensSilences = false
    public var level = Level.off

    public init() {}
}
