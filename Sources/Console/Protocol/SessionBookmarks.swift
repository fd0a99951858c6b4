// SPDX-License-Identifier: Apache-2.0
import Library
import Model
import Posix
import Speaker
import Wire

/// Bookmarks.
extension Session {
    func bookmark(_ arguments: [String]) throws(ConsoleError) -> Portions? {
        let rest = arguments.dropFirst()
        if rest.count > (arguments[0] == "add" ? 0 : 1) {
            throw ConsoleError(.argument, "too many arguments for \"bookmark \(arguments[0])\"")
        }
        switch arguments[0] {
        case "list":
            let range = try rest.first.map { text throws(ConsoleError) in try Argument.range(text) }
            return .pages(
                pages(range ?? 0..<Argument.maximum) { host.library.bookmarks(offset: $0.lowerBound, limit: $0.count) }
            ) {
                bookmark, response in
                response.field("bookmark", bookmark.number)
                response.field("file", path: host.names.uri(of: bookmark.path))
                response.field("Title", bookmark.title)
                response.field("start", milliseconds: bookmark.milliseconds)
                response.field("added", date: bookmark.addedSeconds)
                if !bookmark.words.isEmpty { response.field("text", bookmark.words) }
            }
        case "add":
            try checkCurrent()
            switch host.speaker.addBookmark() {
            case .added: break
            case .notSaved: throw ConsoleError(.system, "The bookmark could not be saved")
            default: throw ConsoleError(.exists, "already a bookmark")
            }
        case "remove":
            let number = try rest.first.map { text throws(ConsoleError) in Int64(try Argument.integer(text)) }
            if number == nil { try checkCurrent() }
            if !host.speaker.removeBookmark(number) { throw ConsoleError(.noExist, "no such bookmark") }
        case "play":
            guard let text = rest.first else {
                throw ConsoleError(.argument, "too few arguments for \"bookmark play\"")
            }
            guard let bookmark = host.library.bookmark(Int64(try Argument.integer(text))) else {
                throw ConsoleError(.noExist, "no such bookmark")
            }
            try host.play(song: bookmark.itemID, fromMilliseconds: bookmark.milliseconds)
        default: throw Argument.wrong(arguments[0], "add, remove, list or play expected")
        }
        return nil
    }

    private func checkCurrent() throws(ConsoleError) {
        if host.status.current == nil { throw ConsoleError(.playerSync, "Nothing is playing") }
    }
}
