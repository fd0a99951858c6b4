import Console
import Library
import Model

/// Finds the songs in which words are said that conditions ask for, before the songs themselves are listed: in portions, since it
/// may take many.
final class SpokenConditions {
    private let library: Library
    private var found: [(words: String, items: ItemSet)] = []
    private var left: [String] = []
    private var search: SpokenSearch?
    private var items = ItemSet()

    init(_ condition: ItemFilter, _ library: Library) {
        self.library = library
        collect(condition)
    }

    private func collect(_ condition: ItemFilter) {
        switch condition {
        case .said(let words): if !left.contains(words) { left.append(words) }
        case .not(let condition): collect(condition)
        case .and(let conditions): for condition in conditions { collect(condition) }
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

    /// A listing that is made once all is found.
    func pages<Element>(_ make: @escaping () -> Pages<Element>) -> Pages<Element> {
        var pages = isDone ? make() : nil
        return { [self] limit in
            if let pages { return pages(limit) }
            if isDone { pages = make() } else { goOn() }
            return []
        }
    }
}
