// SPDX-License-Identifier: Apache-2.0
import Posix

/// The format of a playlist, by its file's name.
public enum PlaylistFormat: Sendable {
    /// A path a line; `#` begins a comment. `.m3u` and `.m3u8`.
    case m3u
    /// `FileN=PATH`.
    case pls
    /// `FILE "PATH" TYPE`.
    case cue

    public init?(fileName: String) {
        switch fileName.pathExtension {
        case "m3u", "m3u8": self = .m3u
        case "pls": self = .pls
        case "cue": self = .cue
        default: return nil
        }
    }

    /// The order of precedence among stored playlists: of two files of one name it is the playlist.
    static let storedExtensions = ["m3u8", "m3u", "pls"]
}
