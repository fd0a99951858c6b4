// SPDX-License-Identifier: Apache-2.0
/// Why a transcript cannot be used. The audio plays without it, so this is worth one warning.
public struct TranscriptError: Error, Equatable {
    /// The fault and the expectation, with the line if one is to blame; the caller adds the file's name.
    public let message: String

    public init(message: String) {
        self.message = message
    }
}
