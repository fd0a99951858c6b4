// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Wire

/// The rest of an answer, in portions. A session holds it until its client has all of it; further commands of the client wait meanwhile. A
/// listing is a function that returns one: its closure captures the listing's state.
final class Portions {
    /// True if it changes nothing: it may stop when the client is gone.
    let onlyTells: Bool
    private let isHeldUp: () -> Bool
    private let giveMore: (inout WorkBudget, inout ResponseBuffer) throws(ConsoleError) -> Bool

    /// - Parameters:
    ///   - isWaiting: true if a worker must answer first. The console's `goOn` is called then.
    ///   - give: adds as much as the budget allows; returns true once nothing is left.
    init(
        onlyTells: Bool = true, isWaiting: @autoclosure @escaping () -> Bool = false,
        give: @escaping (inout WorkBudget, inout ResponseBuffer) throws(ConsoleError) -> Bool
    ) {
        self.onlyTells = onlyTells
        isHeldUp = isWaiting
        giveMore = give
    }

    var isWaiting: Bool { isHeldUp() }

    /// Adds as much as the budget allows; returns true once nothing is left.
    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        try giveMore(&budget, &response)
    }
}

/// A window of an answer, which counts the elements outside.
struct Window {
    private var skipped: Int
    private var left: Int

    init(_ range: Range<Int>) {
        skipped = range.lowerBound
        left = range.count
    }

    var isOver: Bool { left == 0 }

    /// Returns whether the next element is inside the window.
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

extension Portions {
    /// Writes the pages of a listing, element by element.
    /// - Parameter most: the size of a page; nil for the budget's size.
    static func pages<Element>(
        _ listing: @escaping Pages<Element>, window: Range<Int> = 0..<Argument.maximum, most: Int? = nil,
        tell: @escaping (Element, inout ResponseBuffer) -> Void
    ) -> Portions {
        var window = Window(window)
        return Portions { budget, response in
            guard !window.isOver, let page = listing(most ?? budget.left) else { return true }
            budget.take(WorkBudget.pageCost)
            for element in page where window.takesNext() { tell(element, &response) }
            return window.isOver
        }
    }

    /// Writes a worker's answer, once it is there.
    /// - Parameters:
    ///   - otherwise: replaces a failure; nil reports the failure.
    ///   - tell: writes the answer; returns the rest, or nil if that was all.
    static func awaited<Value>(
        _ awaited: Awaited<Value>, onlyTells: Bool = true, otherwise: Value? = nil,
        tell: @escaping (Value, inout ResponseBuffer) throws(ConsoleError) -> Portions?
    ) -> Portions {
        var rest: Portions?
        return Portions(onlyTells: onlyTells, isWaiting: rest.map { $0.isWaiting } ?? (awaited.outcome == nil)) {
            budget, response throws(ConsoleError) in
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

    /// Waits for a change to complete.
    static func change(_ change: Awaited<Void>) -> Portions { .awaited(change, onlyTells: false) { _, _ in nil } }

    /// Runs each step in a turn of the loop.
    /// - Parameter step: returns true once nothing is left.
    static func steps(
        onlyTells: Bool, step: @escaping (inout ResponseBuffer) throws(ConsoleError) -> Bool
    ) -> Portions {
        Portions(onlyTells: onlyTells) { budget, response throws(ConsoleError) in
            budget.take(WorkBudget.turn)
            return try step(&response)
        }
    }

    /// Joins answers, one after the other.
    static func joined(_ parts: [Portions]) -> Portions {
        var parts = parts
        return Portions(isWaiting: parts.first?.isWaiting ?? false) { budget, response throws(ConsoleError) in
            guard let part = parts.first else { return true }
            if try part.give(&budget, &response) { parts.removeFirst() }
            return parts.isEmpty
        }
    }

    // MARK: The library

    /// Lists folders and songs of the library; only paths without tags.
    static func library(
        _ listing: @escaping Pages<LibraryEntry>, tags: TagSet?, window: Range<Int> = 0..<Argument.maximum
    ) -> Portions {
        .pages(listing, window: window) { entry, response in
            switch entry {
            case .folder(let uri, let modifiedSeconds):
                response.field("directory", path: uri)
                if tags != nil, let modifiedSeconds { response.field("Last-Modified", date: modifiedSeconds) }
            case .song(let song):
                if let tags { response.song(song, tags) } else { response.field("file", path: song.uri) }
            }
        }
    }

    /// Lists the different values of tags: of each row the difference from the row before.
    static func values(_ listing: @escaping Pages<[String]>, of tags: [Tag]) -> Portions {
        var last: [String] = []
        return .pages(listing) { row, response in
            var differs = last.isEmpty
            for (index, value) in row.enumerated() {
                if !differs && last[index] == value && index < row.count - 1 { continue }
                differs = true
                response.field(tags[index].name, value)
            }
            last = row
        }
    }

    /// Reports the number of matching songs, and their total length.
    static func count(_ tally: @escaping Pages<SongCount>, groupedBy tag: Tag?) -> Portions {
        /// The number of groups in one portion.
        let mostGroups = 100
        var count = tag == nil ? SongCount(songs: 0, milliseconds: 0) : nil
        func tell(_ response: inout ResponseBuffer) {
            guard let count else { return }
            if let tag, let group = count.group { response.field(tag.name, group) }
            response.field("songs", count.songs)
            response.field("playtime", count.milliseconds / 1000)
        }
        return Portions { budget, response in
            guard let counts = tally(mostGroups) else {
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
    }

    /// Lists the segments of a transcript.
    static func segments(_ transcript: TranscriptDescription?) -> Portions {
        let mostBytes = 16 * 1024
        let first = transcript?.firstIndex ?? 0
        var segments = (transcript?.segments ?? [])[...]
        return Portions { budget, response in
            // One segment at a time, since it may have any length.
            while !budget.isSpent && response.count < mostBytes, let segment = segments.popFirst() {
                budget.take(1)
                response.field("segment", segment.told(index: first + segments.startIndex - 1))
            }
            return segments.isEmpty
        }
    }
}
