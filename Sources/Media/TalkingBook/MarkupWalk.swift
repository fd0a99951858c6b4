// SPDX-License-Identifier: Apache-2.0
import Expat
import Text

/// Reads markup that is not XML, as browsers do: elements without an end, attributes without quotes, any encoding. Its events are still in
/// order and properly nested. In steps.
struct MarkupWalk {
    private static let mostLevels = 64
    private let text: [UInt8]
    private var at = 0
    /// The names of the open elements.
    private var open: [[UInt8]] = []

    init(_ bytes: [UInt8]) { text = TextDecoding.utf8(from: bytes) }

    /// Reads so many bytes further. Returns true at the end.
    mutating func step(_ reader: any XMLReader, bytes: Int) -> Bool {
        let end = min(text.count, at + bytes)
        while at < end { next(reader) }
        if at < text.count { return false }
        while !open.isEmpty { close(reader) }
        return true
    }

    private mutating func next(_ reader: any XMLReader) {
        if text[at] != UInt8(ascii: "<") {
            let end = text[at...].firstIndex(of: UInt8(ascii: "<")) ?? text.count
            MediaMarkers.unescaped(text[at..<end]).withUnsafeBufferPointer { reader.text($0) }
            at = end
            return
        }
        guard let close = text[at...].firstIndex(of: UInt8(ascii: ">")) else {
            at = text.count
            return
        }
        let tag = text[(at + 1)..<close]
        at = close + 1
        if tag.first == UInt8(ascii: "/") {
            end(MarkupWalk.name(tag.dropFirst()), reader)
        } else {
            begin(tag, reader)
        }
    }

    private mutating func begin(_ tag: ArraySlice<UInt8>, _ reader: any XMLReader) {
        let name = MarkupWalk.name(tag)
        if name.isEmpty || open.count == MarkupWalk.mostLevels { return }
        open.append(name)
        name.withUnsafeBufferPointer { bytes in
            reader.begin(bytes) { MarkupWalk.attribute($0, tag.dropFirst(name.count)) }
        }
        let isAlone = ["meta", "link", "br", "hr", "img", "input"].contains { name.elementsEqual($0.utf8) }
        if isAlone || tag.last == UInt8(ascii: "/") { close(reader) }
    }

    private mutating func end(_ name: [UInt8], _ reader: any XMLReader) {
        guard open.contains(name) else { return }
        while let last = open.last {
            close(reader)
            if last == name { return }
        }
    }

    private mutating func close(_ reader: any XMLReader) {
        open.removeLast()
        reader.end()
    }

    private static func name(_ tag: ArraySlice<UInt8>) -> [UInt8] {
        tag.prefix(32).prefix { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: ":") }
            .map { $0.isLetter ? $0 | 0x20 : $0 }
    }

    /// Returns the value of an attribute of a tag.
    private static func attribute(_ name: StaticString, _ text: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = text
        while true {
            rest = rest.drop { $0.isSpace || $0 == UInt8(ascii: "/") }
            let key = rest.prefix { !$0.isSpace && $0 != UInt8(ascii: "=") }
            rest = rest[key.endIndex...].drop { $0.isSpace }
            if key.isEmpty && rest.isEmpty { return nil }
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop { $0.isSpace }
            var value = rest.prefix { !$0.isSpace }
            if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                value = rest.dropFirst().prefix { $0 != quote }
                rest = rest[value.endIndex...].dropFirst()
            } else {
                rest = rest[value.endIndex...]
            }
            let isSame = name.withUTF8Buffer { wanted in
                key.count == wanted.count && zip(key, wanted).allSatisfy { $0 | 0x20 == $1 | 0x20 }
            }
            if isSame { return MediaMarkers.unescaped(value) }
        }
    }
}
