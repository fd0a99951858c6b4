// SPDX-License-Identifier: Apache-2.0
import Posix

/// The reason why a playlist is unreadable or cannot change.
public enum PlaylistError: Error {
    case noSuchPlaylist
    /// The name cannot be a file's: it is empty, contains a slash or a line break, or is too long.
    case badName
    /// A playlist of that name exists already.
    case exists
    /// There is no entry at that position.
    case badIndex
    /// There is no entry to move, or no position to move it to.
    case badMove
    /// There is no entry at that position before which to insert.
    case badPosition
    /// The playlist would exceed the limit of entries or bytes.
    case tooLarge
    /// The disk refused, with the reason.
    case disk(PosixError)
    /// The disk does not answer.
    case hangs
}
