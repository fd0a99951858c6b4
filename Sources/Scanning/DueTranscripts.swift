import Library
import Model
import Transcript

/// Which transcripts are to be taken in next: those beside the items of a walk through the library, and what was fetched.
struct DueTranscripts {
    struct Due {
        let item: Library.SpokenState
        let stamp: Int64
        /// What reads it; nil for what lies beside the item or in it.
        var reader: FetchedTranscript?
    }

    /// Each holds a file open until it is its turn; more come again when their podcast is asked for the next time.
    private static let mostFetched = 32

    /// What is behind it was not looked at.
    private(set) var cursor: Library.PresentCursor?
    /// The walk is not over.
    private(set) var hasNextPage = false
    /// Of the page that was looked at last, the next at the end.
    private var found: [Due] = []
    /// The next first.
    private var fetched: [Due] = []

    var hasFetched: Bool { !fetched.isEmpty }

    /// Walks from the first item.
    mutating func restart() {
        cursor = nil
        hasNextPage = true
        found = []
    }

    /// Nil where more of the walk has to be looked at, if there is more.
    mutating func next() -> Due? { found.popLast() ?? (fetched.isEmpty ? nil : fetched.removeFirst()) }

    /// Comes behind what was fetched before.
    /// - Returns: false where it is there already, or too many are.
    mutating func add(_ due: Due) -> Bool {
        guard fetched.count < DueTranscripts.mostFetched, !fetched.contains(where: { $0.item.id == due.item.id })
        else { return false }
        fetched.append(due)
        return true
    }

    /// A page of the walk is being looked at, behind which it goes on.
    mutating func didRead(until next: Library.PresentCursor?) {
        cursor = next
        hasNextPage = next != nil
    }

    mutating func didLook(_ found: [Due]) { self.found = found.reversed() }
}
