// SPDX-License-Identifier: Apache-2.0
/// The place of an uncompressed recording's samples in its file.
struct PCMLayout: Equatable {
    /// The rates that a resampler supports.
    static var rates: ClosedRange<Int> { 1000...768_000 }
    static let mostChannels = 8

    var start: Int64
    var byteCount: Int64
    var rate: Int
    /// The file's number of channels.
    var channels: Int
    var encoding: SampleEncoding

    var frameBytes: Int { channels * encoding.bytes }
    var frameCount: Int64 { byteCount / Int64(frameBytes) }
    var extent: AudioExtent { AudioExtent(start: start, end: start + byteCount) }
}
