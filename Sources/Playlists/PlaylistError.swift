// SPDX-License-Identifier: Apache-2.0
import Posix

/// The reason why a playlist is unreadable or cannot change.
public enum PlaylistError: Error {
    case noSuchPlaylist
    /// A name that cannot be a file's: empty, with a slash or a line break, too long.
    case badName
    /// One of that name is there already.
    case exists
    /// There is no entry at that place.
    case badIndex
    /// There is no entry to move, or no place to move it to.
    case badMove
    /// There is nothing to put something before at that place.
    case badPosition
    /// More entries or bytes than a playlist may have.
    case tooLarge
    /// The disk refused, and why.
    case disk(PosixError)
    /// The disk does not answer.
    case hangs
}
