// SPDX-License-Identifier: Apache-2.0
/// An open recording that returns interleaved 16-bit frames. Every call may read, wait and allocate: feed and worker threads only, one at a
/// time.
///
/// Wider samples are rounded to the nearest of 16 bits and clamped, without dither.
public protocol AudioDecoding: AnyObject {
    /// The sample rate in Hz, constant to the end.
    var rate: Int { get }
    /// The number of channels, 1 or 2; more are mixed down.
    var channels: Int { get }
    /// The number of frames in total; nil if only a walk over the whole recording could tell.
    var frameCount: Int64? { get }
    /// The seek table if `seek` had to walk over the whole recording, to be kept for the next time; nil otherwise.
    var foundTable: SeekTable? { get }
    /// True if a stream of this kind can be opened in its middle, because it repeats all its headers.
    var isRejoinable: Bool { get }
    /// Seeks to a frame exactly: `decode` then returns the same frames as after decoding from the start. At or after the end it returns
    /// nothing.
    /// - Parameter goOn: called repeatedly during a long search, so that others can be served; false cancels, which throws.
    func seek(toFrame frame: Int64, goOn: () -> Bool) throws(MediaError)
    /// Decodes at most `frames` frames into the buffer. Returns their number; 0 only at the end.
    func decode(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(MediaError) -> Int
}

extension AudioDecoding {
    public var foundTable: SeekTable? { nil }
    public var isRejoinable: Bool { false }
}
