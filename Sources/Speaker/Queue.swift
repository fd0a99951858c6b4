import Core
import Library
import Scanning

/// What is played, in order, and which of it is current.
///
/// Every edit counts `version` up, and says what it changed, so that only that has to be saved. As long as nobody has edited
/// it, the queue is what the scans find: the library, or the files that were named.
public struct Queue {
    /// One place in the queue. The same item may stand there twice; its song id tells the places apart.
    public struct Entry: Equatable, Sendable {
        public var songID: Int
        public var itemID: ItemID

        public init(songID: Int, itemID: ItemID) {
            self.songID = songID
            self.itemID = itemID
        }
    }

    /// What an edit changed.
    public enum Edit: Equatable, Sendable {
        /// Behind the song of that id; nil: before all others.
        case insert([Entry], after: Int?)
        /// Neighbours, from the one song to the other.
        case remove(first: Int, last: Int)
        /// Nothing of what was is left.
        case replace([Entry])
    }

    /// As many songs as MPD takes by default.
    public static let usualLimit = 16_384

    public private(set) var entries: [Entry] = []
    public private(set) var currentIndex: Int?
    /// From 1 to the largest number of 31 bits, then from 1 again.
    public private(set) var version = 1
    /// The song id of the next entry; never used before.
    public private(set) var nextSongID = 1
    /// Nobody has edited it: it is what the scans find, in their order.
    public private(set) var followsScans: Bool
    /// The current item's file is away and its entry stands for as long as it is current.
    private var isCurrentAway = false

    public init(followsScans: Bool = false) { self.followsScans = followsScans }

    /// Takes up what was saved.
    public init(entries: [Entry], currentSongID: Int?, nextSongID: Int, followsScans: Bool) {
        self.entries = entries
        self.followsScans = followsScans
        self.nextSongID = max(nextSongID, 1 + (entries.map { $0.songID }.max() ?? 0))
        currentIndex = currentSongID.flatMap { id in entries.firstIndex { $0.songID == id } }
    }

    // MARK: Asking

    public var isEmpty: Bool { entries.isEmpty }
    public var count: Int { entries.count }
    public var current: Entry? { currentIndex.map { entries[$0] } }

    public func index(ofSongID id: Int) -> Int? { entries.firstIndex { $0.songID == id } }

    public func index(ofItem id: ItemID) -> Int? { entries.firstIndex { $0.itemID == id } }

    /// Where the queue goes on after an item that was played; nil at the end. The same item may stand in it twice, so the current
    /// entry is asked first.
    public func index(following item: ItemID) -> Int? {
        let index: Int?
        if let current = currentIndex, entries[current].itemID == item {
            index = current
        } else {
            let from = currentIndex ?? 0
            index =
                entries[from...].firstIndex { $0.itemID == item } ?? entries[..<from].firstIndex { $0.itemID == item }
        }
        guard let index, index + 1 < entries.count else { return nil }
        return index + 1
    }

    /// The most entries that there may be: an edit of a library that is larger makes it no larger.
    public var limit: Int { max(Queue.usualLimit, entries.count) }

    // MARK: Going

    /// Makes an entry the current one.
    /// - Returns: an edit where the entry that was current stood for an item that is away, and left with this.
    @discardableResult
    public mutating func setCurrent(_ index: Int?) -> Edit? {
        let old = currentIndex
        currentIndex = index
        guard isCurrentAway, let old, old != index else { return nil }
        isCurrentAway = false
        return remove(old..<old + 1, isByHand: false)
    }

    // MARK: Edits by hand

    /// Puts items before the entry at `index`, or at the end.
    /// - Returns: what changed, and the first entry's song id; nil where there are no items.
    public mutating func insert(
        _ items: [ItemID], at index: Int? = nil
    ) throws(QueueFull) -> (edit: Edit, firstSongID: Int)? {
        guard items.count <= limit - entries.count else { throw QueueFull(limit: limit) }
        guard !items.isEmpty else { return nil }
        let at = min(entries.count, max(0, index ?? entries.count))
        let new = items.map { makeEntry($0) }
        entries.insert(contentsOf: new, at: at)
        if let current = currentIndex, current >= at { currentIndex = current + new.count }
        endFollowing()
        return (.insert(new, after: at == 0 ? nil : entries[at - 1].songID), new[0].songID)
    }

    /// Takes entries out. If the current is among them, none is current any more.
    public mutating func remove(_ range: Range<Int>) -> Edit? { remove(range, isByHand: true) }

    private mutating func remove(_ range: Range<Int>, isByHand: Bool) -> Edit? {
        let range = range.clamped(to: 0..<entries.count)
        guard !range.isEmpty else { return nil }
        let edit = Edit.remove(first: entries[range.lowerBound].songID, last: entries[range.upperBound - 1].songID)
        entries.removeSubrange(range)
        if let current = currentIndex {
            if range.contains(current) {
                currentIndex = nil
                isCurrentAway = false
            } else if current >= range.upperBound {
                currentIndex = current - range.count
            }
        }
        if isByHand { endFollowing() } else { countUp() }
        return edit
    }

    // MARK: Following the scans

    /// Becomes what the scans found so far, whatever it was. Song ids of what stays are kept.
    public mutating func follow(_ items: [ItemID]) -> Edit {
        let currentID = current?.songID
        var old: [ItemID: Entry] = [:]
        for entry in entries { old[entry.itemID] = entry }
        entries = items.map { old[$0] ?? makeEntry($0) }
        currentIndex = currentID.flatMap { index(ofSongID: $0) }
        isCurrentAway = false
        followsScans = true
        countUp()
        return .replace(entries)
    }

    /// Takes in what a scan found. What stands in the queue already moves to its place; the current entry stays the current.
    /// - Returns: whether anything changed.
    public mutating func arrive(_ arrivals: [Arrival]) -> Bool {
        guard followsScans, !arrivals.isEmpty else { return false }
        let currentID = current?.songID
        let before = entries
        entries = placing(arrivals)
        if entries == before { return false }
        currentIndex = currentID.flatMap { index(ofSongID: $0) }
        countUp()
        return true
    }

    /// The entries with the arrivals at their places: one pass, and none where all come behind the end.
    private mutating func placing(_ arrivals: [Arrival]) -> [Entry] {
        let arriving = Set(arrivals.map { $0.id })
        if let current, arriving.contains(current.itemID) { isCurrentAway = false }
        var known: [ItemID: Entry] = [:]
        for entry in entries where arriving.contains(entry.itemID) { known[entry.itemID] = entry }
        var rest = known.isEmpty ? entries : entries.filter { !arriving.contains($0.itemID) }
        var first: [Entry] = []
        var last: [Entry] = []
        var behind: [ItemID: [Entry]] = [:]
        /// What each arrival is to stand behind in the end, where it comes behind another arrival.
        var anchors: [ItemID: ItemID] = [:]
        var lastItem = rest.last?.itemID
        for arrival in arrivals {
            let entry = known[arrival.id] ?? makeEntry(arrival.id)
            switch arrival.place {
            case .first: first.append(entry)
            case .behind(let other) where other != lastItem:
                let anchor = anchors[other] ?? other
                behind[anchor, default: []].append(entry)
                anchors[arrival.id] = anchor
            case .behind, .last:
                last.append(entry)
                lastItem = arrival.id
            }
        }
        if first.isEmpty && behind.isEmpty { return rest + last }
        rest = first + rest + last
        if behind.isEmpty { return rest }
        var merged: [Entry] = []
        merged.reserveCapacity(rest.count + arrivals.count)
        for entry in rest {
            merged.append(entry)
            if let more = behind.removeValue(forKey: entry.itemID) { merged += more }
        }
        // What they are to stand behind is not there.
        for more in behind.values { merged += more }
        return merged
    }

    /// Takes out what a scan found to be away. The current entry stays for as long as it is current: it may be playing, and what
    /// follows it must be known.
    /// - Returns: whether anything changed.
    public mutating func lose(_ items: Set<ItemID>) -> Bool {
        guard followsScans else { return false }
        let currentID = current?.songID
        let before = entries.count
        if let current, items.contains(current.itemID) { isCurrentAway = true }
        entries.removeAll { $0.songID != currentID && items.contains($0.itemID) }
        if entries.count == before { return false }
        currentIndex = currentID.flatMap { index(ofSongID: $0) }
        countUp()
        return true
    }

    // MARK: Pieces

    private mutating func makeEntry(_ item: ItemID) -> Entry {
        defer { nextSongID += 1 }
        return Entry(songID: nextSongID, itemID: item)
    }

    private mutating func endFollowing() {
        followsScans = false
        isCurrentAway = false
        countUp()
    }

    private mutating func countUp() { version = version == Int(Int32.max) ? 1 : version + 1 }
}

/// The queue takes no more than `limit` entries.
public struct QueueFull: Error, Equatable {
    public let limit: Int
}
