// SPDX-License-Identifier: Apache-2.0
/// A unit of a stream (what is decoded in one go), and where it lies.
struct UnitPlace: Equatable {
    /// Counted from 0.
    var unit: Int64 = 0
    /// Offset of its first byte in the file.
    var offset: Int64 = 0
    /// In an MP4 the chunk that it stands in, which of the chunk's units it is, and the entry of stsc that tells of the chunk. All are
    /// counted from 0; 0 elsewhere.
    var chunk: Int64 = 0
    var unitInChunk: Int64 = 0
    var run: Int64 = 0
}
