// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The reason why a library cannot decode its input.
public enum DecoderError: Error {
    case missing(MissingLibrary)
    /// Reading failed; the input knows the error.
    case unreadable
    case damaged
}

/// The input of C libraries, for their callbacks read, seek and tell. It reads ahead, since some of them request little at a time. A
/// subclass supplies them. One thread at a time.
open class ByteInput {
    private static let aheadBytes = 16 * 1024

    /// The total; `.max` if it is unknown.
    public let byteCount: Int64
    /// The position of the next byte.
    public private(set) var position: Int64 = 0
    /// True if it can be read from any position.
    public let isSeekable: Bool
    /// True if the last read failed, which libraries see as an end only.
    public private(set) var hasFailed = false
    private let ahead = UnsafeMutableRawBufferPointer.allocate(byteCount: ByteInput.aheadBytes, alignment: 16)
    private var aheadStart: Int64 = 0
    private var aheadCount = 0

    public init(byteCount: Int64, isSeekable: Bool) {
        self.byteCount = byteCount
        self.isSeekable = isSeekable
    }

    deinit { ahead.deallocate() }

    /// Returns the number of bytes that a read at an offset would give, at most `most`.
    open func available(at offset: Int64, most: Int) -> Int { most }
    /// Fills the buffer from an offset. Returns the number of bytes, below 0 after an error.
    open func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int { -1 }

    /// Reads bytes. Returns fewer than requested only at the end, below 0 after an error.
    public func read(_ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        guard let bytes else { return 0 }
        var done = 0
        hasFailed = false
        while done < count {
            let from = position - aheadStart
            if from >= 0, from < Int64(aheadCount) {
                let part = min(count - done, aheadCount - Int(from))
                (bytes + done).copyMemory(from: ahead.baseAddress! + Int(from), byteCount: part)
                done += part
                position += Int64(part)
                continue
            }
            var wanted = Int(clamping: max(0, min(Int64(ahead.count), byteCount - position)))
            if wanted == 0 { break }
            let there = available(at: position, most: wanted)
            // Return the available bytes first; report the error only without any.
            if there == 0 && done > 0 { return done }
            wanted = max(1, min(there, wanted))
            aheadStart = position
            let got = fill(UnsafeMutableRawBufferPointer(rebasing: ahead[..<wanted]), at: position)
            aheadCount = max(0, got)
            Interlude.run()
            if aheadCount < wanted {
                hasFailed = got < 0 || byteCount != .max
                if aheadCount == 0 { return done > 0 || !hasFailed ? done : -1 }
            }
        }
        return done
    }

    /// Seeks as C's `fseek`: from the start, the present position or the end.
    public func seek(_ offset: Int64, _ whence: Int32) -> Int32 {
        seek(to: (whence == SEEK_SET ? 0 : whence == SEEK_END ? byteCount : position) &+ offset) ? 0 : -1
    }

    /// The error of a library's failed call.
    public var error: DecoderError { hasFailed ? .unreadable : .damaged }

    /// - Returns: false for a position outside the input.
    public func seek(to offset: Int64) -> Bool {
        guard isSeekable, offset >= 0, offset <= byteCount else { return false }
        position = offset
        return true
    }
}
