import SQLite

extension Library {
    /// How many items are present, and what they sum up to.
    public struct Counts: Equatable, Sendable {
        public var items = 0
        public var artists = 0
        public var albums = 0
        public var durationMilliseconds: Int64 = 0

        public init(items: Int = 0, artists: Int = 0, albums: Int = 0, durationMilliseconds: Int64 = 0) {
            self.items = items
            self.artists = artists
            self.albums = albums
            self.durationMilliseconds = durationMilliseconds
        }
    }

    /// Items were added or removed, came or went, or are otherwise than they were.
    func itemsDidChange() {
        memory.itemChanges += 1
        memory.counts = nil
    }

    /// As many different texts of a column as are counted at once.
    private static let mostTexts = 200

    /// How many different texts a column has behind `last`, by one step into its index for each.
    /// - Returns: how many there are up to the last that was looked at; nil for that behind the last of all.
    fileprivate func distinct(_ column: Counting.Column, after last: String) -> (count: Int, last: String?) {
        read(else: (0, nil)) { (database) throws(SQLiteError) in
            var last = last
            for count in 0..<Library.mostTexts {
                let row = try database.cached(column.nextText, .text(last))
                defer { row.reset() }
                guard try row.step() else { return (count, nil) }
                let text = row.text(0)
                guard last.utf8.lexicographicallyPrecedes(text.utf8) else { throw SQLiteError.indexOutOfOrder }
                last = text
            }
            return (Library.mostTexts, last)
        }
    }
}

/// Counts what is there, in portions, once after each change of the library.
public final class Counting {
    fileprivate enum Column {
        case artist, album

        var nextText: StaticString {
            switch self {
            case .artist: "SELECT artist FROM item WHERE isPresent = 1 AND artist > ? ORDER BY artist LIMIT 1"
            case .album: "SELECT album FROM item WHERE isPresent = 1 AND album > ? ORDER BY album LIMIT 1"
            }
        }
    }

    private enum Stage {
        case items(ItemCursor?)
        /// Behind that text.
        case texts(Column, String)
        case done
    }

    private let library: Library
    private let changesAtStart: Int
    private var counts = Library.Counts()
    private var stage = Stage.items(nil)

    public init(_ library: Library) {
        self.library = library
        changesAtStart = library.memory.itemChanges
        guard let known = library.memory.counts else { return }
        counts = known
        stage = .done
    }

    /// Counts the next portion.
    /// - Returns: the sums once all is counted; nil where something is left. What changes meanwhile may be in them or not.
    public func next() -> Library.Counts? {
        switch stage {
        case .items(let cursor):
            let page = library.count(ItemQuery(), after: cursor)
            counts.items += page.items
            counts.durationMilliseconds += page.durationMilliseconds
            stage = page.next.map { .items($0) } ?? .texts(.artist, "")
        case .texts(let column, let last):
            let page = library.distinct(column, after: last)
            switch column {
            case .artist:
                counts.artists += page.count
                stage = .texts(page.last == nil ? .album : .artist, page.last ?? "")
            case .album:
                counts.albums += page.count
                stage = page.last.map { .texts(.album, $0) } ?? .done
            }
        case .done: break
        }
        guard case .done = stage else { return nil }
        // What could not be read is not known.
        if library.memory.itemChanges == changesAtStart && library.trouble == nil { library.memory.counts = counts }
        return counts
    }
}
