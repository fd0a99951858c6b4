import CPosix
import Posix

/// Waits until the disk has what was written to a file. Feed thread.
enum DiskSync {
    /// Returns why the disk has not taken it; nil where it has.
    static func sync(_ path: String) -> String? {
        do throws(PosixError) {
            let file = try FileDescriptor.open(path, O_RDONLY)
            return fdatasync(file.number) < 0 ? PosixError.last("write \(path)").message : nil
        } catch { return error.code == ENOENT ? nil : error.message }  // it is just being replaced
    }
}
