// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Wire

extension ConsoleHost {
    /// Adds songs before a position and moves the position behind them; at the end without a position.
    func addToQueue(_ songs: [SongDescription], next position: inout Int?) throws(ConsoleError) {
        // Another client may have made the queue shorter meanwhile.
        let place = position.map { min($0, status.queueLength) }
        _ = try addToQueue(songs, before: place)
        position = place.map { $0 + songs.count }
    }
}

extension Portions {
    /// Adds the songs of a listing to the queue, page by page.
    /// - Parameter position: the position of the first; nil for the end.
    static func add(
        _ listing: @escaping Pages<LibraryEntry>, to host: ConsoleHost, before position: Int?,
        window: Range<Int> = 0..<Argument.maximum
    ) -> Portions {
        var (window, position) = (Window(window), position)
        return Portions(onlyTells: false) { budget, _ throws(ConsoleError) in
            guard let entries = listing(budget.left) else { return true }
            budget.take(WorkBudget.pageCost)
            var songs: [SongDescription] = []
            for case .song(let song) in entries where window.takesNext() { songs.append(song) }
            if !songs.isEmpty { try host.addToQueue(songs, next: &position) }
            return window.isOver
        }
    }

    /// Lists the queue at the time of the request; later edits do not show.
    static func queue(
        _ queue: QueueSnapshot, _ positions: [Range<Int>],
        tell: @escaping (SongDescription, inout ResponseBuffer) -> Void
    ) -> Portions {
        var positions = Positions(positions)
        return Portions { budget, response in
            let page = positions.next(budget.left)
            budget.take(max(1, page.count))
            for song in queue.songs(page) { tell(song, &response) }
            return positions.isEmpty
        }
    }

    /// Lists positions and ids of the queue, without a look into the library.
    static func queueNumbers(_ queue: QueueSnapshot, _ positions: [Range<Int>]) -> Portions {
        let numbersForASong = 16
        var positions = Positions(positions)
        return Portions { budget, response in
            let page = positions.next(budget.left * numbersForASong)
            budget.take(max(1, page.count / numbersForASong))
            for position in page {
                response.field("cpos", position)
                response.field("Id", queue.songID(at: position))
            }
            return positions.isEmpty
        }
    }

    /// Lists matching songs of the queue, in the queue's order or by a tag.
    static func queue(_ queue: QueueSnapshot, matching filter: SongFilter, tags: TagSet) -> Portions {
        var window = Window(filter.window)
        var unseen = 0..<queue.count
        /// The matches in order, if the query sorts them.
        var matches = SortedMatches(filter.query)
        return Portions { budget, response in
            if unseen.isEmpty {
                while !budget.isSpent && !window.isOver, let position = matches.popFirst() {
                    if !window.takesNext() { continue }
                    budget.take(1)
                    for song in queue.songs(position..<position + 1) { response.song(song, tags) }
                }
                return matches.isEmpty || window.isOver
            }
            let page = unseen.prefix(budget.left)
            budget.take(page.count)
            unseen = page.upperBound..<unseen.upperBound
            for song in queue.songs(page) where filter.query.match?.holds(song) ?? true {
                if filter.query.order != .path {
                    matches.insert(song)
                } else if window.takesNext() {
                    response.song(song, tags)
                }
            }
            return window.isOver || (unseen.isEmpty && matches.isEmpty)
        }
    }
}

/// Positions of the queue to list, a page of neighbors at a time.
private struct Positions {
    private var ranges: ArraySlice<Range<Int>>

    init(_ ranges: [Range<Int>]) { self.ranges = ranges.filter { !$0.isEmpty }[...] }

    var isEmpty: Bool { ranges.isEmpty }

    mutating func next(_ limit: Int) -> Range<Int> {
        guard let range = ranges.first else { return 0..<0 }
        let page = range.prefix(limit)
        ranges.removeFirst()
        if page.count < range.count { ranges.insert(page.upperBound..<range.upperBound, at: ranges.startIndex) }
        return page
    }
}

/// Positions of songs, in the order of a query.
private struct SortedMatches {
    private let query: ItemQuery
    private var matches: ArraySlice<(key: SortKey, position: Int)> = []

    init(_ query: ItemQuery) { self.query = query }

    var isEmpty: Bool { matches.isEmpty }

    mutating func popFirst() -> Int? { matches.popFirst()?.position }

    mutating func insert(_ song: SongDescription) {
        guard let position = song.entry?.position else { return }
        let key =
            switch query.order {
            case .tag(let tag): song.tags.sortKey(tag)
            case .path: SortKey.number(0)
            case .modified: SortKey.number(song.modifiedSeconds ?? 0)
            case .added: SortKey.number(song.addedSeconds ?? 0)
            }
        var (low, high) = (0, matches.count)
        while low < high {
            let middle = (low + high) / 2
            let other = matches[middle].key
            if query.isDescending ? other < key : key < other { high = middle } else { low = middle + 1 }
        }
        matches.insert((key, position), at: low)
    }
}
