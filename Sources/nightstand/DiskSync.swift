import CPosix
import Posix

/// Waits until the disk has what was written to a file. Feed thread.
enum DiskSync {
    /// Returns why the disk has not taken it; nil where it has.
    static func sync(_ path: String) -> String? {
        do throws(PosixError) {
            let file = try FileDescriptor.open(path, O_RDONLY)
            if fdatasync(file.number) < 0 { return PosixError.last("write \(path)").message }
            // ext4 takes writes to an open file, and says that it has synced them, after it has become read-only.
            var fileSystem = statvfs()
            if fstatvfs(file.number, &fileSystem) == 0 && fileSystem.f_flag & UInt(ST_RDONLY) != 0 {
                return PosixError(code: EROFS, operation: "write \(path)").message
            }
            return nil
        } catch { return error.code == ENOENT ? nil : error.message }  // it is just being replaced
    }
}
