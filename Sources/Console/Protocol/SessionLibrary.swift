import Core
import Posix

/// The library and the favourites.
extension Session {
    /// A path as the speaker takes it: no slash at its end, no part that climbs out. "" is the whole library.
    static func folder(_ argument: String?) throws(ConsoleError) -> String {
        guard let argument else { return "" }
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
        let entries = try speaker.contents(of: try Session.folder(argument), recursive: recursive)
        return LibraryPortions(entries, tags: withTags ? visibleTags : nil)
    }

    func library(matching arguments: ArraySlice<String>, isSearch: Bool) throws(ConsoleError) -> Portions {
        let filter = try SongFilter(arguments, isSearch: isSearch)
        return LibraryPortions(speaker.songs(filter.query), tags: visibleTags, window: filter.window)
    }

    func values(_ arguments: [String]) throws(ConsoleError) -> Portions? {
        let name = arguments[0]
        let tag = Tag(name: name)
        let isFile = name.lowerCase == "file"
        if tag == nil && !isFile { throw Argument.wrong(name, "Unknown tag type") }
        var filter = arguments.dropFirst()
        // From MPD's first days: `list album NAME` means the albums of that artist.
        if tag == .album, filter.count == 1, filter.first?.utf8.first != UInt8(ascii: "(") {
            filter.insert("artist", at: filter.startIndex)
        }
        let condition = try SongFilter(filter, isSearch: false).query.condition
        return ValuePortions(
            speaker.values(of: tag, matching: condition), label: isFile ? "file" : tag?.name ?? name, arePaths: isFile)
    }

    // MARK: Favourites

    func favourite(_ arguments: [String]) throws(ConsoleError) -> Portions? {
        let rest = arguments.dropFirst()
        switch arguments[0] {
        case "list":
            return try favourites(rest)
        case "add", "remove":
            if rest.count > 1 { throw ConsoleError(.argument, "too many arguments for \"favourite \(arguments[0])\"") }
            if rest.isEmpty && speaker.status.current == nil {
                throw ConsoleError(.playerSync, "Nothing is playing; name a file")
            }
            if arguments[0] == "add" {
                if !(try speaker.addFavourite(rest.first)) {
                    throw ConsoleError(.exists, "already in favourites")
                }
            } else if !(try speaker.removeFavourite(rest.first)) {
                throw ConsoleError(.noExist, "not in favourites")
            }
        default:
            throw Argument.wrong(arguments[0], "add, remove or list expected")
        }
        return nil
    }

    private func favourites(_ arguments: ArraySlice<String>) throws(ConsoleError) -> Portions {
        var order = FavouriteDescription.Order.newest
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
        return FavouritePortions(speaker, order, range)
    }

}
