// SPDX-License-Identifier: Apache-2.0
import Console
import Core
import Library
import Speaker

/// Favourites and bookmarks for other speakers.
extension ConsoleAdapter {
    public func kept() -> Pages<String> {
        var cursor: Library.KeptCursor? = .start
        return { [library] limit in
            guard let last = cursor else { return nil }
            let page = library.keptObjects(after: last, limit: limit)
            cursor = page.next
            return page.objects
        }
    }

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
