// SPDX-License-Identifier: Apache-2.0
import CZlib
import Posix

/// Inflates a deflate stream from its start: a zlib state of about 40 KB. One thread.
public final class Inflater {
    private let functions: ns_zlib
    /// The stream, at a constant address, since zlib keeps it.
    private let stream: UnsafeMutablePointer<ns_zlib_stream>

    /// The result of a call.
    public enum Outcome: Sendable {
        /// It needs more bytes, or more room.
        case goesOn
        case isOver
        case isBroken
    }

    /// Loads the library if needed.
    public init() throws(MissingLibrary) {
        let missing = MissingLibrary(name: "zlib", package: "zlib1g")
        let library = try SharedLibrary.open([NS_ZLIB_LIBRARY], else: missing)
        var functions = ns_zlib()
        guard ns_zlib_find(library, &functions) else { throw missing }
        self.functions = functions
        stream = UnsafeMutablePointer<ns_zlib_stream>.allocate(capacity: 1)
        stream.initialize(to: ns_zlib_stream())
        if Int(ns_zlib_begin(&functions, stream)) != NS_ZLIB_OK { stream.pointee.state = nil }
    }

    private init(_ functions: ns_zlib, _ stream: UnsafeMutablePointer<ns_zlib_stream>) {
        self.functions = functions
        self.stream = stream
    }

    deinit {
        if stream.pointee.state != nil { _ = functions.inflateEnd(stream) }
        stream.deallocate()
    }

    /// Returns a copy that continues from here; nil if there is no memory.
    public func copy() -> Inflater? {
        let other = UnsafeMutablePointer<ns_zlib_stream>.allocate(capacity: 1)
        other.initialize(to: ns_zlib_stream())
        if stream.pointee.state == nil || Int(functions.inflateCopy(other, stream)) != NS_ZLIB_OK {
            other.deallocate()
            return nil
        }
        return Inflater(functions, other)
    }

    /// Continues.
    /// - Returns: the numbers of consumed and produced bytes.
    public func inflate(
        _ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) -> (taken: Int, made: Int, outcome: Outcome) {
        if stream.pointee.state == nil { return (0, 0, .isBroken) }
        stream.pointee.next_in = bytes.baseAddress
        stream.pointee.avail_in = UInt32(clamping: bytes.count)
        stream.pointee.next_out = room.baseAddress
        stream.pointee.avail_out = UInt32(clamping: room.count)
        let code = Int(functions.inflate(stream, 0))
        let taken = bytes.count - Int(stream.pointee.avail_in)
        let made = room.count - Int(stream.pointee.avail_out)
        switch code {
        case NS_ZLIB_OK, NS_ZLIB_BUF_ERROR: return (taken, made, .goesOn)
        case NS_ZLIB_STREAM_END: return (taken, made, .isOver)
        default: return (taken, made, .isBroken)
        }
    }
}
