// SPDX-License-Identifier: Apache-2.0
import Posix

/// Network addresses as text. Nothing here looks up names.
public enum StreamAddress {
    public static let mostBytes = 2048

    /// Returns whether a text is an address: `http://` or `https://`, ignoring case, and something behind it.
    public static func isOne(_ text: String) -> Bool { schemeBytes(text) != nil }

    private static func schemeBytes(_ text: String) -> Int? {
        for scheme: StaticString in ["https://", "http://"] {
            let count = scheme.utf8CodeUnitCount
            var isSame = text.utf8.count > count
            for (byte, wanted) in zip(text.utf8, UnsafeBufferPointer(start: scheme.utf8Start, count: count)) {
                isSame = isSame && byte.lowerCase == wanted
                if !isSame { break }
            }
            if isSame { return count }
        }
        return nil
    }

    /// Returns the reason why an address cannot be requested; nil if it can.
    public static func problem(_ text: String) -> String? {
        if !isOne(text) { return "no address of http or https" }
        if text.utf8.count > mostBytes { return "an address of more than \(mostBytes) bytes" }
        if text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
            return "a space or control character in an address"
        }
        return nil
    }

    /// Returns an address for messages: without user, password, and the part behind the path, which often contains keys.
    public static func shown(_ text: String) -> String {
        guard let start = schemeBytes(text) else { return "address" }
        var bytes = Array(text.utf8)
        if let end = bytes.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
            bytes.removeLast(bytes.count - end)
        }
        let host = bytes[start...].prefix { $0 != UInt8(ascii: "/") }
        if let at = host.lastIndex(of: UInt8(ascii: "@")) { bytes.removeSubrange(start...at) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the host, for messages.
    public static func host(_ text: String) -> String {
        let shown = shown(text)
        guard let start = schemeBytes(shown) else { return shown }
        return String(Substring(shown.utf8.dropFirst(start).prefix { $0 != UInt8(ascii: "/") }))
    }

    /// Returns scheme, host and port, in small letters and always with the port: accounts belong to this unit. nil if the text is no
    /// address.
    public static func origin(_ text: String) -> String? {
        guard let start = schemeBytes(text), problem(text) == nil else { return nil }
        let isSafe = start == 8
        let host = hostBytes(text)
        guard !host.isEmpty else { return nil }
        let port = portPlace(host)
        let name = host[..<(port ?? host.endIndex)]
        let digits = port.map { host[($0 + 1)...] } ?? []
        return (isSafe ? "https://" : "http://") + String(decoding: name, as: UTF8.self) + ":"
            + (digits.isEmpty ? isSafe ? "443" : "80" : String(decoding: digits, as: UTF8.self))
    }

    /// Returns whether two addresses have the same host; the ports may differ.
    public static func isSameHost(_ one: String, _ other: String) -> Bool {
        let (one, other) = (hostBytes(one), hostBytes(other))
        return !one.isEmpty
            && one[..<(portPlace(one) ?? one.endIndex)].elementsEqual(other[..<(portPlace(other) ?? other.endIndex)])
    }

    /// Returns host and port, in small letters.
    private static func hostBytes(_ text: String) -> [UInt8] {
        schemeBytes(text) == nil ? [] : host(text).utf8.map { $0.lowerCase }
    }

    /// Returns the place of the colon before a port, skipping those within an IPv6 address.
    private static func portPlace(_ host: [UInt8]) -> Int? {
        guard let colon = host.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        return host[colon...].contains(UInt8(ascii: "]")) ? nil : colon
    }
}
