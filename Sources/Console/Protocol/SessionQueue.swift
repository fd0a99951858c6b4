// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import Speaker
import Wire

/// The queue: its entries by position and Id, and its edits.
extension Session {
    static let noSuchSong = ConsoleError(.noExist, "No such song")

    /// Returns the position of an argument, checked against the queue; nil for none, and for -1, which older clients send for none.
    func position(_ argument: String?) throws(ConsoleError) -> Int? {
        guard let argument else { return nil }
        let position = try Argument.integer(argument)
        if position == -1 { return nil }
        let length = host.speaker.queue.count
        if position < 0 || position >= length { throw Session.badIndex(argument, length) }
        return position
    }

    static func badIndex(_ argument: String, _ length: Int) -> ConsoleError {
        ConsoleError(.argument, "Bad song index: \(Argument.shortened(argument)) (the queue holds \(length), from 0)")
    }

    func position(ofID argument: String?) throws(ConsoleError) -> Int? {
        guard let argument else { return nil }
        let id = try Argument.integer(argument)
        if id == -1 { return nil }
        guard let position = host.speaker.queue.index(ofSongID: id) else { throw Session.noSuchSong }
        return position
    }

    /// Returns the part of the queue that an argument names; all of it without one.
    func positions(_ argument: String?) throws(ConsoleError) -> Range<Int> {
        let length = host.speaker.queue.count
        guard let argument, argument != "-1" else { return 0..<length }
        let range = try Argument.range(argument)
        let isSingle = !argument.utf8.contains(UInt8(ascii: ":"))
        if range.lowerBound > length || (range.lowerBound == length && isSingle) {
            throw Session.badIndex(argument, length)
        }
        return range.clamped(to: 0..<length)
    }

    /// Returns the requested positions that have changed since the client's version.
    func changedPositions(_ arguments: [String]) throws(ConsoleError) -> [Range<Int>] {
        let version = try Argument.integer(arguments[0])
        let positions = try positions(arguments.count > 1 ? arguments[1] : nil)
        return host.speaker.queue.positionsChanged(since: version).map { $0.clamped(to: positions) }
    }

    // MARK: Listings

    func queue(_ positions: [Range<Int>]) -> Portions {
        let tags = visibleTags
        return .queue(host.queue, positions) { $1.song($0, tags) }
    }

    func queuePaths() -> Portions {
        let queue = host.queue
        return .queue(queue, [0..<queue.count]) { song, response in
            response.field("\(song.entry?.position ?? 0):file", path: song.uri)
        }
    }

    /// Lists the entry with an id, or the whole queue.
    func queueEntry(_ id: String?) throws(ConsoleError) -> Portions {
        let position = try position(ofID: id)
        return queue([position.map { $0..<$0 + 1 } ?? 0..<host.speaker.queue.count])
    }

    func queue(matching arguments: [String], isSearch: Bool) throws(ConsoleError) -> Portions {
        .queue(host.queue, matching: try SongFilter(arguments[...], isSearch: isSearch), tags: visibleTags)
    }

    // MARK: Edits

    func delete(id: String) throws(ConsoleError) {
        guard let position = try position(ofID: id) else { throw Session.noSuchSong }
        host.speaker.remove(position..<position + 1)
    }

    func delete(_ range: Range<Int>) throws(ConsoleError) {
        if !range.isEmpty { host.speaker.remove(range) }
    }

    func add(_ arguments: [String]) throws(ConsoleError) -> Portions {
        let position = arguments.count > 1 ? try insertion(arguments[1]) : nil
        if let address = Session.streamAddress(arguments[0]) {
            return .add(pages(of: [.song(try host.stream(at: address))]), to: host, before: position)
        }
        let uri = try Session.folder(arguments[0])
        // MPD accepts a whole path only for a file.
        if uri.begins(with: "/") && host.song(at: uri) == nil {
            throw ConsoleError(.noExist, "No such song: " + Argument.shortened(uri))
        }
        return .add(try host.contents(of: uri, recursive: true), to: host, before: position)
    }

    /// Adds a song, not a folder.
    func addOne(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        let song =
            if let address = Session.streamAddress(arguments[0]) {
                try host.stream(at: address)
            } else {
                try song(arguments[0])
            }
        let position = arguments.count > 1 ? try insertion(arguments[1]) : nil
        response.field("Id", try host.addToQueue([song], before: position))
    }

    /// Returns the library's song at a path.
    func song(_ argument: String) throws(ConsoleError) -> SongDescription {
        guard let song = host.song(at: try Session.folder(argument)) else {
            throw ConsoleError(.noExist, "No such song: \(Argument.shortened(argument))")
        }
        return song
    }

    func add(matching arguments: ArraySlice<String>, isSearch: Bool) throws(ConsoleError) -> Portions {
        let filter = try SongFilter(arguments, isSearch: isSearch, takesPosition: true)
        let position = try filter.position.map { text throws(ConsoleError) in try insertion(text) }
        let host = host
        return try songs(filter.query, onlyTells: false) {
            .add($0, to: host, before: position, window: filter.window)
        }
    }

    /// Returns the position for an insertion. A sign counts from the current song: +0 is right behind it, -0 right before.
    func insertion(_ argument: String) throws(ConsoleError) -> Int {
        let value = try Argument.integer(argument)
        let length = host.speaker.queue.count
        var position = value
        if Argument.hasSign(argument) {
            guard let current = host.status.current?.position else {
                throw ConsoleError(.playerSync, "No current song")
            }
            position = current.addingSaturated(value).addingSaturated(argument.utf8.first == UInt8(ascii: "+") ? 1 : 0)
        }
        if position < 0 || position > length { throw Argument.wrong(argument, "Number too large") }
        return position
    }
}
