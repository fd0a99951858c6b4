// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Sockets at a file system path.
public enum UnixSocket {
    public enum Kind {
        case stream
        /// Packets that keep their boundaries and order.
        case packets
    }

    /// Connects a non-blocking socket. Throws `ECONNREFUSED` or `ENOENT` if no process listens, `EAGAIN` if one does and its queue is full.
    public static func connect(_ path: String, _ kind: Kind = .stream) throws(PosixError) -> FileDescriptor {
        let socket = try make(path, kind)
        let result = try UnixAddress.with(path) { CPosix.connect(socket.number, $0, $1) }
        if result < 0 { throw .last("connect to \(path)") }
        return socket
    }

    /// Listens at `path`, and makes a missing folder. Removes a socket left by a crash, but only one without a listener; otherwise throws
    /// `EADDRINUSE`. Owner and group may connect.
    public static func listen(_ path: String, _ kind: Kind = .stream) throws(PosixError) -> FileDescriptor {
        let socket = try make(path, kind)
        try Files.createFolder(path.pathFolder)
        try removeStale(path, kind)
        var result = try UnixAddress.with(path) { bind(socket.number, $0, $1) }
        if result < 0 { throw .last("make socket \(path)") }
        // Set the mode before listen: no client can connect earlier, so the umask does no harm.
        result = path.withPath { chmod($0, 0o660) }
        if result == 0 { result = CPosix.listen(socket.number, 64) }
        if result < 0 { throw .last("listen at \(path)") }
        return socket
    }

    /// Returns the user of the connected process; nil if the kernel does not report it.
    public static func user(ofPeer number: Int32) -> UInt32? { UInt32(exactly: ns_peer_user(number)) }

    private static func make(_ path: String, _ kind: Kind) throws(PosixError) -> FileDescriptor {
        let kind = kind == .stream ? SOCK_STREAM.rawValue : SOCK_SEQPACKET.rawValue
        let type = Int32(kind | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = socket(AF_UNIX, type, 0)
        if number < 0 { throw .last("make socket \(path)") }
        return FileDescriptor(owning: number)
    }

    private static func removeStale(_ path: String, _ kind: Kind) throws(PosixError) {
        var status = stat()
        if path.withPath({ lstat($0, &status) }) < 0 { return }
        guard status.st_mode & mode_t(S_IFMT) == mode_t(S_IFSOCK) else {
            throw PosixError(code: EEXIST, operation: "make socket \(path): not a socket, and not removed")
        }
        do throws(PosixError) {
            _ = try connect(path, kind)
        } catch {
            if error.code == ECONNREFUSED {
                if path.withPath({ unlink($0) }) < 0 && ns_errno() != ENOENT {
                    throw .last("remove old socket \(path)")
                }
                return
            }
            if error.code == ENOENT { return }
            if error.code != EAGAIN { throw error }
        }
        throw PosixError(code: EADDRINUSE, operation: "make socket \(path): another process answers there")
    }
}
