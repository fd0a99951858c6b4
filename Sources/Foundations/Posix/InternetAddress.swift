// SPDX-License-Identifier: Apache-2.0
import CPosix

/// A numeric TCP address and port. Names would need a network query.
public struct InternetAddress: Equatable, Sendable {
    /// The address of 4 or 16 bytes in network order; empty for every address of the machine.
    public let bytes: [UInt8]
    public let port: UInt16
    /// The network interface of a link-local IPv6 address; "" for none.
    public let interface: String

    /// An IPv4 address mapped into IPv6 (::ffff:192.168.1.5), as dual-stack sockets report it, becomes the IPv4 address.
    public init(bytes: [UInt8], port: UInt16, interface: String = "") {
        let isMapped =
            bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
        self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
        self.port = port
        self.interface = interface
    }

    /// Reads `192.168.1.5:6600`, `[fe80::1%eth0]:6600`, `[::]:6600`, or a port alone, which means every address. Nil for anything else.
    public init?(parsing text: String) {
        let colon = text.utf8.lastIndex(of: UInt8(ascii: ":"))
        let portText = colon.map { String(text[text.utf8.index(after: $0)...]) } ?? text
        guard portText.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let port = UInt16(portText), port > 0 else {
            return nil
        }
        let host = colon.map { String(text[..<$0]) } ?? ""
        if host.isEmpty || host == "*" {
            self.init(bytes: [], port: port)
            return
        }
        let isBracketed = host.utf8.first == UInt8(ascii: "[") && host.utf8.last == UInt8(ascii: "]")
        if !isBracketed {
            guard let bytes = InternetAddress.numbers(host, family: AF_INET, count: 4) else { return nil }
            self.init(bytes: bytes, port: port)
            return
        }
        let parts = String(Substring(host.utf8.dropFirst().dropLast())).parts(between: "%", keepingEmpty: true)
        guard parts.count <= 2, parts.last != "",
            let bytes = InternetAddress.numbers(parts[0], family: AF_INET6, count: 16)
        else { return nil }
        self.init(bytes: bytes, port: port, interface: parts.count == 2 ? parts[1] : "")
    }

    private static func numbers(_ text: String, family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    /// The host, such as "192.168.1.5"; "*" for every address.
    public var host: String {
        if bytes.isEmpty { return "*" }
        var text = [CChar](repeating: 0, count: 64)
        var bytes = bytes
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, &bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            + (interface.isEmpty ? "" : "%" + interface)
    }

    /// The form "192.168.1.5:6600".
    public var text: String { (bytes.count == 16 ? "[" + host + "]" : host) + ":\(port)" }

    /// The family of its sockets. Every address means IPv6, which includes IPv4.
    public var family: Int32 { bytes.count == 4 ? AF_INET : AF_INET6 }

    /// Calls `call` with the address for socket calls. Throws `ENODEV` if there is no such interface.
    /// - Parameter family: the family for every address: IPv4 if the machine has no IPv6.
    public func with(
        family: Int32, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(PosixError) -> Int32 {
        if family == AF_INET {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
        if !interface.isEmpty {
            address.sin6_scope_id = if_nametoindex(interface)
            if address.sin6_scope_id == 0 { throw .last("network interface \(interface)") }
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
    }

    /// True if the board has a route to other networks. The kernel answers for two unused addresses (RFC 5737, RFC 3849); nothing is sent.
    public static var hasRoute: Bool {
        ["192.0.2.1:9", "[2001:db8::1]:9"].contains { text in
            guard let address = InternetAddress(parsing: text) else { return false }
            let number = socket(address.family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            if number < 0 { return false }
            defer { close(number) }
            return (try? address.with(family: address.family) { connect(number, $0, $1) }) == 0
        }
    }

    /// Reads the address of a peer or of a socket itself; nil if it is no internet address.
    public init?(_ storage: sockaddr_storage) {
        var storage = storage
        var bytes = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        switch ns_internet_address(&storage, &bytes, &port) {
        case AF_INET: self.init(bytes: Array(bytes.prefix(4)), port: port)
        case AF_INET6: self.init(bytes: bytes, port: port)
        default: return nil
        }
    }
}
