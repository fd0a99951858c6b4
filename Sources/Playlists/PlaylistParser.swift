import CPosix

/// Reads the entries out of a playlist's bytes, as they come. Holds one line, and no more of it than a path may have.
public struct PlaylistParser {
    /// PATH_MAX; a longer line is none of a path, and left out.
    static let mostLineBytes = 4096

    private let format: PlaylistFormat
    /// What came of a line that has not ended yet.
    private var line: [UInt8] = []
    private var isTooLong = false
    private var isFirst = true
    /// The last entry, since a sheet names a file again for each of its tracks.
    private var last: [UInt8] = []

    public init(_ format: PlaylistFormat) { self.format = format }

    /// - Returns: false once `text` takes no more.
    public mutating func take(_ piece: UnsafeRawBufferPointer, into text: inout PlaylistText) -> Bool {
        guard let base = piece.baseAddress else { return true }
        var at = 0
        while at < piece.count {
            guard let found = memchr(base + at, 0x0A, piece.count - at) else {
                keep(UnsafeRawBufferPointer(rebasing: piece[at...]))
                return true
            }
            let end = UnsafeRawPointer(found) - base
            keep(UnsafeRawBufferPointer(rebasing: piece[at..<end]))
            if !endLine(&text) { return false }
            at = end + 1
        }
        return true
    }

    /// What stands behind the last newline.
    public mutating func finish(into text: inout PlaylistText) -> Bool { endLine(&text) }

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

    /// What stands behind a word, in whatever case.
    private static func rest(of line: ArraySlice<UInt8>, behind word: StaticString) -> ArraySlice<UInt8>? {
        let count = word.utf8CodeUnitCount
        if line.count < count { return nil }
        for index in 0..<count where line[line.startIndex + index] | 0x20 != word.utf8Start[index] { return nil }
        return line.dropFirst(count)
    }

    /// What stands between quotation marks; without them what comes before the last word, which is the type.
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
