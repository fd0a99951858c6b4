// SPDX-License-Identifier: Apache-2.0
/// Finds and reads a transcript, in steps. Any one thread.
public protocol TranscriptReader: AnyObject {
    /// Does some milliseconds of work or one disk access. Returns true when done.
    func step() -> Bool
    /// The transcript after the last step; nil for no usable one.
    var transcript: Transcript? { get }
    /// The warnings for the log, one line each.
    var warnings: [String] { get }
}

extension TranscriptReading: TranscriptReader {}
extension FetchedTranscript: TranscriptReader {}
