// SPDX-License-Identifier: Apache-2.0
import Model

/// The part of the current item's transcript around the audible place.
public struct TranscriptDescription: Sendable {
    /// Segments in the whole transcript.
    public var count: Int
    /// The index of the segment being spoken; nil before the first, after the last and in gaps.
    public var currentIndex: Int?
    /// The index of the first of `segments` in the transcript, from 0.
    public var firstIndex: Int
    /// In order of time.
    public var segments: [Segment]

    public init(count: Int, currentIndex: Int?, firstIndex: Int, segments: [Segment]) {
        self.count = count
        self.currentIndex = currentIndex
        self.firstIndex = firstIndex
        self.segments = segments
    }
}
