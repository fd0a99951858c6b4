// SPDX-License-Identifier: Apache-2.0
import Posix
import Text
import Wire

/// Stored playlists.
extension Session {
    /// Returns whether the text begins with `scheme://`: anything but a file.
    static func isURL(_ uri: String) -> Bool {
        let scheme = uri.utf8.prefix { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
        return !scheme.isEmpty && uri.utf8.dropFirst(scheme.count).starts(with: "://".utf8)
    }

    func load(_ arguments: [String]) throws(ConsoleError) -> Portions {
        var window = 0..<Argument.maximum
        if arguments.count > 1 { window = try Argument.range(arguments[1]) }
        let position = arguments.count > 2 ? try insertion(arguments[2]) : nil
        return .load(try host.stored.listing(arguments[0]), window: window, into: host, before: position)
    }

    func save(_ name: String) throws(ConsoleError) -> Portions {
        .save(host.queue, as: try host.stored.draft(for: name))
    }

    /// Changes the playlist named by the first argument.
    func changePlaylist(_ change: PlaylistChange) throws(ConsoleError) -> Portions {
        .change(try host.stored.change(arguments[0], change))
    }

    func playlistAdd(_ arguments: [String]) throws(ConsoleError) -> Portions {
        let draft = try host.stored.draft(for: arguments[0])
        let position = arguments.count > 2 ? try Argument.unsigned(arguments[2]) : nil
        if Session.isURL(arguments[1]) {
            try draft.append(arguments[1])
            return .change(draft.add(at: position))
        }
        let songs = try host.contents(of: try Session.folder(arguments[1]), recursive: true)
        return .add(songs, to: draft, at: position)
    }

    func playlistAdd(_ name: String, matching arguments: ArraySlice<String>) throws(ConsoleError) -> Portions {
        let draft = try host.stored.draft(for: name)
        let filter = try SongFilter(arguments, isSearch: true, takesPosition: true)
        let position = try filter.position.map { text throws(ConsoleError) in try Argument.unsigned(text) }
        return try songs(filter.query, onlyTells: false) {
            .add($0, window: filter.window, to: draft, at: position)
        }
    }

    func playlistMove(_ arguments: [String]) throws(ConsoleError) -> Portions {
        let from = try Argument.unsigned(arguments[1])
        let to = try Argument.unsigned(arguments[2])
        return .change(try host.stored.change(arguments[0], .move(from, to: to)))
    }
}
