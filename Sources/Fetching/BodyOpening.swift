// SPDX-License-Identifier: Apache-2.0
import Posix
import Streams

/// The first bytes of a body, which show its type under any name.
struct BodyOpening {
    /// The number of bytes that suffice.
    static let bytes = 16

    private let bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        self.bytes = bytes.dropFirst(isMarked ? 3 : 0).drop { $0 == 0x20 || $0 >= 0x09 && $0 <= 0x0D }
    }

    /// Returns whether the body starts with this text in small letters, ignoring case.
    private func begins(with word: StaticString) -> Bool {
        guard bytes.count >= word.utf8CodeUnitCount else { return false }
        for (byte, wanted) in zip(bytes, UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        where byte.lowerCase != wanted { return false }
        return true
    }

    var isPLS: Bool { begins(with: "[playlist]") }
    /// True for XSPF, or any other XML.
    var isXML: Bool { begins(with: "<?xml") || begins(with: "<playlist") }
    var isList: Bool { isPLS || isXML || begins(with: "#extm3u") }
    /// True for a list without a head.
    var isAddress: Bool { begins(with: "http://") || begins(with: "https://") }

    /// True if a byte cannot be part of a text.
    var isBinary: Bool { bytes.contains { $0 < 0x09 || $0 > 0x0D && $0 < 0x20 } || isSound }

    /// True for the beginnings of audio that could be text.
    private var isSound: Bool {
        if let first = bytes.first, first == 0xFF { return true }
        return begins(with: "id3") || begins(with: "oggs") || begins(with: "flac") || begins(with: "riff")
            || begins(with: "form")
    }

    /// Returns whether an address's path has this ending.
    static func isNamed(_ address: String, _ end: StaticString) -> Bool {
        let path = address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let count = end.utf8CodeUnitCount
        guard path.count > count else { return false }
        for (byte, wanted) in zip(path.suffix(count), UnsafeBufferPointer(start: end.utf8Start, count: count))
        where byte.lowerCase != wanted { return false }
        return true
    }

    /// Returns whether an address has the name of a list.
    static func isNamedAsList(_ address: String) -> Bool {
        isNamed(address, ".m3u") || isNamed(address, ".m3u8") || isNamed(address, ".pls") || isNamed(address, ".xspf")
    }
}
