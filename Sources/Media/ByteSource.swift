// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// The bytes of a recording. Calls block as long as a disk or a network does: feed and worker threads only.
public protocol ByteSource: AnyObject {
    /// The total length; nil if it is unknown, or if the last bytes cannot be read yet.
    var byteCount: Int64? { get }
    /// True if any offset can be read at any time; otherwise each read must continue the one before.
    var isSeekable: Bool { get }
    /// Returns the number of bytes from an offset on that are readable without waiting for a network: 0 at the end, nil if none have
    /// arrived yet. For a file at most `most`.
    func readyBytes(at offset: Int64, most: Int) -> Int?
    /// Returns the number of bytes that a read from an offset would give, at most `most`. It counts even a single byte, and nothing is
    /// waited for.
    func available(at offset: Int64, most: Int) -> Int
    /// Fills the buffer from an offset. Returns fewer bytes only at the end. Throws `SourceError.notThereYet` if more bytes are requested
    /// than are ready.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceError) -> Int
}

extension ByteSource {
    /// Returns `count` bytes from an offset on, or fewer at the end.
    public func bytes(at offset: Int64, count: Int) throws(SourceError) -> [UInt8] {
        var failure: SourceError?
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, initializedCount in
            do throws(SourceError) {
                initializedCount = min(
                    buffer.count, max(0, try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)))
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }
}

/// The reason why bytes could not be read.
public struct SourceError: Error {
    /// The failed system call, with the name of the source.
    public let cause: PosixError
    /// True if the same read may succeed later: a disk was pulled out, a server is down.
    public let mayPass: Bool

    public init(_ cause: PosixError, mayPass: Bool = true) {
        self.cause = cause
        self.mayPass = mayPass
    }
}

extension SourceError {
    /// The bytes have not arrived from the network yet. The same read may succeed later.
    public static func notThereYet(_ name: String) -> SourceError {
        SourceError(PosixError(code: EAGAIN, operation: "read " + name))
    }

    public var isNotThereYet: Bool { cause.code == EAGAIN }

    /// The caller cancelled.
    static var givenUp: SourceError { SourceError(PosixError(code: ECANCELED, operation: "go on")) }
}

/// A file on a disk, or in an archive there (`ArchivePath`). One thread.
public final class FileSource: ByteSource {
    private let path: String
    /// The descriptor of the file, or of its archive.
    private let descriptor: FileDescriptor
    private let archived: ArchivedFile?
    public let byteCount: Int64?
    public var isSeekable: Bool { true }

    public func readyBytes(at offset: Int64, most: Int) -> Int? { most }
    public func available(at offset: Int64, most: Int) -> Int { most }

    public init(path: String) throws(SourceError) {
        self.path = path
        var place: ArchivePath?
        let bytesOnDisk: Int64
        do throws(PosixError) {
            descriptor = try FileSource.open(path, &place)
            bytesOnDisk = try descriptor.status().bytes
        } catch { throw SourceError(error) }
        if let place {
            let found = try ArchivedFile(place, in: descriptor)
            (archived, byteCount) = (found, found.bytes)
        } else {
            (archived, byteCount) = (nil, bytesOnDisk)
        }
    }

    /// - Parameter place: receives the place in the opened archive; nil without an archive.
    private static func open(_ path: String, _ place: inout ArchivePath?) throws(PosixError) -> FileDescriptor {
        do throws(PosixError) { return try FileDescriptor.openRegularFile(path) } catch {
            guard error.code == ENOTDIR, let found = ArchivePath(path) else { throw error }
            place = found
            return try FileDescriptor.openRegularFile(found.archive)
        }
    }

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceError) -> Int {
        if let archived { return try archived.read(into: buffer, at: offset, descriptor) }
        do throws(PosixError) { return try descriptor.read(into: buffer, at: offset) } catch {
            throw SourceError(PosixError(code: error.code, operation: "read \(path)"))
        }
    }
}
