// SPDX-License-Identifier: Apache-2.0
import CMpg123

/// Decodes an MPEG audio stream to interleaved 16-bit frames: a libmpg123 handle that is fed with bytes.
///
/// Made, opened and positioned on the feed thread; then fed and decoded on the audio thread by the two annotated functions. Only one thread
/// uses it at a time.
public struct Decoder: ~Copyable {
    /// The most bytes of one `feed`, so that the pool of buffers never grows on the audio thread.
    public static var feedBytes: Int { @_noLocks @_noAllocation get { 2048 } }

    /// SEEK_SET of stdio.h, which the header does not include.
    private static let seekFromStart: Int32 = 0

    private let handle: OpaquePointer

    /// The result of `decode`.
    public enum Outcome: BitwiseCopyable, Sendable {
        /// The buffer contains frames.
        case frames
        /// Call `feed`.
        case needsInput
        /// Something undecodable was skipped: call `decode` again.
        case skipped
        /// The handle cannot continue.
        case failed
    }

    public init() throws(Mpg123Error) {
        var code: Int32 = 0
        guard let handle = mpg123_new(nil, &code) else { throw Mpg123Error(code: code, doing: "start libmpg123") }
        self.handle = handle
        _ = ns_mpg123_set(handle, MPG123_ADD_FLAGS, Int(MPG123_QUIET.rawValue | MPG123_SKIP_ID3V2.rawValue))
        // Skip garbage of any length until the next frame.
        _ = ns_mpg123_set(handle, MPG123_RESYNC_LIMIT, -1)
        // Decode these frames before the target of a jump, so that the rest is exact. Layer III uses up to 511 bytes of earlier frames (255
        // in MPEG 2). In silence a frame of variable rate has about 11 bytes, which means two dozen frames, and two more overlap.
        // libmpg123's default of 4 is too low.
        _ = ns_mpg123_set(handle, MPG123_PREFRAMES, 40)
        _ = ns_mpg123_set(handle, MPG123_FEEDBUFFER, Decoder.feedBytes)
        _ = ns_mpg123_set(handle, MPG123_FEEDPOOL, 8)
    }

    deinit {
        mpg123_close(handle)
        mpg123_delete(handle)
    }

    /// Begins a new stream with the same buffers. Feed thread.
    public borrowing func open() throws(Mpg123Error) {
        allowEveryFormat()
        if mpg123_open_feed(handle) != MPG123_OK.rawValue { throw Mpg123Error(handle: handle, doing: "open stream") }
    }

    /// Allows any rate and channel count, always 16 bit. The format may change on the way. If libmpg123 had to keep the first one, it would
    /// return three times as many frames at once, and allocate on the audio thread.
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

    /// Sets an index: the byte offset, from the first byte fed, of every `step`th frame. Feed thread.
    public borrowing func setIndex(offsets: [Int64], step: Int) throws(Mpg123Error) {
        var offsets = offsets.map { off_t($0) }
        let code = offsets.withUnsafeMutableBufferPointer {
            ns_mpg123_set_index(handle, $0.baseAddress, off_t(step), $0.count)
        }
        if code != MPG123_OK.rawValue { throw Mpg123Error(handle: handle, doing: "set frame index") }
    }

    /// Makes the next decoded frames begin exactly at `sample` (gapless, counted per channel). Returns the byte offset from which to feed.
    /// Feed thread, after the format is known.
    public borrowing func seek(toSample sample: Int64) throws(Mpg123Error) -> Int64 {
        var offset: off_t = 0
        if ns_mpg123_feedseek(handle, off_t(sample), Decoder.seekFromStart, &offset) < 0 {
            throw Mpg123Error(handle: handle, doing: "seek")
        }
        return Int64(offset)
    }

    /// Feeds at most `feedBytes` bytes, which are copied. Returns false if the decoder refused them.
    @_noLocks @_noAllocation
    public borrowing func feed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        let code = ns_mpg123_feed(handle, base.assumingMemoryBound(to: UInt8.self), bytes.count)
        return code == 0
    }

    /// Decodes at most one frame. `samples` has `count` interleaved 16-bit samples, valid until the next call.
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

    /// Returns the rate in Hz and the channels of the last decoded frames. They may change on the way.
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
