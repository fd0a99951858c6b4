// SPDX-License-Identifier: Apache-2.0
/// A recording that has not arrived completely, or never ends, as its decoder reads it. Feed thread; never waits.
public final class ComingSource: ByteSource {
    private let source: any ByteSource
    private let stream: any MediaStream
    /// The end of the last read, or the first missing byte.
    private var next: Int64 = 0
    public let byteCount: Int64?
    /// True if any position can be read, or waited for.
    public let isSeekable: Bool

    public init(_ source: any ByteSource, _ stream: any MediaStream) {
        self.source = source
        self.stream = stream
        byteCount = source.byteCount ?? stream.lengthBytes
        isSeekable = source.isSeekable && (source.byteCount != nil || stream.takesJumps)
    }

    /// True if a second from the decoder's position is readable, or everything up to the end.
    public var isReady: Bool { source.readyBytes(at: next, most: 1) != nil }

    public func readyBytes(at offset: Int64, most: Int) -> Int? { source.readyBytes(at: offset, most: most) }

    public func available(at offset: Int64, most: Int) -> Int { source.available(at: offset, most: most) }

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceError) -> Int {
        next = offset
        let there = source.available(at: offset, most: buffer.count)
        let count: Int
        do throws(SourceError) { count = try source.read(into: buffer, at: offset) } catch {
            next = offset + Int64(there)
            throw error
        }
        next = offset + Int64(count)
        return count
    }
}
