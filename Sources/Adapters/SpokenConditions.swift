import Console
import Library

/// Finds the songs in which words are said that conditions ask for, before the songs themselves are listed: in portions, since it
/// may take many.
final class SpokenConditions {
    private let library: Library
    private var found: [(words: String, items: ItemSet)] = []
    private var left: [String] = []
    private var search: SpokenSearch?
    private var items = ItemSet()

    init(_ condition: SongCondition, _ library: Library) {
        self.library = library
        collect(condition)
    }

    private func collect(_ condition: SongCondition) {
        switch condition {
        case .said(let words): if !left.contains(words) { left.append(words) }
        case .not(let condition): collect(condition)
        case .all(let conditions): for condition in conditions { collect(condition) }
        default: break
        }
    }

    /// Nothing is left to be found.
    var isDone: Bool { left.isEmpty }

    /// Goes a portion further.
    func goOn() {
        guard let words = left.last else { return }
        if search == nil { search = SpokenSearch(library, words) }
        if let page = search?.nextItems() {
            for id in page { items.insert(id) }
            return
        }
        found.append((words, items))
        left.removeLast()
        search = nil
        items = ItemSet()
    }

    /// Once all is found: those in which it is said.
    func items(_ words: String) -> ItemSet { found.first { $0.words == words }?.items ?? ItemSet() }
}

/// A listing that is made once it is known in which songs the words are said.
final class SpokenEntryListing: EntryListing {
    private let spoken: SpokenConditions
    private let make: () -> EntryListing
    private var listing: EntryListing?

    init(_ spoken: SpokenConditions, make: @escaping () -> EntryListing) {
        self.spoken = spoken
        self.make = make
    }

    func next(_ limit: Int) -> [LibraryEntry]? {
        if let listing { return listing.next(limit) }
        if spoken.isDone { listing = make() } else { spoken.goOn() }
        return []
    }
}

/// The same for counting.
final class SpokenTally: SongTally {
    private let spoken: SpokenConditions
    private let make: () -> SongTally
    private var tally: SongTally?

    init(_ spoken: SpokenConditions, make: @escaping () -> SongTally) {
        self.spoken = spoken
        self.make = make
    }

    func next() -> [SongCount]? {
        if let tally { return tally.next() }
        if spoken.isDone { tally = make() } else { spoken.goOn() }
        return []
    }
}

/// The same for the values of tags.
final class SpokenValueListing: ValueListing {
    private let spoken: SpokenConditions
    private let make: () -> ValueListing
    private var listing: ValueListing?

    init(_ spoken: SpokenConditions, make: @escaping () -> ValueListing) {
        self.spoken = spoken
        self.make = make
    }

    func next(_ limit: Int) -> [[String]]? {
        if let listing { return listing.next(limit) }
        if spoken.isDone { listing = make() } else { spoken.goOn() }
        return []
    }
}
