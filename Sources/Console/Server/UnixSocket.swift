import CPosix
import Posix

/// Stream sockets at a path of the file system.
enum UnixSocket {
    /// Connects; non-blocking from then on. Throws `ECONNREFUSED` or `ENOENT` where nobody listens, `EAGAIN` where somebody
    /// does who is too busy to take us in now.
    static func connect(_ path: String) throws(PosixError) -> FileDescriptor {
        let socket = try make(path)
        let result = try UnixAddress.with(path) { CPosix.connect(socket.number, $0, $1) }
        if result < 0 { throw .last("connect to \(path)") }
        return socket
    }

    /// Listens at `path`, whose folder is made if it is missing. What an unclean end left there is removed, but only if it is
    /// a socket that nobody answers on; otherwise throws `EADDRINUSE`. Owner and group may connect.
    static func listen(_ path: String) throws(PosixError) -> FileDescriptor {
        let socket = try make(path)
        try Files.createFolder(path.pathFolder)
        try removeStale(path)
        var result = try UnixAddress.with(path) { bind(socket.number, $0, $1) }
        if result < 0 { throw .last("make socket \(path)") }
        // Before listen: until then nobody can connect, so the umask's guess does no harm.
        result = chmod(path, 0o660)
        if result == 0 { result = CPosix.listen(socket.number, 64) }
        if result < 0 { throw .last("listen at \(path)") }
        return socket
    }

    private static func make(_ path: String) throws(PosixError) -> FileDescriptor {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = socket(AF_UNIX, type, 0)
        if number < 0 { throw .last("make socket \(path)") }
        return FileDescriptor(owning: number)
    }

    private static func removeStale(_ path: String) throws(PosixError) {
        var status = stat()
        if lstat(path, &status) < 0 { return }
        guard status.st_mode & mode_t(S_IFMT) == mode_t(S_IFSOCK) else {
            throw PosixError(code: EEXIST, operation: "make socket \(path): not a socket, and not removed")
        }
        do throws(PosixError) {
            _ = try connect(path)
        } catch {
            if error.code == ECONNREFUSED {
                if unlink(path) < 0 && ns_errno() != ENOENT { throw .last("remove old socket \(path)") }
                return
            }
            if error.code == ENOENT { return }
            if error.code != EAGAIN { throw error }
        }
        throw PosixError(code: EADDRINUSE, operation: "make socket \(path): another speaker answers there")
    }
}
