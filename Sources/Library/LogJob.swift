// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import SQLite
import Synchronization

/// The worker's access to the disk. Any thread. Each call blocks for as long as the disk takes, and returns the reason of a refusal.
protocol LogDisk: AnyObject, Sendable {
    /// Returns a change of the database file behind SQLite's back.
    func loss() -> LogJob.Loss?
    /// Returns the descriptor of one of the files, valid as long as this lives; -1 for none.
    func descriptor(of kind: DeferredFile.Kind) -> Int32
    func write(_ writes: PendingWrites, to kind: DeferredFile.Kind) -> String?
    func syncDatabase() -> String?
    func syncLog() -> String?
    /// Makes the log void, for good.
    func endLog() -> String?
}

/// The database file and its log.
///
/// Both are opened once and stay open. Closing any descriptor of the database file would take SQLite's lock away. A late job must not write
/// into files that have taken the names of these.
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

    /// Waits until the disk has the writes to a file. Returns the reason of a refusal.
    private static func sync(_ descriptor: Int32, _ name: String) -> String? {
        if fdatasync(descriptor) < 0 { return PosixError.last("write \(name)").message }
        // ext4 accepts writes to an open file, and reports their sync as done, after it has become read-only.
        var fileSystem = statvfs()
        if fstatvfs(descriptor, &fileSystem) == 0 && fileSystem.f_flag & UInt(ST_RDONLY) != 0 {
            return PosixError(code: EROFS, operation: "write \(name)").message
        }
        return nil
    }
}

/// A piece of work that has to wait for the disk: made on the control thread, run by a worker, and given back to `Library.finish`.
public final class LogJob: @unchecked Sendable {
    enum Work: Equatable {
        /// Writes all commits to the log, and syncs it. `foldsIn` is true if a checkpoint follows.
        case syncLog(foldsIn: Bool)
        /// Writes the log's pages to the database file, syncs it, and makes the log void.
        case settle
    }

    /// A change by which the database file is no longer what SQLite has open.
    enum Loss {
        /// The file or its folder was removed or replaced. SQLite's open file is still whole.
        case removed
        case emptied
    }

    let work: Work
    let commits: Int
    private let writes: PendingWrites
    private let disk: any LogDisk
    private let isCancelled = Atomic(false)
    private let isRunning = Atomic(false)
    /// The reason of the disk's refusal. Control thread, after `run`.
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

    /// Does the job and waits for the disk. Worker.
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

    /// Makes the job do nothing once this returns; waits for a running step. Control thread.
    func cancel() {
        isCancelled.store(true, ordering: .sequentiallyConsistent)
        while isRunning.load(ordering: .sequentiallyConsistent) { usleep(1000) }
    }
}
