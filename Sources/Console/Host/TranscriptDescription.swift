// SPDX-License-Identifier: Apache-2.0
import Model

/// The part of the current item's transcript around the audible place.
struct TranscriptDescription: Sendable {
    /// The number of segments in the whole transcript.
    var count: Int
    /// The index of the present segment; nil before the first, after the last and in gaps.
    var currentIndex: Int?
    /// The index of the first of `segments` in the transcript, from 0.
    var firstIndex: Int
    /// The segments, in order of time.
    var segments: [Segment]
}
