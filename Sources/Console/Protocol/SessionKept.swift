import Posix

/// Favourites and bookmarks for other speakers, and from them.
extension Session {
    /// `favourite export`, `favourite import OBJECT`.
    func exchange(_ arguments: [String]) throws(ConsoleError) -> Portions? {
        let isExport = arguments[0] == "export"
        if arguments.count != (isExport ? 1 : 2) {
            throw ConsoleError(.argument, isExport ? "no argument expected" : "one object of JSON expected")
        }
        if isExport { return KeptPortions(speaker.kept()) }
        if !(try speaker.takeIn(kept: arguments[1])) { throw ConsoleError(.exists, "kept already") }
        return nil
    }
}

/// What is kept, an object a line.
final class KeptPortions: Portions {
    private let listing: Pages<String>
    private var hasBegun = false

    init(_ listing: @escaping Pages<String>) { self.listing = listing }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        if !hasBegun { response.field("version", 1) }
        hasBegun = true
        guard let page = listing(budget.left) else { return true }
        budget.take(WorkBudget.pageCost)
        for object in page { response.field("kept", object) }
        return false
    }
}
