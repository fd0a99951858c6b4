// SPDX-License-Identifier: Apache-2.0
import Text

/// Chapters in the form of Podcasting 2.0: `chapters[]` with `startTime` in seconds and `title`. Those with `toc` false do not belong into
/// a table of contents and are ignored.
final class ChaptersJSON: JSONReader {
    private enum Role { case other, root, chapters, chapter }

    private var list = ChapterList()
    private var stream = JSONStream()
    private var roles: [Role] = []
    private var name: [UInt8] = []
    private var start: Double?
    private var title: [UInt8] = []
    private var isListed = true

    private static let pieceBytes = 16 * 1024

    /// Reads a file, or its first `most` bytes. A malformed file gives the chapters before the fault.
    static func chapters(in source: any ByteSource, most: Int64) throws(SourceError) -> [Chapter] {
        let reader = ChaptersJSON()
        var offset: Int64 = 0
        while offset < most {
            let bytes = try source.bytes(at: offset, count: pieceBytes)
            if bytes.isEmpty { break }
            // A byte order mark is not JSON.
            let isMarked = offset == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF])
            offset += Int64(bytes.count)
            do throws(JSONError) { try reader.take(isMarked ? Array(bytes[3...]) : bytes) } catch { break }
        }
        return reader.chapters
    }

    /// - Throws: if it is not JSON; the part before the fault counts.
    func take(_ bytes: [UInt8]) throws(JSONError) { try stream.take(bytes, self) }

    var chapters: [Chapter] { list.sorted() }

    private func isNamed(_ other: StaticString) -> Bool { other.withUTF8Buffer { name.elementsEqual($0) } }

    func begin(isList: Bool) throws(JSONError) {
        switch (roles.last, isList) {
        case (nil, false): roles.append(.root)
        case (.root, true): roles.append(isNamed("chapters") ? .chapters : .other)
        case (.chapters, false):
            roles.append(.chapter)
            start = nil
            title = []
            isListed = true
        default: roles.append(.other)
        }
    }

    func end() throws(JSONError) {
        guard roles.removeLast() == .chapter, let start, isListed, start >= 0, start < 2_000_000 else { return }
        let text = TextDecoding.utf8(fromSingleBytes: title, title.indices)
        list.add(Int(start * 1000 + 0.5), text)
    }

    func name(_ bytes: [UInt8]) throws(JSONError) {
        name.removeAll(keepingCapacity: true)
        name += bytes.prefix(20)
    }

    func text(_ bytes: [UInt8]) throws(JSONError) {
        guard roles.last == .chapter else { return }
        if isNamed("title") { title = bytes }
        // Some programs write numbers as texts.
        if isNamed("startTime"), let value = JSONStream.number(bytes) { start = value }
    }

    func number(_ value: Double) throws(JSONError) {
        if roles.last == .chapter && isNamed("startTime") { start = value }
    }

    func truth(_ value: Bool) throws(JSONError) {
        if roles.last == .chapter && isNamed("toc") { isListed = value }
    }
}
