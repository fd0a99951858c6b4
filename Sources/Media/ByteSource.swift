// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// The bytes of a recording. Calls block as long as a disk or a network does: feed and worker threads only.
public protocol ByteSource: AnyObject {
    /// The total; nil if it is unknown, or if the last bytes cannot be read yet.
    var byteCount: Int64? { get }
    /// Any offset can be read at any time; otherwise each read must go on where the last one ended.
    var isSeekable: Bool { get }
    /// The number of bytes from an offset on that can be read without waiting for a network: 0 at the end, and nil where none are there yet
    /// but some will be. For a file no more than `most`.
    func readyBytes(at offset: Int64, most: Int) -> Int?
    /// The number of bytes from an offset on that a read would give, at most `most`; as `readyBytes`, but be it one byte, and nothing is
    /// waited for.
    func available(at offset: Int64, most: Int) -> Int
    /// Fills the buffer from an offset; returns fewer bytes at the end only. No more may be asked for than are ready: throws
    /// `SourceError.notThereYet` otherwise.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceError) -> Int
}

extension ByteSource {
    /// The bytes from an offset on, `count` of them or fewer at the end.
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

/// Why bytes could not be read.
public struct SourceError: Error {
    /// The failed call, with the name of the source.
    public let cause: PosixError
    /// The same may go well later: a disk that was pulled out, a server that is away.
    public let mayPass: Bool

    public init(_ cause: PosixError, mayPass: Bool = true) {
        self.cause = cause
        self.mayPass = mayPass
    }
}

extension SourceError {
    /// Bytes that a network has yet to bring. The same can be asked again later.
    public static func notThereYet(_ name: String) -> SourceError {
        SourceError(PosixError(code: EAGAIN, operation: "read " + name))
    }

    public var isNotThereYet: Bool { cause.code == EAGAIN }

    /// The caller gave up.
    static var givenUp: SourceError { SourceError(PosixError(code: ECANCELED, operation: "go on")) }
}

/// A file on a disk, or in an archive there (`ArchivePath`). One thread.
public final class FileSource: ByteSource {
    private let path: String
    /// The archive's, for what is in one.
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

    /// - Parameter place: gets the place in the archive that was opened; nil where there is none.
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
