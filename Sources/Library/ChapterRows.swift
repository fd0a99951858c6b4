// SPDX-License-Identifier: Apache-2.0
import Core
import Media
import Model
import Posix
import SQLite

/// Chapters as the database stores them. Each has three parts: the milliseconds since the one before, the number of the title's bytes, and
/// the title in UTF-8. The two numbers have 7 bits a byte, the lowest first; the eighth is set if more follow. No title has control
/// characters: one that begins with a byte from 1 to 6 has that level, and one that begins with 7 is a page.
enum ChapterBytes {
    private static let pageMark: UInt8 = 7

    static func bytes(_ chapters: [Chapter], pages: [Chapter] = []) -> [UInt8] {
        var bytes: [UInt8] = []
        var last = 0
        var pagesLeft = pages[...]
        func add(_ chapter: Chapter, _ mark: UInt8?) {
            let start = max(last, chapter.startMilliseconds)
            append(start - last, &bytes)
            last = start
            let title = (mark.map { [$0] } ?? []) + Array(chapter.title.utf8)
            append(title.count, &bytes)
            bytes += title
        }
        for chapter in chapters {
            while let page = pagesLeft.first, page.startMilliseconds < chapter.startMilliseconds {
                add(page, pageMark)
                pagesLeft.removeFirst()
            }
            add(chapter, (1...6).contains(chapter.level) ? UInt8(chapter.level) : nil)
        }
        for page in pagesLeft { add(page, pageMark) }
        return bytes
    }

    private static func append(_ number: Int, _ bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    static func chapters(_ bytes: [UInt8]) -> [Chapter] { marks(bytes).chapters }

    /// Decodes the chapters and pages. Garbled bytes end the lists.
    static func marks(_ bytes: [UInt8]) -> (chapters: [Chapter], pages: [Chapter]) {
        var (chapters, pages): ([Chapter], [Chapter]) = ([], [])
        var at = 0
        var start = 0
        while at < bytes.count {
            guard let step = number(bytes, &at), let count = number(bytes, &at), count <= bytes.count - at else {
                break
            }
            guard let next = start.addingExactly(step), next <= Int(Int32.max) else { break }
            start = next
            let title = bytes[at..<at + count]
            let mark = title.first.flatMap { $0 >= 1 && $0 <= pageMark ? $0 : nil }
            let words = String(decoding: mark == nil ? title : title.dropFirst(), as: UTF8.self)
            at += count
            if mark == pageMark {
                pages.append(Chapter(startMilliseconds: start, title: words))
            } else {
                chapters.append(Chapter(startMilliseconds: start, title: words, level: mark.map { Int($0) } ?? 0))
            }
        }
        return (chapters, pages)
    }

    /// Decodes a number of up to 31 bits.
    private static func number(_ bytes: [UInt8], _ at: inout Int) -> Int? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while at < bytes.count && shift < 35 {
            let byte = bytes[at]
            at += 1
            number |= UInt64(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { return number <= UInt64(Int32.max) ? Int(number) : nil }
        }
        return nil
    }
}

extension Library {
    /// Returns the chapters of a file, ordered by time; none if it has none.
    public func chapters(of id: Item.ID) -> [Chapter] { marks(of: id).chapters }

    /// Returns the starts of the printed book's pages in a file, ordered by time; none without page marks.
    public func pages(of id: Item.ID) -> [Chapter] { marks(of: id).pages }

    private func marks(of id: Item.ID) -> (chapters: [Chapter], pages: [Chapter]) {
        read(else: ([], [])) { (database) throws(SQLiteError) in
            let row = try database.cached(
                "SELECT data, duration FROM itemChapters JOIN item ON item.id = itemChapters.item WHERE itemChapters.item = ?",
                .integer(id))
            defer { row.reset() }
            guard try row.step() else { return ([], []) }
            // A later measurement may have changed the length of the audio.
            let duration = row.optionalInteger(1).map { Int(clamping: $0) }
            let marks = ChapterBytes.marks(row.bytes(0))
            return (marks.chapters.within(duration), marks.pages.within(duration))
        }
    }

    /// A chapter of one of a book's files.
    public struct Heading: Equatable, Sendable {
        public let item: Item.ID
        public let chapter: Chapter

        public init(item: Item.ID, chapter: Chapter) {
            self.item = item
            self.chapter = chapter
        }
    }

    /// The limit of headings in a book's list.
    private static let mostHeadings = 20_000

    /// Returns the chapters of all files of a book, in their order. A file without chapters counts as one.
    public func headings(of book: Book.ID) -> [Heading] {
        headings(of: book) { marks, title in
            marks.chapters.isEmpty ? [Chapter(startMilliseconds: 0, title: title)] : marks.chapters
        }
    }

    /// Returns the pages of the printed book in all files of a book, in their order.
    public func pages(ofBook book: Book.ID) -> [Heading] { headings(of: book) { marks, _ in marks.pages } }

    private func headings(
        of book: Book.ID, _ choose: ((chapters: [Chapter], pages: [Chapter]), String) -> [Chapter]
    ) -> [Heading] {
        read(else: []) { (database) throws(SQLiteError) in
            let rows = try database.cached(
                """
                SELECT item.id, title, data, duration FROM bookItem JOIN item ON item.id = bookItem.item
                  LEFT JOIN itemChapters ON itemChapters.item = item.id WHERE book = ? ORDER BY place
                """, .integer(book))
            defer { rows.reset() }
            var headings: [Heading] = []
            while try rows.step(), headings.count < Library.mostHeadings {
                let item = rows.integer(0)
                let duration = rows.optionalInteger(3).map { Int(clamping: $0) }
                let marks = ChapterBytes.marks(rows.bytes(2))
                let own = (chapters: marks.chapters.within(duration), pages: marks.pages.within(duration))
                for chapter in choose(own, rows.text(1)) { headings.append(Heading(item: item, chapter: chapter)) }
            }
            return headings
        }
    }

    /// Returns the page of the printed book at a place in an item. The page may begin in an earlier file of the book. nil if unknown.
    public func page(of id: Item.ID, at milliseconds: Int) -> String? {
        if let page = pages(of: id).last(where: { $0.startMilliseconds <= milliseconds }) { return page.title }
        guard let place = bookPlace(of: id), place.index > 0 else { return nil }
        return read(else: nil) { (database) throws(SQLiteError) in
            let rows = try database.cached(
                """
                SELECT data FROM bookItem JOIN itemChapters ON itemChapters.item = bookItem.item
                WHERE book = ? AND place < ? ORDER BY place DESC LIMIT ?
                """, .integer(place.book), .integer(place.index), .integer(Library.mostFilesOfPage))
            defer { rows.reset() }
            while try rows.step() {
                if let page = ChapterBytes.marks(rows.bytes(0)).pages.last { return page.title }
            }
            return nil
        }
    }

    /// The limit of files through which a page may continue.
    private static let mostFilesOfPage = 50

    /// Looks for a page in some files of a book.
    /// - Returns: the start of the page; nil if these files do not have it.
    public func page(_ name: String, among items: [Item.ID]) -> (item: Item.ID, milliseconds: Int)? {
        let wanted = name.lowerCase.utf8
        for item in items {
            for page in pages(of: item) where page.title.lowerCase.utf8.elementsEqual(wanted) {
                return (item, page.startMilliseconds)
            }
        }
        return nil
    }

    func setChapters(
        _ id: Item.ID, _ chapters: [Chapter], pages: [Chapter] = [], _ database: Database
    ) throws(SQLiteError) {
        if chapters.isEmpty && pages.isEmpty {
            try database.cached("DELETE FROM itemChapters WHERE item = ?", .integer(id)).run()
            return
        }
        try database.cached(
            "INSERT OR REPLACE INTO itemChapters(item, data) VALUES(?, ?)", .integer(id),
            .blob(ChapterBytes.bytes(chapters, pages: pages))
        ).run()
    }

    // MARK: Covers

    /// Returns the key of an item's picture, which files with the same picture share; nil for none.
    public func cover(of id: Item.ID) -> Cover? {
        read(else: nil) { (database) throws(SQLiteError) in
            let row = try database.cached(
                "SELECT identity FROM itemCover JOIN cover ON cover.id = itemCover.cover WHERE item = ?", .integer(id))
            defer { row.reset() }
            guard try row.step() else { return nil }
            let bytes = row.bytes(0)
            guard bytes.count == 16 else { return nil }
            func number(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
            return Cover(hash: number(bytes[..<8]), byteCount: Int64(truncatingIfNeeded: number(bytes[8...])))
        }
    }

    func setCover(_ id: Item.ID, _ cover: Cover?, _ database: Database) throws(SQLiteError) {
        guard let cover else {
            try database.cached("DELETE FROM itemCover WHERE item = ?", .integer(id)).run()
            return
        }
        var identity: [UInt8] = []
        for number in [cover.hash, UInt64(bitPattern: cover.byteCount)] {
            for shift in 1...8 { identity.append(UInt8(truncatingIfNeeded: number >> UInt64(64 - 8 * shift))) }
        }
        try database.cached("INSERT OR IGNORE INTO cover(identity) VALUES(?)", .blob(identity)).run()
        try database.cached(
            "INSERT OR REPLACE INTO itemCover(item, cover) SELECT ?, id FROM cover WHERE identity = ?", .integer(id),
            .blob(identity)
        ).run()
    }
}
