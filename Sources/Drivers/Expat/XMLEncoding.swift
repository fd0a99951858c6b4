// SPDX-License-Identifier: Apache-2.0
import CExpat

/// Converts an XML text from its encoding to UTF-8. It supports every encoding of the C library's iconv.
final class XMLEncoding {
    /// The bytes in which the encoding's name stands, if any.
    static let headBytes = 256

    /// The converter; nil for UTF-8.
    private var converter: ns_expat_converter?
    /// The bytes of an incomplete character.
    private var held: [UInt8] = []

    /// - Parameter head: the first bytes.
    init(_ head: [UInt8]) throws(XMLError) {
        let name = XMLEncoding.name(head)
        if XMLEncoding.isSame(name, "utf-8") || XMLEncoding.isSame(name, "us-ascii") || name.isEmpty { return }
        // The Windows encodings are supersets of these, and are usually meant.
        let meant =
            XMLEncoding.isSame(name, "iso-8859-1") || XMLEncoding.isSame(name, "latin1")
            ? Array("windows-1252".utf8) : name
        converter = (meant + [0]).withUnsafeBytes { ns_expat_open_converter($0.baseAddress) }
        if converter == nil {
            throw XMLError(message: "an encoding that is not known here: " + String(decoding: name, as: UTF8.self))
        }
    }

    deinit { if let converter { ns_expat_close_converter(converter) } }

    /// Converts bytes. UTF-8 passes unchanged.
    func take(_ bytes: UnsafeRawBufferPointer, into out: inout [UInt8]) {
        guard let converter else {
            out += bytes
            return
        }
        let all = held + bytes
        held = []
        var piece = [UInt8](repeating: 0, count: 4096)
        all.withUnsafeBytes { all in
            var at = 0
            while at < all.count {
                var used = 0
                let made = piece.withUnsafeMutableBytes { piece in
                    ns_expat_convert(
                        converter, all.baseAddress! + at, all.count - at, &used, piece.baseAddress, piece.count)
                }
                out += piece[..<Int(made)]
                at += used
                if made > 0 || used > 0 { continue }
                // No character, or the beginning of one.
                if all.count - at < 8 {
                    held = Array(all[at...])
                    return
                }
                out += "\u{FFFD}".utf8
                at += 1
            }
        }
    }

    /// Ends the text.
    func finish(into out: inout [UInt8]) { if !held.isEmpty { out += "\u{FFFD}".utf8 } }

    /// Returns the name of the encoding as written; empty for none.
    private static func name(_ head: [UInt8]) -> [UInt8] {
        if head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0xFF, 0xFE]) { return Array("utf-16".utf8) }
        if head.starts(with: [0, 0x3C]) { return Array("utf-16be".utf8) }
        if head.starts(with: [0x3C, 0]) { return Array("utf-16le".utf8) }
        let rest = head.drop { $0 != UInt8(ascii: "<") }
        guard rest.starts(with: "<?xml".utf8), let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return [] }
        let word = Array("encoding".utf8)
        var at = rest.startIndex
        while at + word.count < end && !rest[at..<at + word.count].elementsEqual(word) { at += 1 }
        let value = rest[min(end, at + word.count)..<end].drop { $0 <= 0x20 || $0 == UInt8(ascii: "=") }
        guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return [] }
        let name = value.dropFirst().prefix { $0 != quote }
        // Ignore names that are impossible in a text of 8-bit bytes.
        return name.count > 40 || name.contains { $0 <= 0x20 || $0 >= 0x7F || $0 == UInt8(ascii: "/") }
            ? [] : Array(name)
    }

    private static func isSame(_ name: [UInt8], _ other: StaticString) -> Bool {
        name.count == other.utf8CodeUnitCount
            && zip(name, UnsafeBufferPointer(start: other.utf8Start, count: name.count)).allSatisfy {
                $0 | 0x20 == $1 | 0x20
            }
    }
}
