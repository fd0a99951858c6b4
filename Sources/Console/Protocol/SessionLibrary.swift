// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Posix
import Text
import Wire

/// The library and the favorites.
extension Session {
    /// Returns a path in the speaker's form: no slash at its end, and no part that leaves the library. "" is the whole library. A path
    /// after file:// is absolute.
    static func folder(_ argument: String?) throws(ConsoleError) -> String {
        guard var argument else { return "" }
        if argument.begins(with: "file:///") { argument = argument.dropping(bytes: 7) }
        var bytes = Array(argument.utf8)
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        for part in bytes.split(separator: UInt8(ascii: "/")) where part == [0x2E] || part == [0x2E, 0x2E] {
            throw Argument.wrong(argument, "Malformed path")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func library(
        _ argument: String?, recursive: Bool, withTags: Bool
    ) throws(ConsoleError) -> Portions {
        var folder = ""
        do throws(ConsoleError) { folder = try Session.folder(argument) } catch {
            // MPD looks for it, and finds none.
            throw ConsoleError(.noExist, "No such directory: " + Argument.shortened(argument ?? ""))
        }
        let entries = try host.contents(of: folder, recursive: recursive)
        // The list of a whole tree includes its root, but not the library's own folder.
        let isTree = recursive && !folder.isEmpty && host.song(at: folder) == nil
        let portions = Portions.library(entries, tags: withTags ? visibleTags : nil)
        if isTree {
            let top = pages(of: [LibraryEntry.folder(uri: folder, modifiedSeconds: nil)])
            return .joined([.library(top, tags: nil), portions])
        }
        if recursive || !folder.isEmpty { return portions }
        // The top of the library also lists the stored playlists, if they can be read.
        let names = Portions.awaited(host.stored.listKnown(), otherwise: []) { names, _ in .playlistNames(names) }
        return .joined([portions, names])
    }

    func library(matching arguments: ArraySlice<String>, isSearch: Bool) throws(ConsoleError) -> Portions {
        let filter = try SongFilter(arguments, isSearch: isSearch)
        let tags = visibleTags
        return try songs(filter.query) { .library($0, tags: tags, window: filter.window) }
    }

    /// Runs a command on the library's songs for a query.
    func songs(
        _ query: ItemQuery, onlyTells: Bool = true, _ make: @escaping (@escaping Pages<LibraryEntry>) -> Portions
    ) throws(ConsoleError) -> Portions {
        let host = host
        return try known(query.filter ?? .and([]), onlyTells: onlyTells) { condition in
            make(
                host.songs(
                    ItemQuery(filter: condition, order: query.order, isDescending: query.isDescending)))
        }
    }

    /// Continues with a condition once its spoken words have been looked up. Refuses a missing folder, as MPD does.
    private func known(
        _ condition: ItemFilter, onlyTells: Bool = true, _ make: @escaping (ItemFilter) -> Portions
    ) throws(ConsoleError) -> Portions {
        if let folder = condition.commonBase() { _ = try host.contents(of: folder, recursive: false) }
        return resolved(condition, onlyTells, make)
    }

    private func resolved(
        _ condition: ItemFilter, _ onlyTells: Bool, _ make: @escaping (ItemFilter) -> Portions
    ) -> Portions {
        guard let words = condition.wordsSaid() else { return make(condition) }
        return .awaited(host.songs(saying: words), onlyTells: onlyTells) { items, _ in
            resolved(condition.replacing(said: words, with: items), onlyTells, make)
        }
    }

    func values(_ arguments: [String]) throws(ConsoleError) -> Portions? {
        let name = arguments[0]
        var rest = arguments.dropFirst()
        let isFile = name.lowerCase == "file" || name.lowerCase == "filename"
        if isFile {
            let condition = rest.isEmpty ? .and([]) : try SongFilter.condition(rest, isSearch: false)
            return try songs(ItemQuery(filter: condition)) { .library($0, tags: nil) }
        }
        guard let tag = Tag(name: name) else { throw Argument.wrong(name, "Unknown tag type") }
        // MPD's oldest form: `list album NAME` means the albums of that artist.
        if rest.count == 1, let artist = rest.first, artist.utf8.first != UInt8(ascii: "(") {
            if tag != .album { throw ConsoleError(.argument, "should be \"Album\" for 3 arguments") }
            let condition = ItemFilter.match(.tag(.artist), .equals, artist, foldsCase: false)
            return .values(host.values(of: [tag], matching: condition), of: [tag])
        }
        var tags: [Tag] = []
        while let name = SongFilter.take("group", &rest) {
            guard let group = Tag(name: name) else { throw Argument.wrong(name, "Unknown tag type") }
            if group == tag || tags.contains(group) { throw ConsoleError(.argument, "Conflicting group") }
            tags.append(group)
        }
        tags.append(tag)
        let condition = rest.isEmpty ? .and([]) : try SongFilter.condition(rest, isSearch: false)
        let (host, wanted) = (host, tags)
        return try known(condition) { .values(host.values(of: wanted, matching: $0), of: wanted) }
    }

    func letters(_ arguments: [String]) throws(ConsoleError) -> Portions {
        let window = try arguments.count < 2 ? 0..<Argument.maximum : Argument.range(arguments[1])
        return .letters(host, after: arguments.first ?? "", window: window)
    }

    func count(_ arguments: [String]) throws(ConsoleError) -> Portions {
        var rest = arguments[...]
        var tag: Tag?
        if let name = SongFilter.take("group", &rest) {
            tag = Tag(name: name)
            if tag == nil { throw Argument.wrong(name, "Unknown tag type") }
        }
        let condition = rest.isEmpty ? .and([]) : try SongFilter.condition(rest, isSearch: false)
        let (host, group) = (host, tag)
        return try known(condition) { .count(host.tally($0, groupedBy: group), groupedBy: group) }
    }

    func update(_ argument: String?, readsAnew: Bool, _ response: inout ResponseBuffer) throws(ConsoleError) {
        response.field("updating_db", try host.updateLibrary(Session.folder(argument), readsAnew: readsAnew))
    }

    /// Reports the library in numbers.
    func statistics() -> Portions {
        let tally = host.statistics()
        return .steps(onlyTells: true) { response in
            guard let statistics = tally() else { return false }
            response.field("artists", statistics.artists)
            response.field("albums", statistics.albums)
            response.field("songs", statistics.items)
            response.field("uptime", statistics.uptimeSeconds)
            response.field("db_playtime", statistics.durationMilliseconds / 1000)
            response.field("db_update", statistics.updatedSeconds)
            response.field("playtime", statistics.playedSeconds)
            if let week = statistics.week {
                response.field("week", week.milliseconds.map { "\($0 / 1000)" }.joined(separator: " "))
            }
            for (name, hours) in [("hours", statistics.heardHours), ("xruns", statistics.underrunHours)] {
                if let hours { response.field(name, hours.counts.map { "\($0)" }.joined(separator: " ")) }
            }
            return true
        }
    }

    private static let forgetsAfterDays = 365

    /// Forgets items with files that have been missing for long.
    func forget(_ argument: String?) throws(ConsoleError) -> Portions {
        let days = try argument.map { text throws(ConsoleError) in try Argument.integer(text, in: 0...36_500) }
        let (host, after) = (host, days ?? Session.forgetsAfterDays)
        var count = 0
        return .steps(onlyTells: false) { response throws(ConsoleError) in
            let forgotten = try host.forgetItems(goneForDays: after)
            count += forgotten
            if forgotten == 0 { response.field("forgotten", count) }
            return forgotten == 0
        }
    }

    // MARK: Favourites

    func favourite(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) -> Portions? {
        let rest = arguments.dropFirst()
        switch arguments[0] {
        case "list":
            return try favourites(rest)
        case "export", "import":
            return try exchange(arguments, &response)
        case "add", "remove":
            if rest.count > 1 { throw ConsoleError(.argument, "too many arguments for \"favourite \(arguments[0])\"") }
            if rest.isEmpty && host.status.current == nil {
                throw ConsoleError(.playerSync, "Nothing is playing; name a file")
            }
            if arguments[0] == "add" {
                if !(try host.addFavourite(rest.first)) {
                    throw ConsoleError(.exists, "already in favourites")
                }
            } else if !(try host.removeFavourite(rest.first)) {
                throw ConsoleError(.noExist, "not in favourites")
            }
        default:
            throw Argument.wrong(arguments[0], "add, remove or list expected")
        }
        return nil
    }

    private func favourites(_ arguments: ArraySlice<String>) throws(ConsoleError) -> Portions {
        var order = Favourite.Order.newest
        var range = 0..<Argument.maximum
        var hasRange = false
        for (index, argument) in arguments.enumerated() {
            switch argument {
            case "newest" where index == 0: order = .newest
            case "title" where index == 0: order = .title
            case "duration" where index == 0: order = .duration
            case "plays" where index == 0: order = .mostPlayed
            default:
                if hasRange || !(argument.utf8.first ?? 0).isDigit {
                    throw Argument.wrong(argument, "[newest|title|duration|plays] [START:END] expected")
                }
                range = try Argument.range(argument)
                hasRange = true
            }
        }
        let (host, chosen) = (host, order)
        return .pages(pages(range) { host.library.favourites(by: chosen, offset: $0.lowerBound, limit: $0.count) }) {
            $1.favourite($0, host.names)
        }
    }
}
