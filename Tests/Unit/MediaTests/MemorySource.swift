import Core
import Posix

@testable import Media

/// Bytes in memory, followed by as many zeros as wanted, that count how often they are read and can fail.
final class MemorySource: ByteSource {
    let bytes: [UInt8]
    let zeros: Int64
    private(set) var readBytes: Int64 = 0
    /// Reads from here on fail.
    var failsFrom: Int64 = .max

    init(_ bytes: [UInt8], zeros: Int64 = 0) {
        self.bytes = bytes
        self.zeros = zeros
    }

    /// A server may say nothing of it.
    var hasLength = true

    var byteCount: Int64? { hasLength ? Int64(bytes.count) + zeros : nil }
    var isSeekable: Bool { true }

    func readyBytes(at offset: Int64, most: Int) -> Int? { most }

    func available(at offset: Int64, most: Int) -> Int { most }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceError) -> Int {
        if offset.addingSaturated(Int64(buffer.count)) > failsFrom {
            throw SourceError(PosixError(code: 5, operation: "read memory"))
        }
        // As the system does.
        if offset < 0 { throw SourceError(PosixError(code: 22, operation: "read memory")) }
        let count = Int(max(0, min(Int64(buffer.count), Int64(bytes.count) + zeros - offset)))
        for i in 0..<count { buffer[i] = offset + Int64(i) < Int64(bytes.count) ? bytes[Int(offset) + i] : 0 }
        readBytes += Int64(count)
        return count
    }
}
