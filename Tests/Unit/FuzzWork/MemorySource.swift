// SPDX-License-Identifier: Apache-2.0
import Core
import Media
import Posix

/// A source from a closure, which fills the buffer from an offset and returns the number of bytes; negative if reading failed.
public final class ClosureSource: ByteSource {
    public typealias Read = (_ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) -> Int

    public let byteCount: Int64?
    public var isSeekable: Bool { true }
    private let read: Read

    public init(_ byteCount: Int64, read: @escaping Read) {
        self.byteCount = byteCount
        self.read = read
    }

    public func readyBytes(at offset: Int64, most: Int) -> Int? { most }
    public func available(at offset: Int64, most: Int) -> Int { most }

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceError) -> Int {
        let count = read(offset, buffer)
        if count < 0 { throw SourceError(PosixError(code: 5, operation: "read")) }
        return count
    }
}

/// Bytes in memory, followed by as many zeros as wanted, that count how often they are read and can fail.
public final class MemorySource: ByteSource {
    public let bytes: [UInt8]
    public let zeros: Int64
    public private(set) var readBytes: Int64 = 0
    /// Reads from here on fail.
    public var failsFrom: Int64 = .max

    public init(_ bytes: [UInt8], zeros: Int64 = 0) {
        self.bytes = bytes
        self.zeros = zeros
    }

    /// A server may say nothing of it.
    public var hasLength = true

    public var byteCount: Int64? { hasLength ? Int64(bytes.count) + zeros : nil }
    public var isSeekable: Bool { true }

    public func readyBytes(at offset: Int64, most: Int) -> Int? { most }

    public func available(at offset: Int64, most: Int) -> Int { most }

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceError) -> Int {
        if offset.addingSaturated(Int64(buffer.count)) > failsFrom {
            throw SourceError(PosixError(code: 5, operation: "read memory"))
        }
        // As the system does.
        if offset < 0 { throw SourceError(PosixError(code: 22, operation: "read memory")) }
        let count = Int(max(0, min(Int64(buffer.count), Int64(bytes.count) + zeros - offset)))
        let own = max(0, min(count, bytes.count - Int(clamping: offset)))
        if own > 0 { buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + own]) }
        for i in own..<count { buffer[i] = 0 }
        readBytes += Int64(count)
        return count
    }
}
