import Core
import Model

/// What is left of an answer that is given in portions. A session holds it until its peer has got all of it; the commands that the
/// peer sends meanwhile wait.
protocol Portions: AnyObject {
    /// Nobody misses the rest when the peer is gone.
    var onlyTells: Bool { get }
    /// Nothing can be added before a worker has answered. `goOn` of the console is called then.
    var isWaiting: Bool { get }
    /// Adds as much as the budget allows; true once nothing is left.
    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool
}

extension Portions {
    var onlyTells: Bool { true }
    var isWaiting: Bool { false }
}

/// Counts what a window of an answer leaves out.
struct Window {
    private var skipped: Int
    private var left: Int

    init(_ range: Range<Int>) {
        skipped = range.lowerBound
        left = range.count
    }

    var isOver: Bool { left == 0 }

    /// Whether the next one is to be told.
    mutating func takesNext() -> Bool {
        if skipped > 0 {
            skipped -= 1
            return false
        }
        if left == 0 { return false }
        left -= 1
        return true
    }
}

/// The pages of a listing, told element by element.
final class PagePortions<Element>: Portions {
    private let listing: Pages<Element>
    private var window: Window
    private let most: Int?
    private let tell: (Element, inout ResponseBuffer) -> Void

    /// - Parameter most: how many a page has; nil for what the budget allows.
    init(
        _ listing: @escaping Pages<Element>, window: Range<Int> = 0..<Argument.maximum, most: Int? = nil,
        tell: @escaping (Element, inout ResponseBuffer) -> Void
    ) {
        self.listing = listing
        self.window = Window(window)
        self.most = most
        self.tell = tell
    }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        guard !window.isOver, let page = listing(most ?? budget.left) else { return true }
        budget.take(WorkBudget.pageCost)
        for element in page where window.takesNext() { tell(element, &response) }
        return window.isOver
    }
}

/// A worker's answer, once it is there.
final class AwaitedPortions<Value>: Portions {
    private let awaited: Awaited<Value>
    let onlyTells: Bool
    private let otherwise: Value?
    private let tell: (Value, inout ResponseBuffer) throws(ConsoleError) -> Portions?
    private var rest: Portions?

    /// - Parameters:
    ///   - otherwise: what counts in the place of a failure; nil where that is told.
    ///   - tell: gives what follows; nil where that was all.
    init(
        _ awaited: Awaited<Value>, onlyTells: Bool = true, otherwise: Value? = nil,
        tell: @escaping (Value, inout ResponseBuffer) throws(ConsoleError) -> Portions?
    ) {
        self.awaited = awaited
        self.onlyTells = onlyTells
        self.otherwise = otherwise
        self.tell = tell
    }

    var isWaiting: Bool { rest.map { $0.isWaiting } ?? (awaited.outcome == nil) }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        if let rest { return try rest.give(&budget, &response) }
        switch awaited.outcome {
        case nil: return false
        case .success(let value): rest = try tell(value, &response)
        case .failure(let error):
            guard let otherwise else { throw error }
            rest = try tell(otherwise, &response)
        }
        budget.take(WorkBudget.pageCost)
        return rest == nil
    }
}

/// Waits for a change to be made.
func changed(_ change: Awaited<Void>) -> Portions { AwaitedPortions(change, onlyTells: false) { _, _ in nil } }

/// Folders and songs of the library; paths alone where there are no tags.
func libraryPortions(
    _ listing: @escaping Pages<LibraryEntry>, tags: TagSet?, window: Range<Int> = 0..<Argument.maximum
) -> Portions {
    PagePortions(listing, window: window) { entry, response in
        switch entry {
        case .folder(let uri, let modifiedSeconds):
            response.field("directory", path: uri)
            if tags != nil, let modifiedSeconds { response.field("Last-Modified", date: modifiedSeconds) }
        case .song(let song):
            if let tags { response.song(song, tags) } else { response.field("file", path: song.uri) }
        }
    }
}

/// The different values of tags. Of a row and the one before only what differs is told.
func valuePortions(_ listing: @escaping Pages<[String]>, _ tags: [Tag]) -> Portions {
    var last: [String] = []
    return PagePortions(listing) { row, response in
        var differs = last.isEmpty
        for (index, value) in row.enumerated() {
            if !differs && last[index] == value && index < row.count - 1 { continue }
            differs = true
            response.field(tags[index].name, value)
        }
        last = row
    }
}

/// How many songs match, and how long they are together.
final class CountPortions: Portions {
    /// As many groups as are told at once.
    private static let mostGroups = 100

    private let tally: Pages<SongCount>
    private let tag: Tag?
    private var count: SongCount?

    init(_ tally: @escaping Pages<SongCount>, groupedBy tag: Tag?) {
        self.tally = tally
        self.tag = tag
        if tag == nil { count = SongCount(songs: 0, milliseconds: 0) }
    }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        guard let counts = tally(CountPortions.mostGroups) else {
            tell(&response)
            return true
        }
        budget.take(WorkBudget.pageCost)
        for next in counts {
            if count != nil && count?.group == next.group {
                count?.songs += next.songs
                count?.milliseconds += next.milliseconds
            } else {
                tell(&response)
                count = next
            }
        }
        return false
    }

    private func tell(_ response: inout ResponseBuffer) {
        guard let count else { return }
        if let tag, let group = count.group { response.field(tag.name, group) }
        response.field("songs", count.songs)
        response.field("playtime", count.milliseconds / 1000)
    }
}

/// What takes a turn of the loop for each of its steps.
final class StepPortions: Portions {
    let onlyTells: Bool
    private let step: (inout ResponseBuffer) throws(ConsoleError) -> Bool

    /// - Parameter step: true once nothing is left.
    init(onlyTells: Bool, step: @escaping (inout ResponseBuffer) throws(ConsoleError) -> Bool) {
        self.onlyTells = onlyTells
        self.step = step
    }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        budget.take(WorkBudget.turn)
        return try step(&response)
    }
}

/// Puts what a listing lists into the queue, page by page.
final class AddPortions: Portions {
    private let speaker: ConsoleSpeaker
    private let listing: Pages<LibraryEntry>
    private var position: Int?
    private var window: Window

    /// - Parameter position: where the first goes; nil for the end.
    init(
        _ speaker: ConsoleSpeaker, _ listing: @escaping Pages<LibraryEntry>, before position: Int? = nil,
        window: Range<Int> = 0..<Argument.maximum
    ) {
        self.window = Window(window)
        self.speaker = speaker
        self.listing = listing
        self.position = position
    }

    var onlyTells: Bool { false }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        guard let entries = listing(budget.left) else { return true }
        budget.take(WorkBudget.pageCost)
        var songs: [SongDescription] = []
        for case .song(let song) in entries where window.takesNext() { songs.append(song) }
        if songs.isEmpty { return window.isOver }
        // Somebody else may have made the queue shorter meanwhile.
        let place = position.map { min($0, speaker.status.queueLength) }
        _ = try speaker.addToQueue(songs, before: place)
        position = place.map { $0 + songs.count }
        return window.isOver
    }
}

/// The segments of a transcript.
final class SegmentPortions: Portions {
    private let first: Int
    private var segments: ArraySlice<Segment>

    init(_ transcript: TranscriptDescription?) {
        first = transcript?.firstIndex ?? 0
        segments = (transcript?.segments ?? [])[...]
    }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        // Each in its turn: one may be of any length.
        while !budget.isSpent && response.count < SegmentPortions.mostBytes, let segment = segments.popFirst() {
            budget.take(1)
            let index = first + segments.startIndex - 1
            response.field("segment", segment.told(index: index))
        }
        return segments.isEmpty
    }

    private static let mostBytes = 16 * 1024
}
