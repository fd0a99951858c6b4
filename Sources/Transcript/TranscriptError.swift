// SPDX-License-Identifier: Apache-2.0
/// The reason why a transcript cannot be used. The audio plays without it, so it gets one warning.
public struct TranscriptError: Error, Equatable {
    /// The fault and the expected form, with the line if known; the caller adds the file's name.
    public let message: String

    public init(message: String) {
        self.message = message
    }
}
