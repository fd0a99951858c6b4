// SPDX-License-Identifier: Apache-2.0
import Media
import Posix

/// A whole file from the fetching process: a picture, words, an episode. Any thread.
public final class FetchedFile: MediaStream, ByteSource, @unchecked Sendable {
    public let name: String
    private let file: FileDescriptor
    private let bytes: Int64

    init(_ file: consuming FileDescriptor, name: String, bytes: Int64) {
        self.file = file
        self.name = name
        self.bytes = bytes
    }

    public var isReady: Bool { true }
    public var isWhole: Bool { true }
    public var isMissingBytes: Bool { false }
    public var mayBringMore: Bool { false }
    public var isLive: Bool { false }
    public var takesJumps: Bool { false }
    public var lengthBytes: Int64? { bytes }

    public func hasAll(upTo place: Int64) -> Bool { true }
    public func learn(secondBytes: Int) {}
    public func holds(bytes: Int) {}
    public func starves() {}
    public func didBegin(isRejoinable: Bool) {}

    public func open() throws(SourceError) -> any ByteSource { self }

    public var byteCount: Int64? { bytes }
    public var isSeekable: Bool { true }

    public func readyBytes(at offset: Int64, most: Int) -> Int? { available(at: offset, most: most) }

    public func available(at offset: Int64, most: Int) -> Int { Int(max(0, min(Int64(most), bytes - offset))) }

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceError) -> Int {
        let count = available(at: offset, most: buffer.count)
        if count == 0 { return 0 }
        do throws(PosixError) {
            return try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
        } catch { throw SourceError(PosixError(code: error.code, operation: "read " + name)) }
    }
}
