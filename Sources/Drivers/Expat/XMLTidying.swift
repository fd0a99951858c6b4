// SPDX-License-Identifier: Apache-2.0
import Text

/// Repairs common errors of feeds, which expat would refuse: leading white space, control characters, bytes outside UTF-8 (read as Western
/// European letters), stray ampersands, and HTML's own entities (`&nbsp;`). It takes UTF-8 in pieces of any size, and stores a few bytes.
struct XMLTidying {
    private enum Place { case front, text, section }
    /// The longest reference to look for after an ampersand.
    private static let mostNameBytes = 12

    private var place = Place.front
    /// The bytes of an incomplete character, reference or mark.
    private var held: [UInt8] = []
    /// The number of matched bytes of `<![CDATA[` or `]]>`.
    private var matched = 0
    private(set) var hasMended = false

    mutating func take(_ bytes: some Sequence<UInt8>, into out: inout [UInt8]) {
        for byte in bytes { take(byte, &out) }
    }

    /// Ends the text.
    mutating func finish(into out: inout [UInt8]) {
        while !held.isEmpty { giveUp(&out) }
    }

    private mutating func take(_ byte: UInt8, _ out: inout [UInt8]) {
        guard let first = held.first else { return begin(byte, &out) }
        if first == UInt8(ascii: "&") {
            let isName =
                byte == UInt8(ascii: "#") || byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
            if byte == UInt8(ascii: ";") {
                endReference(&out)
            } else if isName && held.count < XMLTidying.mostNameBytes {
                held.append(byte)
            } else {
                giveUp(&out)
                take(byte, &out)
            }
            return
        }
        guard isContinued(byte) else {
            giveUp(&out)
            return take(byte, &out)
        }
        held.append(byte)
        if held.count == XMLTidying.letterBytes(first) {
            out += held
            held.removeAll(keepingCapacity: true)
        }
    }

    private mutating func begin(_ byte: UInt8, _ out: inout [UInt8]) {
        if place == .front {
            if byte <= 0x20 {
                hasMended = true
                return
            }
            place = .text
        }
        match(byte)
        if byte == UInt8(ascii: "&") && place == .text || XMLTidying.letterBytes(byte) > 1 {
            held.append(byte)
        } else if byte >= 0x80 {
            append(latin: byte, &out)
        } else if byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D {
            hasMended = true
            out.append(0x20)
        } else {
            out.append(byte)
        }
    }

    /// Gives up the held bytes, which are not what they seemed: the first one stands for itself, and the others are read again.
    private mutating func giveUp(_ out: inout [UInt8]) {
        let all = held
        held.removeAll(keepingCapacity: true)
        hasMended = true
        if all[0] == UInt8(ascii: "&") { out += "&amp;".utf8 } else { append(latin: all[0], &out) }
        for byte in all.dropFirst() { take(byte, &out) }
    }

    private mutating func append(latin byte: UInt8, _ out: inout [UInt8]) {
        hasMended = true
        out += TextDecoding.utf8(fromSingleBytes: [byte], 0..<1)
    }

    // MARK: Letters

    private static func letterBytes(_ first: UInt8) -> Int {
        first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3 : first >= 0xF0 && first < 0xF5 ? 4 : 1
    }

    /// Returns true if a byte continues the held character. Overlong forms, surrogates and characters forbidden in XML do not count.
    private func isContinued(_ byte: UInt8) -> Bool {
        guard byte & 0xC0 == 0x80 else { return false }
        switch (held.count, held[0]) {
        case (1, 0xE0): return byte >= 0xA0
        case (1, 0xED): return byte < 0xA0
        case (1, 0xF0): return byte >= 0x90
        case (1, 0xF4): return byte < 0x90
        case (2, 0xEF): return held[1] != 0xBF || byte < 0xBE
        default: return true
        }
    }

    // MARK: References

    private mutating func endReference(_ out: inout [UInt8]) {
        let name = held.dropFirst()
        if name.first == UInt8(ascii: "#") {
            // XML requires a small x.
            guard let value = HTMLSigns.number(name.dropFirst()), !name.contains(UInt8(ascii: "X")) else {
                giveUp(&out)
                return take(UInt8(ascii: ";"), &out)
            }
            let isCharacter =
                value >= 0x20 && value < 0xD800 || value == 9 || value == 10 || value == 13
                || value >= 0xE000 && value < 0xFFFE
                || value > 0xFFFF && value < 0x11_0000
            if isCharacter {
                out += held + [UInt8(ascii: ";")]
            } else {
                hasMended = true
                out.append(0x20)
            }
        } else if XMLTidying.isOfXML(name) {
            out += held + [UInt8(ascii: ";")]
        } else if let scalar = HTMLSigns.scalar(named: name).flatMap({ Unicode.Scalar($0) }) {
            hasMended = true
            out += String(scalar).utf8
        } else {
            giveUp(&out)
            return take(UInt8(ascii: ";"), &out)
        }
        held.removeAll(keepingCapacity: true)
    }

    private static func isOfXML(_ name: ArraySlice<UInt8>) -> Bool {
        for word: StaticString in ["amp", "lt", "gt", "quot", "apos"]
        where word.withUTF8Buffer({ name.elementsEqual($0) }) { return true }
        return false
    }

    // MARK: Sections in which an ampersand is one

    private mutating func match(_ byte: UInt8) {
        let mark: StaticString = place == .section ? "]]>" : "<![CDATA["
        if byte == mark.utf8Start[matched] {
            matched += 1
            if matched < mark.utf8CodeUnitCount { return }
            place = place == .section ? .text : .section
            matched = 0
        } else if place == .section && matched == 2 && byte == UInt8(ascii: "]") {
            // "]]]>" also ends a section.
        } else {
            matched = byte == mark.utf8Start[0] ? 1 : 0
        }
    }
}
