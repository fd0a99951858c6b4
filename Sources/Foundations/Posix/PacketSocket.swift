import CPosix

/// Unix sockets of packets, at a path.
public enum PacketSocket {
    /// Listens; what an unclean end left there is removed. Owner and group may connect.
    /// - Returns: a descriptor that the caller owns.
    public static func listen(_ path: String) throws(PosixError) -> Int32 {
        try Files.createFolder(path.pathFolder)
        let socket = try make(path)
        if let other = try? make(path) {
            let result = try UnixAddress.with(path) { connect(other.number, $0, $1) }
            if result == 0 {
                throw PosixError(code: EADDRINUSE, operation: "make socket \(path): another answers there")
            }
            if ns_errno() == ECONNREFUSED { _ = path.withPath { unlink($0) } }
        }
        var result = try UnixAddress.with(path) { bind(socket.number, $0, $1) }
        if result < 0 { throw .last("make socket \(path)") }
        result = path.withPath { chmod($0, 0o660) }
        if result == 0 { result = CPosix.listen(socket.number, 16) }
        if result < 0 { throw .last("listen at \(path)") }
        let number = dup(socket.number)
        if number < 0 { throw .last("listen at \(path)") }
        ns_set_close_on_exec(number)
        return number
    }

    private static func make(_ path: String) throws(PosixError) -> FileDescriptor {
        let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = socket(AF_UNIX, type, 0)
        if number < 0 { throw .last("make socket \(path)") }
        return FileDescriptor(owning: number)
    }
}

extension InheritedSockets {
    /// The one socket of packets that a service manager has handed over; nil without one.
    public static func takePackets() -> Int32? {
        let isOurs = environmentVariable("LISTEN_PID") == String(getpid())
        let count = environmentVariable("LISTEN_FDS").flatMap { Int($0) } ?? 0
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        guard isOurs, count == 1 else { return nil }
        ns_set_close_on_exec(3)
        _ = ns_set_nonblocking(3)
        return 3
    }
}
