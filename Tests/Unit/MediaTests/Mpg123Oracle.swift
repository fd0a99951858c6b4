// SPDX-License-Identifier: Apache-2.0
import CMpg123

/// libmpg123's own results for a stream in memory.
struct Mpg123Oracle {
    /// Offsets of all frames, found by mpg123_scan.
    var offsets: [Int64] = []
    /// The result of mpg123_length after that.
    var length: Int64 = 0

    private final class Source {
        let bytes: [UInt8]
        var at = 0
        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    private static func makeHandle() -> OpaquePointer {
        let handle = mpg123_new(nil, nil)!
        _ = ns_mpg123_set(handle, MPG123_ADD_FLAGS, Int(MPG123_QUIET.rawValue | MPG123_SKIP_ID3V2.rawValue))
        _ = ns_mpg123_set(handle, MPG123_RESYNC_LIMIT, -1)
        // Grows by so many; so every frame is kept.
        _ = ns_mpg123_set(handle, MPG123_INDEX_SIZE, -4096)
        return handle
    }

    init(scanning bytes: [UInt8]) {
        let source = Source(bytes)
        let handle = Mpg123Oracle.makeHandle()
        defer { mpg123_delete(handle) }
        mpg123_replace_reader_handle(
            handle,
            { context, buffer, count in
                let source = Unmanaged<Source>.fromOpaque(context!).takeUnretainedValue()
                let part = min(count, source.bytes.count - min(source.at, source.bytes.count))
                source.bytes.withUnsafeBytes {
                    if part > 0 { buffer!.copyMemory(from: $0.baseAddress! + source.at, byteCount: part) }
                }
                source.at += part
                return part
            },
            { context, offset, whence in
                let source = Unmanaged<Source>.fromOpaque(context!).takeUnretainedValue()
                let base = whence == 0 ? 0 : whence == 1 ? source.at : source.bytes.count
                guard base + offset >= 0 else { return -1 }
                source.at = base + offset
                return source.at
            }, nil)
        withExtendedLifetime(source) {
            guard mpg123_open_handle(handle, Unmanaged.passUnretained(source).toOpaque()) == 0 else { return }
            guard mpg123_scan(handle) == 0 else { return }
            var data: UnsafeMutablePointer<off_t>?
            var step: off_t = 0
            var fill = 0
            mpg123_index(handle, &data, &step, &fill)
            precondition(step == 1)
            offsets = (0..<fill).map { Int64(data![$0]) }
            length = Int64(mpg123_length(handle))
            mpg123_close(handle)
        }
    }

    /// Samples per channel that come out when the stream is fed and decoded to its end, and the rate in Hz they have.
    static func decodedSamples(_ bytes: [UInt8]) -> (samples: Int64, rate: Int) {
        let handle = makeHandle()
        defer { mpg123_delete(handle) }
        mpg123_open_feed(handle)
        var rate = 0
        var channels: Int32 = 0
        var encoding: Int32 = 0
        var at = 0
        var samples: Int64 = 0
        while true {
            var number: off_t = 0
            var audio: UnsafeMutablePointer<UInt8>?
            var count = 0
            let code = mpg123_decode_frame(handle, &number, &audio, &count)
            if code == MPG123_NEW_FORMAT.rawValue { mpg123_getformat(handle, &rate, &channels, &encoding) }
            if count > 0 { samples += Int64(count / Int(channels) / 2) }
            if code == MPG123_NEED_MORE.rawValue {
                let part = min(4096, bytes.count - at)
                if part == 0 { break }
                bytes.withUnsafeBufferPointer { _ = mpg123_feed(handle, $0.baseAddress! + at, part) }
                at += part
            } else if code != 0 && code != MPG123_NEW_FORMAT.rawValue && code != MPG123_ERR.rawValue {
                break
            }
        }
        return (samples, rate)
    }
}
