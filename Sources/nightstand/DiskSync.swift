import CPosix
import Posix

/// Waits until the disk has what was written to a file. Feed thread.
enum DiskSync {
    static func sync(_ path: String) {
        guard let file = try? FileDescriptor.open(path, O_RDONLY) else { return }
        _ = fdatasync(file.number)
    }
}
