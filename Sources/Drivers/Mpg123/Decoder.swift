// SPDX-License-Identifier: Apache-2.0
import CMpg123

/// One MPEG audio stream being decoded to interleaved 16-bit frames: a libmpg123 handle that is fed bytes.
///
/// Made, opened and positioned on the feed thread; then fed and decoded on the audio thread by the two annotated functions.
/// Never used by two threads at once.
public struct Decoder: ~Copyable {
    /// The most that one `feed` may be given, so that the pool of buffers never grows on the audio thread.
    public static var feedBytes: Int { @_noLocks @_noAllocation get { 2048 } }

    /// SEEK_SET of stdio.h, which the header does not bring along.
    private static let seekFromStart: Int32 = 0

    private let handle: OpaquePointer

    /// The result of `decode`.
    public enum Outcome: BitwiseCopyable, Sendable {
        /// Frames stand in the buffer.
        case frames
        /// Call `feed`.
        case needsInput
        /// Something was not decodable and was passed over: call `decode` again.
        case skipped
        /// The handle cannot go on.
        case failed
    }

    public init() throws(Mpg123Error) {
        var code: Int32 = 0
        guard let handle = mpg123_new(nil, &code) else { throw Mpg123Error(code: code, doing: "start libmpg123") }
        self.handle = handle
        _ = ns_mpg123_set(handle, MPG123_ADD_FLAGS, Int(MPG123_QUIET.rawValue | MPG123_SKIP_ID3V2.rawValue))
        // Garbage of any length is passed over until the next frame.
        _ = ns_mpg123_set(handle, MPG123_RESYNC_LIMIT, -1)
        // Decoded before the place of a jump, so that what follows is exact: layer III takes up to 511 bytes from frames before
        // (255 in MPEG 2). In silence a frame of variable rate has some 11 of its own, so that is two dozen frames, and they
        // overlap with two more. libmpg123's own 4 are too few.
        _ = ns_mpg123_set(handle, MPG123_PREFRAMES, 40)
        _ = ns_mpg123_set(handle, MPG123_FEEDBUFFER, Decoder.feedBytes)
        _ = ns_mpg123_set(handle, MPG123_FEEDPOOL, 8)
    }

    deinit {
        mpg123_close(handle)
        mpg123_delete(handle)
    }

    /// Begins a new stream; the handle keeps its buffers. Feed thread.
    public borrowing func open() throws(Mpg123Error) {
        allowEveryFormat()
        if mpg123_open_feed(handle) != MPG123_OK.rawValue { throw Mpg123Error(handle: handle, doing: "open stream") }
    }

    /// Any rate and channel count that a stream may have, always 16 bit. It may change on its way: were libmpg123 held to the first,
    /// it would give three times as many frames at once and make its buffers anew on the audio thread.
    private borrowing func allowEveryFormat() {
        mpg123_format_none(handle)
        var rates: UnsafePointer<Int>?
        var count = 0
        mpg123_rates(&rates, &count)
        for i in 0..<count {
            let channels = Int32(MPG123_MONO.rawValue | MPG123_STEREO.rawValue)
            mpg123_format(handle, rates![i], channels, Int32(MPG123_ENC_SIGNED_16.rawValue))
        }
    }

    /// Hands over an index: byte offsets from the first byte fed, of every `step`th frame. Feed thread.
    public borrowing func setIndex(offsets: [Int64], step: Int) throws(Mpg123Error) {
        var offsets = offsets.map { off_t($0) }
        let code = offsets.withUnsafeMutableBufferPointer {
            ns_mpg123_set_index(handle, $0.baseAddress, off_t(step), $0.count)
        }
        if code != MPG123_OK.rawValue { throw Mpg123Error(handle: handle, doing: "set frame index") }
    }

    /// Makes the next frames decoded begin exactly at `sample` (gapless, counted per channel). Returns the byte offset from
    /// which the stream must be fed next. Feed thread, after the format is known.
    public borrowing func seek(toSample sample: Int64) throws(Mpg123Error) -> Int64 {
        var offset: off_t = 0
        if ns_mpg123_feedseek(handle, off_t(sample), Decoder.seekFromStart, &offset) < 0 {
            throw Mpg123Error(handle: handle, doing: "seek")
        }
        return Int64(offset)
    }

    /// Gives the decoder at most `feedBytes` bytes; it copies them. False where it refused them.
    @_noLocks @_noAllocation
    public borrowing func feed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        let code = ns_mpg123_feed(handle, base.assumingMemoryBound(to: UInt8.self), bytes.count)
        return code == 0
    }

    /// Decodes at most one frame. `samples` is good until the next call and holds `count` 16-bit samples, channels interleaved.
    @_noLocks @_noAllocation
    public borrowing func decode(samples: inout UnsafePointer<Int16>?, count: inout Int) -> Outcome {
        var audio: UnsafeMutablePointer<UInt8>?
        var bytes = 0
        count = 0
        let code = ns_mpg123_decode_frame(handle, &audio, &bytes)
        if let audio, bytes > 0 {
            samples = UnsafeRawPointer(audio).assumingMemoryBound(to: Int16.self)
            count = bytes / 2
            return .frames
        }
        if code == MPG123_NEED_MORE.rawValue || code == MPG123_DONE.rawValue { return .needsInput }
        if code == MPG123_OK.rawValue || code == MPG123_NEW_FORMAT.rawValue { return .skipped }
        return .failed
    }

    /// Hz and channels of the frames decoded last. They may change on the way.
    @_noLocks @_noAllocation
    public borrowing func format(channels: inout Int) -> Int {
        var rate = 0
        var count: Int32 = 0
        var encoding: Int32 = 0
        _ = ns_mpg123_getformat(handle, &rate, &count, &encoding)
        channels = Int(count)
        return rate
    }
}
