// SPDX-License-Identifier: Apache-2.0
import Posix

/// The grammar of the configuration file: `[section]` or `KEY = VALUE` on each line (`KEY: VALUE`, too). A comment begins with `#` or `;` at
/// the start of a line, and with a blank and `;` behind a value.
enum INIFile {
    enum Content: Equatable {
        /// A section's head, `[section]`.
        case section
        case value(key: String, String)
    }

    struct Entry {
        let section: String
        let content: Content
        let line: Int
    }

    /// Returns the file's entries in order. Throws at the first line that is not INI.
    static func entries(of bytes: [UInt8], file: String) throws(ConfigurationError) -> [Entry] {
        var entries: [Entry] = []
        var first: ConfigurationError?
        read(bytes, file: file) {
            entries.append($0)
        } mistaken: {
            mistake, _ in
            first = first ?? mistake
        }
        if let first { throw first }
        return entries
    }

    /// Visits the file's lines in order.
    /// - Parameter mistaken: called for each line that is not INI, with its section.
    static func read(
        _ bytes: [UInt8], file: String, entry: (Entry) -> Void,
        mistaken: (ConfigurationError, _ section: String) -> Void
    ) {
        var section = ""
        var line = 0
        var rest = bytes[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        while !rest.isEmpty {
            line += 1
            let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
            do throws(Problem) {
                if let content = try content(of: rest[..<end], &section) {
                    entry(Entry(section: section, content: content, line: line))
                }
            } catch {
                mistaken(ConfigurationError(file: file, line: line, problem: error.text), section)
            }
            rest = rest[end...].dropFirst()
        }
    }

    private struct Problem: Error {
        let text: String
    }

    /// Reads a line; nil for a comment or an empty line.
    private static func content(of line: ArraySlice<UInt8>, _ section: inout String) throws(Problem) -> Content? {
        var line = line
        if line.last == 0x0D { line.removeLast() }
        if line.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) || !isUTF8(line) {
            throw Problem(text: "a byte that is no text, expected a plain text file in UTF-8")
        }
        line = trimmed(line)
        guard let first = line.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { return nil }
        if first == UInt8(ascii: "[") {
            guard let close = line.firstIndex(of: UInt8(ascii: "]")) else {
                throw Problem(text: "a section without ']', expected [section]")
            }
            let behind = line[(close + 1)...].first { !isBlank($0) }
            if let behind, behind != UInt8(ascii: "#"), behind != UInt8(ascii: ";") {
                throw Problem(text: "text after ']', expected [section] on a line of its own")
            }
            section = String(decoding: trimmed(line[(line.startIndex + 1)..<close]), as: UTF8.self)
            return .section
        }
        line = trimmed(withoutComment(line))
        guard let sign = line.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) else {
            throw Problem(text: "neither [section] nor key, expected KEY = VALUE")
        }
        return .value(
            key: String(decoding: trimmed(line[..<sign]), as: UTF8.self),
            String(pathBytes: trimmed(line[(sign + 1)...])))
    }

    private static func withoutComment(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        for index in line.indices.dropFirst() where line[index] == UInt8(ascii: ";") && isBlank(line[index - 1]) {
            return line[..<index]
        }
        return line
    }

    private static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) != nil }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes
    }

    /// Returns the text without blanks at either end.
    static func trimmed(_ text: String) -> String {
        String(decoding: trimmed(Array(text.utf8)[...]), as: UTF8.self)
    }
}
