// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// Stream sockets for the network.
enum InternetSocket {
    /// Listens at the address, even if the machine does not have it yet: at a board's start there is no network.
    static func listen(_ address: InternetAddress) throws(PosixError) -> FileDescriptor {
        var family = address.family
        var number = make(family)
        if number < 0 && address.bytes.isEmpty {
            family = AF_INET
            number = make(family)
        }
        if number < 0 {
            let failure = PosixError.last("listen at \(address.text)")
            // The errors of a service's sandbox.
            guard failure.code == EAFNOSUPPORT || failure.code == EPERM || failure.code == EACCES else { throw failure }
            throw PosixError(
                code: failure.code, operation: failure.operation,
                explanation: "this process may use no network; as a service it needs none: "
                    + "sudo systemctl enable nightstand-remote.socket && sudo systemctl restart nightstand")
        }
        let socket = FileDescriptor(owning: number)
        ns_set_option(number, SOL_SOCKET, SO_REUSEADDR, 1)
        ns_set_option(number, Int32(IPPROTO_IP), IP_FREEBIND, 1)
        if family == AF_INET6 {
            // The address for all interfaces takes IPv4 clients too, as the kernel does by default, independent of this machine's setting.
            let isForAll = address.bytes.allSatisfy { $0 == 0 }
            ns_set_option(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, isForAll ? 0 : 1)
        }
        var result = try address.with(family: family) { bind(number, $0, $1) }
        if result == 0 { result = CPosix.listen(number, 64) }
        if result < 0 { throw .last("listen at \(address.text)") }
        return socket
    }

    private static func make(_ family: Int32) -> Int32 {
        socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    }
}
