// SPDX-License-Identifier: Apache-2.0
import CPosix

/// An open file descriptor, closed when its owner lets go of it.
public struct FileDescriptor: ~Copyable {
    /// The kernel's number for it, for calls that need it; valid as long as this value lives.
    public let number: Int32

    /// Takes ownership of an open descriptor.
    public init(owning number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// open(2). `O_CLOEXEC` is always added. Throws what open(2) throws.
    public static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o644) throws(PosixError) -> FileDescriptor {
        let number = path.withPath { ns_open($0, flags | O_CLOEXEC, mode) }
        if number < 0 { throw .last("open \(path)") }
        return FileDescriptor(owning: number)
    }

    /// Reads by read(2), repeated after a signal. Returns 0 at the end of the file; throws `EAGAIN` on a non-blocking descriptor with
    /// nothing to read.
    public borrowing func read(into buffer: UnsafeMutableRawBufferPointer) throws(PosixError) -> Int {
        while true {
            let count = CPosix.read(number, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            if ns_errno() != EINTR { throw .last("read") }
        }
    }

    /// Reads by pread(2), repeated after a signal and after short reads. Returns fewer bytes than asked at the end of the file only.
    public borrowing func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(PosixError) -> Int {
        var done = 0
        while done < buffer.count {
            let count = pread(number, buffer.baseAddress! + done, buffer.count - done, off_t(offset) + off_t(done))
            if count == 0 { break }
            if count < 0 {
                if ns_errno() == EINTR { continue }
                throw .last("read")
            }
            done += count
        }
        return done
    }

    /// Writes by write(2), repeated after a signal. May write less than requested.
    public borrowing func write(_ buffer: UnsafeRawBufferPointer) throws(PosixError) -> Int {
        while true {
            let count = CPosix.write(number, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            if ns_errno() != EINTR { throw .last("write") }
        }
    }

    /// Writes all bytes; for blocking descriptors.
    public borrowing func writeAll(_ buffer: UnsafeRawBufferPointer) throws(PosixError) {
        var done = 0
        while done < buffer.count {
            done += try write(UnsafeRawBufferPointer(rebasing: buffer[done...]))
        }
    }

    /// Writes all bytes of an array.
    public borrowing func writeAll(_ bytes: [UInt8]) throws(PosixError) {
        // The standard library's closures cannot have a typed throw here.
        var failure: PosixError?
        bytes.withUnsafeBytes { buffer in
            do throws(PosixError) { try writeAll(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Reads `count` bytes, from the present position or an offset; fewer at the end of the file.
    public borrowing func read(_ count: Int, at offset: Int64? = nil) throws(PosixError) -> [UInt8] {
        var failure: PosixError?
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { room, got in
            let room = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: room[..<max(0, count)]))
            do throws(PosixError) {
                got = if let offset { try read(into: room, at: offset) } else { try read(into: room) }
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    public borrowing func setNonBlocking() throws(PosixError) {
        if ns_set_nonblocking(number) < 0 { throw .last("set non-blocking") }
    }

    /// Returns the result of fstat(2).
    public borrowing func status() throws(PosixError) -> FileStatus {
        var raw = stat()
        if fstat(number, &raw) < 0 { throw .last("stat") }
        return FileStatus(raw)
    }
}

/// The facts of stat(2) that Nightstand uses.
public struct FileStatus {
    public enum Kind {
        case regular
        case folder
        case fifo
        case socket
        case device
        case other
    }

    public let bytes: Int64
    /// The last modification, in seconds since 1970.
    public let modifiedSeconds: Int64
    public let kind: Kind
    /// True if everybody may read the file.
    public let isReadableByAll: Bool
    public var isDirectory: Bool { kind == .folder }
    public var isRegularFile: Bool { kind == .regular }
    /// The kernel's numbers of the disk; the major number is 0 without a disk.
    private let diskMajor: UInt64
    private let diskMinor: UInt64
    /// Identifies a file or folder, across paths and links.
    public let identity: Identity

    public struct Identity: Hashable, Sendable {
        public let device: UInt64
        public let node: UInt64
    }

    init(_ raw: stat) {
        isReadableByAll = raw.st_mode & 0o004 != 0
        let disk = UInt64(raw.st_dev)
        identity = Identity(device: disk, node: UInt64(raw.st_ino))
        diskMajor = disk >> 8 & 0xFFF | disk >> 32 & ~0xFFF  // makedev(3)
        diskMinor = disk & 0xFF | disk >> 12 & ~0xFF
        bytes = Int64(raw.st_size)
        modifiedSeconds = Int64(raw.st_mtim.tv_sec)
        kind =
            switch raw.st_mode & mode_t(S_IFMT) {
            case mode_t(S_IFREG): .regular
            case mode_t(S_IFDIR): .folder
            case mode_t(S_IFIFO): .fifo
            case mode_t(S_IFSOCK): .socket
            case mode_t(S_IFCHR), mode_t(S_IFBLK): .device
            default: .other
            }
    }

    /// Calls stat(2), following links. A file in an archive has its archive's status.
    public init(path: String) throws(PosixError) {
        var raw = stat()
        if path.withPath({ stat($0, &raw) }) < 0 {
            guard ns_errno() == ENOTDIR, let archive = ArchivePath(path)?.archive else { throw .last("stat \(path)") }
            if archive.withPath({ stat($0, &raw) }) < 0 { throw .last("stat \(archive)") }
        }
        self.init(raw)
    }

    /// False if the disk was pulled out: the kernel's cached data stays until the unmount.
    public var isDiskThere: Bool { diskMajor == 0 || Files.exists("/sys/dev/block/\(diskMajor):\(diskMinor)") }
}
