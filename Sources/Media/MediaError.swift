// SPDX-License-Identifier: Apache-2.0
import Posix

/// Why something holds nothing to play.
public enum MediaError: Error {
    /// Its bytes cannot be read.
    case source(SourceError)
    /// It is no audio of a format that is known here.
    case noAudio
    /// It says what it is, and that cannot be played here: "Windows Media audio".
    case unsupported(String)
    /// It could be played if a library were installed.
    case noLibrary(MissingLibrary)
    /// Its decoder cannot go on with what stands there.
    case damaged
}

extension MediaError {
    /// A network has yet to bring it: the same can be asked again later.
    var isNotThereYet: Bool {
        if case .source(let error) = self { return error.isNotThereYet }
        return false
    }
}
