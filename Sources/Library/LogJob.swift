// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import SQLite
import Synchronization

/// The worker's access to the disk. Any thread; each call blocks for as long as the disk takes, and returns why the disk refused.
protocol LogDisk: AnyObject, Sendable {
    /// Returns a change of the database file behind SQLite's back.
    func loss() -> LogJob.Loss?
    /// Of one of the files, for as long as this lives; -1 for none.
    func descriptor(of kind: DeferredFile.Kind) -> Int32
    func write(_ writes: PendingWrites, to kind: DeferredFile.Kind) -> String?
    func syncDatabase() -> String?
    func syncLog() -> String?
    /// Makes the log count for nothing, for good.
    func endLog() -> String?
}

/// The files of a database.
///
/// Both are opened once and stay so: closing any descriptor of the database file would take SQLite's lock away, and a job that is late must
/// not write into files that have taken the names of these.
final class LogFiles: LogDisk {
    let path: String
    private let descriptor: Int32
    private let logDescriptor: Int32
    private let device: UInt64
    private let inode: UInt64

    /// - Parameter path: the database file.
    init?(path: String) {
        self.path = path
        descriptor = path.withPath { ns_open($0, O_RDWR | O_CLOEXEC, 0) }
        logDescriptor = (path + "-wal").withPath { ns_open($0, O_RDWR | O_CLOEXEC, 0) }
        var status = stat()
        guard descriptor >= 0, logDescriptor >= 0, fstat(descriptor, &status) == 0 else {
            if descriptor >= 0 { CPosix.close(descriptor) }
            if logDescriptor >= 0 { CPosix.close(logDescriptor) }
            return nil
        }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    deinit {
        CPosix.close(descriptor)
        CPosix.close(logDescriptor)
    }

    func descriptor(of kind: DeferredFile.Kind) -> Int32 { kind == .database ? descriptor : logDescriptor }

    func loss() -> LogJob.Loss? {
        var status = stat()
        if fstat(descriptor, &status) == 0 && status.st_size < 512 { return .emptied }
        if path.withCString({ stat($0, &status) }) < 0 { return ns_errno() == ENOENT ? .removed : nil }
        return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode ? nil : .removed
    }

    func syncDatabase() -> String? { LogFiles.sync(descriptor, path) }

    func write(_ writes: PendingWrites, to kind: DeferredFile.Kind) -> String? {
        let (descriptor, name) = kind == .database ? (descriptor, path) : (logDescriptor, logName)
        if let end = writes.end, ftruncate(descriptor, off_t(end)) < 0 {
            return PosixError.last("write \(name)").message
        }
        for stretch in writes.stretches {
            let isWritten = stretch.bytes.withUnsafeBytes { bytes in
                var done = 0
                while done < bytes.count {
                    let written = pwrite(
                        descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(stretch.offset) + off_t(done))
                    if written < 0 && ns_errno() == EINTR { continue }
                    if written <= 0 { return false }
                    done += written
                }
                return true
            }
            if !isWritten { return PosixError.last("write \(name)").message }
        }
        return nil
    }

    func syncLog() -> String? { LogFiles.sync(logDescriptor, logName) }

    func endLog() -> String? {
        if lseek(logDescriptor, 0, SEEK_END) == 0 { return nil }  // nothing that could count
        let header = [UInt8](repeating: 0, count: 32)
        if pwrite(logDescriptor, header, header.count, 0) != header.count {
            return PosixError.last("write \(logName)").message
        }
        return syncLog()
    }

    private var logName: String { path + "-wal" }

    /// Waits until the disk has what was written to a file. Returns why it has not taken it.
    private static func sync(_ descriptor: Int32, _ name: String) -> String? {
        if fdatasync(descriptor) < 0 { return PosixError.last("write \(name)").message }
        // ext4 takes writes to an open file, and says that it has synced them, after it has become read-only.
        var fileSystem = statvfs()
        if fstatvfs(descriptor, &fileSystem) == 0 && fileSystem.f_flag & UInt(ST_RDONLY) != 0 {
            return PosixError(code: EROFS, operation: "write \(name)").message
        }
        return nil
    }
}

/// Something that has to wait for the disk: made on the control thread, run by a worker, and given back to `Library.finish`.
public final class LogJob: @unchecked Sendable {
    enum Work: Equatable {
        /// The log gets all that was committed, and the disk the log; `foldsIn` tells what for.
        case syncLog(foldsIn: Bool)
        /// The database file gets what the log had, the disk gets it, and the log is made to count for nothing.
        case settle
    }

    /// The database file is not what SQLite has open.
    enum Loss {
        /// It, or its folder, was removed or replaced. SQLite's open file is still whole.
        case removed
        case emptied
    }

    let work: Work
    let commits: Int
    private let writes: PendingWrites
    private let disk: any LogDisk
    private let isCancelled = Atomic(false)
    private let isRunning = Atomic(false)
    /// Control thread, after `run`: why the disk refused.
    private(set) var failure: String?
    private(set) var loss: Loss?
    /// False if no worker took it.
    private(set) var hasRun = false

    init(_ disk: any LogDisk, _ work: Work, _ writes: PendingWrites, commits: Int) {
        self.disk = disk
        self.work = work
        self.writes = writes
        self.commits = commits
    }

    /// Waits for the disk. Worker.
    public func run() {
        isRunning.store(true, ordering: .sequentiallyConsistent)
        defer { isRunning.store(false, ordering: .sequentiallyConsistent) }
        if isCancelled.load(ordering: .sequentiallyConsistent) { return }
        hasRun = true
        loss = disk.loss()
        if loss != nil { return }
        switch work {
        case .syncLog: failure = disk.write(writes, to: .log) ?? disk.syncLog()
        case .settle:
            failure = disk.write(writes, to: .database) ?? disk.syncDatabase()
            if failure == nil && !isCancelled.load(ordering: .acquiring) { failure = disk.endLog() }
        }
    }

    /// It does nothing any more once this returns; a running step is waited for. Control thread.
    func cancel() {
        isCancelled.store(true, ordering: .sequentiallyConsistent)
        while isRunning.load(ordering: .sequentiallyConsistent) { usleep(1000) }
    }
}
