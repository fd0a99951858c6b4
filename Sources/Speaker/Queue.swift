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
    public private(set) var version = Queue.firstVersion
    /// The song id of the next entry; never used before.
    public private(set) var nextSongID = 1
    /// Nobody has edited it: it is what the scans find, in their order.
    public private(set) var followsScans: Bool
    /// The current item's file is away and its entry stands for as long as it is current.
    private var isCurrentAway = false
    private var history = QueueHistory(version: Queue.firstVersion)

    private static let firstVersion = 1
    private static let lastVersion = Int(Int32.max)

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

    /// What of it may be another than at this version: from the first entry that is on, since an edit moves all behind it. All of it
    /// where this version is not known, as after a restart.
    public func positionsChanged(since version: Int) -> Range<Int> {
        if version > self.version { return 0..<count }
        return min(history.firstChange(since: version) ?? count, count)..<count
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
        countUp(from: at)
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
        if isByHand { endFollowing() }
        countUp(from: range.lowerBound)
        return edit
    }

    // MARK: Following the scans

    /// Becomes what the scans found so far, whatever it was. Song ids of what stays are kept.
    public mutating func follow(_ items: [ItemID]) -> Edit {
        let currentID = current?.songID
        var old: [ItemID: Entry] = [:]
        for entry in entries { old[entry.itemID] = entry }
        let before = entries
        entries = items.map { old[$0] ?? makeEntry($0) }
        currentIndex = currentID.flatMap { index(ofSongID: $0) }
        isCurrentAway = false
        followsScans = true
        countUp(from: firstDifference(from: before) ?? entries.count)
        return .replace(entries)
    }

    /// Takes in what a scan found. What stands in the queue already moves to its place; the current entry stays the current.
    /// - Returns: whether anything changed.
    public mutating func arrive(_ arrivals: [Arrival]) -> Bool {
        guard followsScans, !arrivals.isEmpty else { return false }
        let currentID = current?.songID
        let before = entries
        entries = placing(arrivals)
        guard let first = firstDifference(from: before) else { return false }
        currentIndex = currentID.flatMap { index(ofSongID: $0) }
        countUp(from: first)
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
        if let current, items.contains(current.itemID) { isCurrentAway = true }
        func leaves(_ entry: Entry) -> Bool { entry.songID != currentID && items.contains(entry.itemID) }
        guard let first = entries.firstIndex(where: leaves) else { return false }
        entries.removeAll(where: leaves)
        currentIndex = currentID.flatMap { index(ofSongID: $0) }
        countUp(from: first)
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
    }

    /// Where it begins to be another than before; nil where it is the same.
    private func firstDifference(from before: [Entry]) -> Int? {
        let both = min(before.count, entries.count)
        if let first = (0..<both).first(where: { before[$0] != entries[$0] }) { return first }
        return before.count == entries.count ? nil : both
    }

    /// It is another from `index` on.
    private mutating func countUp(from index: Int) {
        if version == Queue.lastVersion {
            version = Queue.firstVersion
            history = QueueHistory(version: version)
        } else {
            version += 1
            history.note(version, from: index)
        }
    }
}

/// The queue takes no more than `limit` entries.
public struct QueueFull: Error, Equatable {
    public let limit: Int
}
