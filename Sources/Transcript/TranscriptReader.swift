// SPDX-License-Identifier: Apache-2.0
/// Finds and reads a transcript, in steps. Any one thread.
public protocol TranscriptReader: AnyObject {
    /// Some milliseconds of work or one access to the disk; true when all is done.
    func step() -> Bool
    /// After the last step; nil for none that can be used.
    var transcript: Transcript? { get }
    /// One line each, for the log.
    var warnings: [String] { get }
}

extension TranscriptReading: TranscriptReader {}
extension FetchedTranscript: TranscriptReader {}
