// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// A window of a source in memory, so that small reads in a row cost one large read. One thread at a time.
final class ByteWindow {
    let source: any ByteSource
    private let memory: UnsafeMutableRawBufferPointer
    private var start: Int64 = 0
    private var held = 0

    init(_ source: any ByteSource, bytes: Int) {
        self.source = source
        memory = .allocate(byteCount: bytes, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// Returns the bytes from an offset on: `count`, or more if they are in memory; fewer only at the end. Valid until the next call.
    /// - Parameter count: at most the size of the window.
    func bytes(at offset: Int64, count: Int) throws(SourceError) -> UnsafeRawBufferPointer {
        let end = start.addingSaturated(Int64(held))
        if offset < start || offset > end || end - offset < Int64(count) {
            held = 0
            start = max(0, offset)
            if offset < 0 { return UnsafeRawBufferPointer(rebasing: memory[..<0]) }
            // Read what has arrived, but at least the requested bytes.
            let most = max(min(count, memory.count), source.available(at: offset, most: memory.count))
            held = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[..<most]), at: offset)
            Interlude.run()
        }
        return UnsafeRawBufferPointer(rebasing: memory[Int(offset - start)..<held])
    }

    /// Returns a copy of up to `count` bytes; fewer only at the end.
    func copy(at offset: Int64, count: Int) throws(SourceError) -> [UInt8] {
        if count <= memory.count { return Array(try bytes(at: offset, count: count).prefix(count)) }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        defer { room.deallocate() }
        let got = try source.read(into: room, at: offset)
        return Array(UnsafeRawBufferPointer(rebasing: room[..<got]))
    }
}

extension UnsafeRawBufferPointer {
    /// Returns eight bytes at `offset` as one big-endian number, limited to 63 bits. `offset + 8` must not lie past the end.
    func wideNumber(at offset: Int) -> Int64 {
        Int64(clamping: UInt64(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    }
}
