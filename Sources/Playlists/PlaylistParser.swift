// SPDX-License-Identifier: Apache-2.0
import CPosix
import Text

/// Parses the entries of a playlist from its bytes, piece by piece. Holds one line, and no more of it than a path may have.
public struct PlaylistParser {
    /// PATH_MAX; a longer line is no path, and left out.
    static let mostLineBytes = 4096

    private let format: PlaylistFormat
    /// The bytes of a line that has not ended yet.
    private var line: [UInt8] = []
    private var isTooLong = false
    private var isFirst = true
    /// The first byte, until the second has come: both together identify UTF-16.
    private var head: [UInt8]? = []
    private var utf16: UTF16Decoder?
    /// True if a lone CR ends a line, as on old Macs; nil until a line has ended.
    private var hasCRAlone: Bool?
    /// True if the last byte was the first CR: the next byte decides.
    private var endsInCR = false
    /// The last entry: a cue sheet repeats a file's name for each of its tracks.
    private var last: [UInt8] = []

    public init(_ format: PlaylistFormat) { self.format = format }

    /// - Returns: false once `text` is full.
    public mutating func take(_ piece: UnsafeRawBufferPointer, into text: inout PlaylistText) -> Bool {
        guard var begun = head else { return takeDecoded(piece, &text) }
        begun += piece
        head = begun.count < 2 ? begun : nil
        if head != nil { return true }
        if begun[0] >= 0xFE { utf16 = UTF16Decoder(begin: &begun, needsMark: true) }
        return begun.withUnsafeBytes { takeDecoded($0, &text) }
    }

    private mutating func takeDecoded(_ piece: UnsafeRawBufferPointer, _ text: inout PlaylistText) -> Bool {
        if utf16 == nil { return takeLines(piece, &text) }
        let decoded = utf16?.take(Array(piece)) ?? []
        return decoded.withUnsafeBytes { takeLines($0, &text) }
    }

    private mutating func takeLines(_ piece: UnsafeRawBufferPointer, _ text: inout PlaylistText) -> Bool {
        guard let base = piece.baseAddress, let first = piece.first else { return true }
        if endsInCR {
            endsInCR = false
            hasCRAlone = first != 0x0A
            if first != 0x0A, !endLine(&text) { return false }
        } else if hasCRAlone == nil, let end = piece.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            endsInCR = piece[end] == 0x0D && end + 1 == piece.count
            if !endsInCR { hasCRAlone = piece[end] == 0x0D && piece[end + 1] != 0x0A }
        }
        var at = 0
        while at < piece.count {
            let end: Int?
            if hasCRAlone == true {
                end = piece[at...].firstIndex { $0 == 0x0A || $0 == 0x0D }
            } else {
                end = memchr(base + at, 0x0A, piece.count - at).map { UnsafeRawPointer($0) - base }
            }
            keep(UnsafeRawBufferPointer(rebasing: piece[at..<(end ?? piece.count)]))
            guard let end else { return true }
            if !endLine(&text) { return false }
            at = end + 1
        }
        return true
    }

    /// Takes the text behind the last newline.
    public mutating func finish(into text: inout PlaylistText) -> Bool {
        if let head, !head.isEmpty { head.withUnsafeBytes { keep($0) } }
        return endLine(&text)
    }

    private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
        if isTooLong { return }
        if line.count + bytes.count > PlaylistParser.mostLineBytes {
            isTooLong = true
            line = []
        } else {
            line.append(contentsOf: bytes)
        }
    }

    private mutating func endLine(_ text: inout PlaylistText) -> Bool {
        defer {
            line.removeAll(keepingCapacity: true)
            isTooLong = false
            isFirst = false
        }
        if isTooLong { return true }
        var rest = line[...]
        if isFirst && rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        rest = rest.drop { PlaylistParser.isBlank($0) }
        while let byte = rest.last, PlaylistParser.isBlank(byte) { rest.removeLast() }
        guard let entry = entry(rest), !entry.isEmpty, !entry.contains(0) else { return true }
        return text.append(entry)
    }

    private mutating func entry(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        switch format {
        case .m3u: return line.first == UInt8(ascii: "#") ? nil : line
        case .pls:
            guard let rest = PlaylistParser.rest(of: line, behind: "file") else { return nil }
            let value = rest.drop { $0 >= 0x30 && $0 <= 0x39 }.drop { PlaylistParser.isBlank($0) }
            guard value.first == UInt8(ascii: "=") else { return nil }
            return value.dropFirst().drop { PlaylistParser.isBlank($0) }
        case .cue:
            guard let rest = PlaylistParser.rest(of: line, behind: "file") else { return nil }
            guard let first = rest.first, PlaylistParser.isBlank(first) else { return nil }
            let name = PlaylistParser.quoted(rest.drop { PlaylistParser.isBlank($0) })
            if name.elementsEqual(last) { return nil }
            last = Array(name)
            return name
        }
    }

    /// Returns the text behind a word, ignoring case.
    private static func rest(of line: ArraySlice<UInt8>, behind word: StaticString) -> ArraySlice<UInt8>? {
        let count = word.utf8CodeUnitCount
        if line.count < count { return nil }
        for index in 0..<count where line[line.startIndex + index] | 0x20 != word.utf8Start[index] { return nil }
        return line.dropFirst(count)
    }

    /// Returns the text between quotation marks; without them the text before the last word, which is the type.
    private static func quoted(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if text.first == UInt8(ascii: "\"") {
            let inner = text.dropFirst()
            return inner.prefix { $0 != UInt8(ascii: "\"") }
        }
        guard let blank = text.lastIndex(where: { isBlank($0) }) else { return text }
        return text[..<blank]
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}
