// SPDX-License-Identifier: Apache-2.0
/// A recording that is opened and gives its frames: 16 bit, channels interleaved. Every call may read, wait and allocate: feed and worker
/// threads only, one at a time.
///
/// Wider samples are rounded to the nearest of 16 bits and clamped, without dither.
public protocol AudioDecoding: AnyObject {
    /// Hz; stays the same to the end.
    var rate: Int { get }
    /// 1 or 2; a decoder mixes down what has more.
    var channels: Int { get }
    /// The number of frames from its start to its end; nil if only a walk through all of it could tell.
    var frameCount: Int64? { get }
    /// The seek table, if `seek` had to go through the whole recording: keep it for the next time. Else nil.
    var foundTable: SeekTable? { get }
    /// A stream of this kind can be opened in its middle: all that a decoder has to know is said over and over.
    var isRejoinable: Bool { get }
    /// Goes on at this very frame: `decode` gives the same frame next as decoding from the start would. At the end or behind it nothing
    /// more comes.
    /// - Parameter goOn: called now and then where the way is long, so that others can be served meanwhile; false gives up, which throws.
    func seek(toFrame frame: Int64, goOn: () -> Bool) throws(MediaError)
    /// Puts the next frames into the buffer, at most `frames` of them, and returns how many: 0 at the end only.
    func decode(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(MediaError) -> Int
}

extension AudioDecoding {
    public var foundTable: SeekTable? { nil }
    public var isRejoinable: Bool { false }
}
