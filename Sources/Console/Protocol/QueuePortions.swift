import Core
import Model

/// Songs of the queue as it stood when they were asked for, whatever is done to it meanwhile.
final class QueuePortions: Portions {
    private let queue: QueueListing
    private var positions: Positions
    private let tell: (SongDescription, inout ResponseBuffer) -> Void

    init(
        _ queue: QueueListing, _ positions: [Range<Int>],
        tell: @escaping (SongDescription, inout ResponseBuffer) -> Void
    ) {
        self.queue = queue
        self.positions = Positions(positions)
        self.tell = tell
    }

    convenience init(_ queue: QueueListing, _ positions: [Range<Int>], tags: TagSet) {
        self.init(queue, positions) { $1.song($0, tags) }
    }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        let page = positions.next(budget.left)
        budget.take(max(1, page.count))
        for song in queue.songs(page) { tell(song, &response) }
        return positions.isEmpty
    }
}

/// Positions and Ids of the queue, which need no look into the library.
final class QueueNumberPortions: Portions {
    private static let numbersForASong = 16
    private let queue: QueueListing
    private var positions: Positions

    init(_ queue: QueueListing, _ positions: [Range<Int>]) {
        self.queue = queue
        self.positions = Positions(positions)
    }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        let page = positions.next(budget.left * QueueNumberPortions.numbersForASong)
        budget.take(max(1, page.count / QueueNumberPortions.numbersForASong))
        for position in page {
            response.field("cpos", position)
            response.field("Id", queue.songID(at: position))
        }
        return positions.isEmpty
    }
}

/// Places of the queue that are told, a page of neighbours at a time.
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

/// Songs of the queue that match, in the queue's order or by a tag.
final class QueueSearchPortions: Portions {
    private let queue: QueueListing
    private let filter: SongFilter
    private let tags: TagSet
    private var window: Window
    private var unseen: Range<Int>
    /// The matches with their keys in order, where they are to be sorted.
    private var matches: [(key: SortKey, position: Int)] = []
    private var toldCount = 0

    init(_ queue: QueueListing, _ filter: SongFilter, tags: TagSet) {
        self.queue = queue
        self.filter = filter
        self.tags = tags
        window = Window(filter.window)
        unseen = 0..<queue.count
    }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        if unseen.isEmpty { return tell(&budget, &response) }
        let page = unseen.prefix(budget.left)
        budget.take(page.count)
        unseen = page.upperBound..<unseen.upperBound
        for song in queue.songs(page) where filter.query.match?.holds(song) ?? true {
            if filter.query.order != .path {
                insert(song, by: filter.query.order)
            } else if window.takesNext() {
                response.song(song, tags)
            }
        }
        return window.isOver || (unseen.isEmpty && matches.isEmpty)
    }

    private func insert(_ song: SongDescription, by order: ItemQuery.Order) {
        guard let position = song.entry?.position else { return }
        let key =
            switch order {
            case .tag(let tag): song.tags.sortKey(tag)
            case .path: SortKey.number(0)
            case .modified: SortKey.number(song.modifiedSeconds ?? 0)
            case .added: SortKey.number(song.addedSeconds ?? 0)
            }
        var low = 0
        var high = matches.count
        while low < high {
            let middle = (low + high) / 2
            let other = matches[middle].key
            if filter.query.isDescending ? other < key : key < other { high = middle } else { low = middle + 1 }
        }
        matches.insert((key, position), at: low)
    }

    private func tell(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) -> Bool {
        while !budget.isSpent && toldCount < matches.count && !window.isOver {
            let position = matches[toldCount].position
            toldCount += 1
            if !window.takesNext() { continue }
            budget.take(1)
            for song in queue.songs(position..<position + 1) { response.song(song, tags) }
        }
        return toldCount == matches.count || window.isOver
    }
}
