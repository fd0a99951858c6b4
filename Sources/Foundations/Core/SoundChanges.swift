// SPDX-License-Identifier: Apache-2.0
/// The listener's changes to the sound of recordings. Kept over a restart.
public struct SoundChanges: Equatable, Sendable {
    /// The loudness used to level recordings. The words are those of MPD's `replay_gain_mode`.
    public enum Level: String, Sendable {
        /// Recordings keep their level.
        case off
        /// Each recording follows its own loudness.
        case track
        /// Each recording follows its album's loudness, if known.
        case album
        /// `track` in random order, otherwise `album`.
        case auto
    }

    /// True shortens each silence to a fifth.
    public var shortensSilences = false
    public var level = Level.off

    public init() {}
}
