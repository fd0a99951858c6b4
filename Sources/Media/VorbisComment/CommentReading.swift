// SPDX-License-Identifier: Apache-2.0
/// A sequence of bytes, of which only the requested part is in memory.
protocol CommentBytes: AnyObject {
    /// Returns the next bytes; fewer only at the end.
    func take(_ count: Int) throws(MediaError) -> [UInt8]
    /// Skips so many bytes.
    func skip(_ count: Int) throws(MediaError)
}

/// A part of a file.
final class FileBytes: CommentBytes {
    private let source: any ByteSource
    private(set) var at: Int64
    private let end: Int64

    init(_ source: any ByteSource, from start: Int64, byteCount: Int64) {
        self.source = source
        at = start
        end = start + byteCount
    }

    func take(_ count: Int) throws(MediaError) -> [UInt8] {
        let bytes = try readBytes(source, at: at, count: Int(min(Int64(max(0, count)), end - at)))
        at += Int64(bytes.count)
        return bytes
    }

    func skip(_ count: Int) throws(MediaError) { at = min(end, at + Int64(max(0, count))) }
}
