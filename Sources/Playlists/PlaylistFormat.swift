// SPDX-License-Identifier: Apache-2.0
import Posix

/// The format of a playlist, by its file's name.
public enum PlaylistFormat: Sendable {
    /// A path on each line; `#` begins a comment. `.m3u` and `.m3u8`.
    case m3u
    /// Lines of `FileN=PATH`.
    case pls
    /// Lines of `FILE "PATH" TYPE`.
    case cue

    public init?(fileName: String) {
        switch fileName.pathExtension {
        case "m3u", "m3u8": self = .m3u
        case "pls": self = .pls
        case "cue": self = .cue
        default: return nil
        }
    }

    /// The extensions of stored playlists, in the order of precedence for files of one name.
    static let storedExtensions = ["m3u8", "m3u", "pls"]
}
