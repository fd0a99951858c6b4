// SPDX-License-Identifier: Apache-2.0
import CPosix

extension FileDescriptor {
    /// Opens a file from outside for reading. A FIFO without a writer, or a device, may have a name ending in .mp3 and would block the
    /// caller forever. So it opens only regular files, and never blocks.
    public static func openRegularFile(_ path: String) throws(PosixError) -> FileDescriptor {
        // Check the kind first: opening a device may have effects, and a socket fails with a misleading errno.
        do throws(PosixError) { try FileStatus(path: path).requireRegularFile(path) } catch {
            throw error.code == ENOENT ? PosixError(code: ENOENT, operation: "open \(path)") : error
        }
        let file = try open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        // Check again: the name may stand for another file by now.
        try file.status().requireRegularFile(path)
        return file
    }
}

extension FileStatus {
    /// Throws `EISDIR` for a folder and `EINVAL` for anything else that is not a regular file.
    public func requireRegularFile(_ path: String) throws(PosixError) {
        if isRegularFile { return }
        let kind =
            switch self.kind {
            case .folder: "is a folder, expected a file"
            case .fifo: "is a FIFO, expected a file"
            case .socket: "is a socket, expected a file"
            case .device: "is a device, expected a file"
            case .regular, .other: "is not a file"
            }
        throw PosixError(code: isDirectory ? EISDIR : EINVAL, operation: "open \(path)", explanation: kind)
    }
}
