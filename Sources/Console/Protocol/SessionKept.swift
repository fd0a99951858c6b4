// SPDX-License-Identifier: Apache-2.0
import Library
import Posix
import Speaker
import Wire

/// Favorites and bookmarks for other speakers, and from them.
extension Session {
    /// Answers `favourite export` and `favourite import OBJECT`.
    func exchange(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) -> Portions? {
        let isExport = arguments[0] == "export"
        if arguments.count != (isExport ? 1 : 2) {
            throw ConsoleError(.argument, isExport ? "no argument expected" : "one object of JSON expected")
        }
        if isExport {
            response.field("version", 1)
            var cursor: Library.KeptCursor? = .start
            let kept: Pages<String> = { [library = host.library] limit in
                guard let last = cursor else { return nil }
                let page = library.keptObjects(after: last, limit: limit)
                cursor = page.next
                return page.objects
            }
            return .pages(kept) { $1.field("kept", $0) }
        }
        switch host.library.takeIn(keptObject: arguments[1]) {
        case .added: host.speaker.keptDidChange()
        case .alreadyThere: throw ConsoleError(.exists, "kept already")
        case .notSaved: throw ConsoleError(.system, "It could not be saved")
        case .refused: throw ConsoleError(.argument, "No favourite and no bookmark")
        }
        return nil
    }
}
