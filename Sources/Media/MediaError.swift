// SPDX-License-Identifier: Apache-2.0
import Posix

/// The reason why something cannot be played.
public enum MediaError: Error {
    /// Its bytes cannot be read.
    case source(SourceError)
    /// It is not audio of a known format.
    case noAudio
    /// It is of a known but unplayable format, by its name: "Windows Media audio".
    case unsupported(String)
    /// It could be played if a library were installed.
    case noLibrary(MissingLibrary)
    /// Its decoder cannot continue.
    case damaged
}

extension MediaError {
    /// True if the bytes have not arrived from the network yet. The same request may succeed later.
    var isNotThereYet: Bool {
        if case .source(let error) = self { return error.isNotThereYet }
        return false
    }
}
