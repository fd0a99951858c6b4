import CPosix
import Posix
import Synchronization

/// What the worker waits for. Any thread; each call blocks for as long as the disk takes, and returns why the disk refused.
protocol LogDisk: AnyObject, Sendable {
    /// What has become of the database file behind SQLite's back.
    func loss() -> LogJob.Loss?
    func syncDatabase() -> String?
    func syncLog() -> String?
    /// Makes the log count for nothing, for good.
    func endLog() -> String?
}

/// The files of a database.
///
/// The database file is opened once and stays so, since closing any descriptor of it would take SQLite's lock away. SQLite's locks are
/// not on the log, so that is opened anew each time.
final class LogFiles: LogDisk {
    let path: String
    private let descriptor: Int32
    private let device: UInt64
    private let inode: UInt64

    /// - Parameter path: the database file.
    init?(path: String) {
        self.path = path
        descriptor = path.withPath { ns_open($0, O_RDONLY | O_CLOEXEC, 0) }
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            if descriptor >= 0 { CPosix.close(descriptor) }
            return nil
        }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    deinit { CPosix.close(descriptor) }

    func loss() -> LogJob.Loss? {
        var status = stat()
        if fstat(descriptor, &status) == 0 && status.st_size < 512 { return .emptied }
        if path.withCString({ stat($0, &status) }) < 0 { return ns_errno() == ENOENT ? .removed : nil }
        return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode ? nil : .removed
    }

    func syncDatabase() -> String? { LogFiles.sync(descriptor, path) }

    func syncLog() -> String? { log(O_RDONLY) { descriptor, name in LogFiles.sync(descriptor, name) } }

    func endLog() -> String? {
        log(O_WRONLY) { descriptor, name in
            if lseek(descriptor, 0, SEEK_END) == 0 { return nil }  // nothing that could count
            let header = [UInt8](repeating: 0, count: 32)
            if pwrite(descriptor, header, header.count, 0) != header.count {
                return PosixError.last("write \(name)").message
            }
            return LogFiles.sync(descriptor, name)
        }
    }

    private func log(_ flags: Int32, _ body: (Int32, String) -> String?) -> String? {
        let name = path + "-wal"
        do throws(PosixError) {
            let file = try FileDescriptor.open(name, flags)
            return body(file.number, name)
        } catch { return error.code == ENOENT ? nil : error.message }  // `loss` tells
    }

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
        /// The disk gets all that was committed; `foldsIn` tells what for.
        case syncLog(foldsIn: Bool)
        /// The disk gets the database file, and the log that is in it is made to count for nothing.
        case settle
    }

    /// The database file is not what SQLite has open.
    enum Loss {
        /// It, or its folder, was removed or replaced. What SQLite has open is still whole.
        case removed
        case emptied
    }

    let work: Work
    let commits: Int
    private let disk: any LogDisk
    private let isCancelled = Atomic(false)
    /// Control thread, after `run`: why the disk refused.
    private(set) var failure: String?
    private(set) var loss: Loss?
    /// False if no worker took it.
    private(set) var hasRun = false

    init(_ disk: any LogDisk, _ work: Work, commits: Int) {
        self.disk = disk
        self.work = work
        self.commits = commits
    }

    /// Waits for the disk. Worker.
    public func run() {
        if isCancelled.load(ordering: .acquiring) { return }
        hasRun = true
        loss = disk.loss()
        if loss != nil { return }
        switch work {
        case .syncLog: failure = disk.syncLog()
        case .settle:
            failure = disk.syncDatabase()
            if failure == nil && !isCancelled.load(ordering: .acquiring) { failure = disk.endLog() }
        }
    }

    func cancel() { isCancelled.store(true, ordering: .releasing) }
}
