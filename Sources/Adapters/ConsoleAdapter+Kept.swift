import Console
import Core
import Library
import Speaker

/// Favourites and bookmarks for other speakers.
extension ConsoleAdapter {
    public func kept() -> KeptListing { KeptObjects(library) }

    public func takeIn(kept object: String) throws(ConsoleError) -> Bool {
        switch library.takeIn(keptObject: object) {
        case .added:
            speaker.keptDidChange()
            return true
        case .alreadyThere: return false
        case .notSaved: throw ConsoleError(.system, "It could not be saved")
        case .refused: throw ConsoleError(.argument, "No favourite and no bookmark")
        }
    }
}

private final class KeptObjects: KeptListing {
    private let library: Library
    private var cursor: Library.KeptCursor? = .start

    init(_ library: Library) { self.library = library }

    func next(_ limit: Int) -> [String]? {
        guard let cursor else { return nil }
        let page = library.keptObjects(after: cursor, limit: limit)
        self.cursor = page.next
        return page.objects
    }
}
