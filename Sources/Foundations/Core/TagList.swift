// SPDX-License-Identifier: Apache-2.0
/// A file's tags, in the file's order. A tag may have several values.
///
/// Stored as in the database, so that a song costs one piece of memory and not one for each value. For each value: the tag's raw value, the
/// number of bytes (7 bits a byte, the lowest first, the eighth set where more follow), and the text in UTF-8.
public struct TagList: Equatable, Sendable {
    public private(set) var bytes: [UInt8]

    public init() { bytes = [] }

    /// Reads the form of the database. Corrupt bytes end the list.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    public init(_ pairs: [(Tag, String)]) {
        bytes = []
        for (tag, value) in pairs { append(tag, value) }
    }

    public var isEmpty: Bool { bytes.isEmpty }

    /// Appends a value. Empty texts and repetitions are ignored.
    public mutating func append(_ tag: Tag, _ value: String) {
        let text = Array(value.utf8)
        if text.isEmpty { return }
        var isKnown = false
        visit { known, range in
            if known == tag && range.count == text.count && bytes[range].elementsEqual(text) { isKnown = true }
        }
        if isKnown { return }
        bytes.append(tag.rawValue)
        var count = text.count
        while count >= 0x80 {
            bytes.append(UInt8(count & 0x7F) | 0x80)
            count >>= 7
        }
        bytes.append(UInt8(count))
        bytes.append(contentsOf: text)
    }

    /// The first value of a tag; nil without one.
    public subscript(tag: Tag) -> String? {
        var first: String?
        visit { known, range in
            if known == tag && first == nil { first = String(decoding: bytes[range], as: UTF8.self) }
        }
        return first
    }

    public func values(of tag: Tag) -> [String] {
        var values: [String] = []
        visit { known, range in
            if known == tag { values.append(String(decoding: bytes[range], as: UTF8.self)) }
        }
        return values
    }

    /// All values in their order.
    public var all: [(tag: Tag, value: String)] {
        var all: [(tag: Tag, value: String)] = []
        visit { tag, range in all.append((tag, String(decoding: bytes[range], as: UTF8.self))) }
        return all
    }

    /// Calls `body` with the place of each value's text in `bytes`, in order, without making texts.
    public func visit(_ body: (Tag, Range<Int>) -> Void) {
        bytes.withUnsafeBytes { TagList.visit($0, body) }
    }

    /// Does the same as `visit` for bytes outside a list.
    public static func visit(_ bytes: UnsafeRawBufferPointer, _ body: (Tag, Range<Int>) -> Void) {
        var at = 0
        while at < bytes.count {
            let tag = Tag(rawValue: bytes[at])
            at += 1
            var count = 0
            var shift = 0
            while at < bytes.count && shift < 28 {
                let byte = bytes[at]
                at += 1
                count |= Int(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            guard let tag, count > 0, count <= bytes.count - at else { return }
            body(tag, at..<at + count)
            at += count
        }
    }

    /// Returns the tags in the list as a mask: bit N stands for tag N.
    public static func mask(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var mask: UInt64 = 0
        TagList.visit(bytes) { tag, _ in mask |= 1 << UInt64(tag.rawValue) }
        return mask
    }

    /// Returns the tag that supplies the texts for this one: itself, or a substitute. Nil for none.
    public static func source(of tag: Tag, _ mask: UInt64) -> Tag? {
        if mask & (1 << UInt64(tag.rawValue)) != 0 { return tag }
        for other in tag.fallbacks where mask & (1 << UInt64(other.rawValue)) != 0 { return other }
        return nil
    }
}
