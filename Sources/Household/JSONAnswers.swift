// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import Text

/// A record from a server or a speaker. This process does not judge its content: the speaker does.
struct Row: Equatable {
    /// One line of JSON.
    var text: String
    /// The revision on the server; nil if the text lacks it.
    var revision: Int64?
    /// The device that made it.
    var device: String
    /// A hash of key, time and device, the same for the same record.
    var identity: UInt64

    static let mostBytes = 8 * 1024
}

/// A list of records. The size of the text bounds every part.
struct RowPage {
    var rows: [Row] = []
    /// The number of records too long to be ours.
    var skipped = 0
    /// The largest revision in the list; nil if none has one.
    var lastRevision: Int64?
    var count: Int { rows.count + skipped }

    /// - Throws: if it is no list of objects, or an incomplete one.
    init(_ bytes: [UInt8]) throws(JSONError) {
        let reader = RowReader()
        var stream = JSONStream()
        var start = 0
        var at = 0
        while at < bytes.count {
            // A row ends with one of its braces, but not every brace ends a row.
            let end = bytes[at...].firstIndex(of: UInt8(ascii: "}")).map { $0 + 1 } ?? bytes.count
            try stream.take(Array(bytes[at..<end]), reader)
            at = end
            guard let row = reader.takeRow() else { continue }
            let text = bytes[start..<end].drop { $0 != UInt8(ascii: "{") }
            start = end
            lastRevision = max(lastRevision ?? 0, row.revision ?? 0)
            if text.count > Row.mostBytes {
                skipped += 1
                continue
            }
            rows.append(row)
            // There may be line breaks between the parts of a text, but none within its strings.
            rows[rows.count - 1].text = String(decoding: text.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
        }
        try stream.finish(reader)
        if lastRevision == 0 { lastRevision = nil }
    }
}

/// Reads the needed fields of a list of records.
private final class RowReader: JSONReader {
    private var depth = 0
    private var name: [UInt8] = []
    private var revision: Int64?
    private var device: [UInt8] = []
    private var parts: [String] = []
    private var ended: Row?

    /// Returns the row that has ended since the last call.
    func takeRow() -> Row? {
        defer { ended = nil }
        return ended
    }

    func begin(isList: Bool) throws(JSONError) {
        if depth == 0 && !isList || depth == 1 && isList { throw JSONError(message: "no list of records") }
        depth += 1
        if depth == 2 { (revision, device, parts) = (nil, [], ["", "", "", ""]) }
    }

    func end() throws(JSONError) {
        depth -= 1
        guard depth == 1 else { return }
        var hash = StableHash()
        for part in parts {
            hash.add(part)
            // The end of each part matters.
            hash.add(UInt64(0x100))
        }
        ended = Row(
            text: "", revision: revision, device: String(decoding: device, as: UTF8.self), identity: hash.value)
    }

    func name(_ bytes: [UInt8]) throws(JSONError) {
        if depth == 2 { name = bytes }
    }

    func text(_ bytes: [UInt8]) throws(JSONError) {
        try checkPlace()
        guard depth == 2 else { return }
        let names: [StaticString] = ["kind", "key", "time", "device"]
        for (index, known) in names.enumerated() where name.isNamed(known) {
            parts[index] = String(decoding: bytes, as: UTF8.self)
            if index == 3 { device = bytes }
        }
    }

    func number(_ value: Double) throws(JSONError) {
        try checkPlace()
        // Beyond this, not every whole number is exact.
        if depth == 2, name.isNamed("revision"), value >= 1, value < 9_007_199_254_740_992 { revision = Int64(value) }
    }

    func truth(_ value: Bool) throws(JSONError) { try checkPlace() }

    private func checkPlace() throws(JSONError) {
        if depth < 2 { throw JSONError(message: "no list of records") }
    }
}

/// The texts of one object, or of a single text under the name "".
final class FieldReader: JSONReader {
    private var depth = 0
    private var name: [UInt8] = []
    private var fields: [(name: [UInt8], value: String)] = []

    /// - Throws: if it is no JSON, or incomplete.
    static func read(_ bytes: [UInt8]) throws(JSONError) -> FieldReader {
        let reader = FieldReader()
        var stream = JSONStream()
        try stream.take(bytes, reader)
        try stream.finish(reader)
        return reader
    }

    func value(_ name: StaticString) -> String? { fields.first { $0.name.isNamed(name) }?.value }

    func begin(isList: Bool) throws(JSONError) { depth += 1 }
    func end() throws(JSONError) { depth -= 1 }
    func name(_ bytes: [UInt8]) throws(JSONError) {
        if depth == 1 { name = bytes }
    }
    func text(_ bytes: [UInt8]) throws(JSONError) {
        if depth <= 1 && fields.count < 32 { fields.append((name, String(decoding: bytes, as: UTF8.self))) }
    }
    func number(_ value: Double) throws(JSONError) {}
    func truth(_ value: Bool) throws(JSONError) {}
}

extension [UInt8] {
    fileprivate func isNamed(_ other: StaticString) -> Bool { other.withUTF8Buffer { elementsEqual($0) } }
}
