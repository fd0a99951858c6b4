// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// A piece of a source that is held in memory, so that small reads one after the other cost one large one. One thread at a time.
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

    /// Returns the bytes from an offset on: `count` bytes or, as far as they are held, more; fewer at the end of the source only. Good
    /// until the next call.
    /// - Parameter count: at most what the window was made for.
    func bytes(at offset: Int64, count: Int) throws(SourceError) -> UnsafeRawBufferPointer {
        let end = start.addingSaturated(Int64(held))
        if offset < start || offset > end || end - offset < Int64(count) {
            held = 0
            start = max(0, offset)
            if offset < 0 { return UnsafeRawBufferPointer(rebasing: memory[..<0]) }
            // As much as there is of what has yet to come, but what is asked for.
            let most = max(min(count, memory.count), source.available(at: offset, most: memory.count))
            held = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[..<most]), at: offset)
            Interlude.run()
        }
        return UnsafeRawBufferPointer(rebasing: memory[Int(offset - start)..<held])
    }

    /// Up to `count` bytes of their own; fewer at the end of the source only.
    func copy(at offset: Int64, count: Int) throws(SourceError) -> [UInt8] {
        if count <= memory.count { return Array(try bytes(at: offset, count: count).prefix(count)) }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        defer { room.deallocate() }
        let got = try source.read(into: room, at: offset)
        return Array(UnsafeRawBufferPointer(rebasing: room[..<got]))
    }
}

extension UnsafeRawBufferPointer {
    /// Eight bytes from `offset` as one number, the first on top; more than 63 bits are the most there can be. `offset + 8` must not lie
    /// past the end.
    func wideNumber(at offset: Int) -> Int64 {
        Int64(clamping: UInt64(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    }
}
