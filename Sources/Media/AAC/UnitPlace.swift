// SPDX-License-Identifier: Apache-2.0
/// A unit of a stream (what is decoded at once), and its place.
struct UnitPlace: Equatable {
    /// The unit's index, from 0.
    var unit: Int64 = 0
    /// The offset of its first byte in the file.
    var offset: Int64 = 0
    /// In an MP4, its chunk, its index within the chunk, and the stsc entry of the chunk. All count from 0; 0 in other formats.
    var chunk: Int64 = 0
    var unitInChunk: Int64 = 0
    var run: Int64 = 0
}
