// SPDX-License-Identifier: Apache-2.0
/// The address of a podcast's feed, as people and programs write it.
public enum FeedAddress {
    private static let schemes: [StaticString] = ["feed:", "pcast:", "itpc:", "podcast:", "rss:"]

    /// Returns an address of http or https; nil if it cannot be a feed's.
    ///
    /// Schemes of podcast programs (`feed://`, `feed:https://`, `pcast://`) mean https, and so does a missing one: `host/path`.
    public static func read(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        if isWeb(bytes[...]) { return text }
        for scheme in schemes where starts(bytes[...], with: scheme) {
            var rest = bytes.dropFirst(scheme.utf8CodeUnitCount)
            if rest.starts(with: "//".utf8) { rest = rest.dropFirst(2) }
            if isWeb(rest) { return String(decoding: rest, as: UTF8.self) }
            return isHost(rest) ? "https://" + String(decoding: rest, as: UTF8.self) : nil
        }
        return bytes.contains(UInt8(ascii: "/")) && isHost(bytes[...]) ? "https://" + text : nil
    }

    private static func isWeb(_ bytes: ArraySlice<UInt8>) -> Bool {
        starts(bytes, with: "http://") || starts(bytes, with: "https://")
    }

    private static func starts(_ bytes: ArraySlice<UInt8>, with other: StaticString) -> Bool {
        other.withUTF8Buffer { other in
            bytes.count > other.count && zip(bytes, other).allSatisfy { $0.lowerCase == $1 }
        }
    }

    /// Returns true if the bytes begin with a host name: letters, digits, "-", at least one ".", and perhaps a port. A single word or a
    /// path does not count.
    private static func isHost(_ bytes: ArraySlice<UInt8>) -> Bool {
        let host = bytes.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let name = host.prefix { $0 != UInt8(ascii: ":") }
        let isNamed = name.allSatisfy {
            $0 >= 0x80 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
                || $0 >= 0x30 && $0 <= 0x39 || $0.lowerCase >= 0x61 && $0.lowerCase <= 0x7A
        }
        let isPort = host.dropFirst(name.count + 1).allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        return isNamed && isPort && name.first != UInt8(ascii: ".") && name.dropFirst().contains(UInt8(ascii: "."))
    }
}
