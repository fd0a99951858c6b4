// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Posix

extension SongNames {
    func song(_ item: Item) -> SongDescription {
        // MPD leaves a song without a title untitled; in the library the file's name replaces it, as on the screen.
        SongDescription(
            uri: uri(of: item.path), identifier: item.id, tags: item.tags,
            durationMilliseconds: item.durationMilliseconds, fileBytes: item.fileBytes,
            modifiedSeconds: item.fileModifiedSeconds,
            addedSeconds: item.addedSeconds)
    }

    /// Returns a chapter as a song of its own; the whole file if it has no such chapter.
    /// - Parameter number: from 1 on.
    func song(_ item: Item, chapter number: Int, of chapters: [Chapter]) -> SongDescription {
        var song = song(item)
        guard let bounds = chapters.bounds(ofNumber: number, durationMilliseconds: item.durationMilliseconds) else {
            return song
        }
        song.uri = uri(of: item.path, chapter: number)
        song.chapter = UInt16(clamping: number)
        song.bounds = bounds
        song.durationMilliseconds = bounds.upperBound == .max ? nil : bounds.count
        var tags = TagList()
        tags.append(.title, SongNames.title(chapters[number - 1].title, ofChapter: number))
        if item.tags[.album] == nil { tags.append(.album, item.title) }
        tags.append(.track, "\(number)")
        for (tag, value) in item.tags.all where tag != .title && tag != .track { tags.append(tag, value) }
        song.tags = tags
        return song
    }

    /// Returns a client's filter with whole paths.
    func resolved(_ filter: ItemFilter) -> ItemFilter {
        switch filter {
        case .base(let uri): uri.isEmpty ? .and([]) : .base(path(of: uri))
        case .not(let term): .not(resolved(term))
        case .and(let terms): .and(terms.map { resolved($0) })
        default: filter
        }
    }

    func query(_ query: ItemQuery) -> ItemQuery {
        ItemQuery(
            filter: query.filter.map { resolved($0) }, order: query.order, isDescending: query.isDescending,
            root: root)
    }
}
