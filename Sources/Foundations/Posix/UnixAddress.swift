// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The address of a Unix socket, see unix(7).
public enum UnixAddress {
    /// Calls `call` with the address of `path`. A path that begins with "@" is abstract, outside the file system. Throws `ENAMETOOLONG`
    /// from 108 bytes on.
    public static func with(
        _ path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(PosixError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        var bytes = path.pathBytes
        if bytes.isEmpty { throw PosixError(code: ENOENT, operation: "socket: no path given") }
        // The NUL at the end needs one byte.
        if bytes.count >= room {
            throw PosixError(code: ENAMETOOLONG, operation: "socket \(path): at most \(room - 1) bytes")
        }
        var length = MemoryLayout<sockaddr_un>.size
        if bytes[0] == UInt8(ascii: "@") {
            // The length limits an abstract name, which may contain zeros.
            bytes[0] = 0
            length = length - room + bytes.count
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(length)) }
        }
    }
}
