import Console
import Core
import Library
import Media
import Model
import Posix

extension SongNames {
    func song(_ item: Item) -> SongDescription {
        // MPD leaves a song without a title untitled; in the library the file's name stands for it, as on the glass.
        SongDescription(
            uri: uri(of: item.path), identifier: item.id, tags: item.tags,
            durationMilliseconds: item.durationMilliseconds, fileBytes: item.fileBytes,
            modifiedSeconds: item.fileModifiedSeconds,
            addedSeconds: item.addedSeconds)
    }

    /// A chapter as a song of its own; the whole file where it has no such chapter.
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

    /// The library's words for what a client looks for.
    /// - Parameter spoken: done.
    func filter(_ condition: SongCondition, _ spoken: SpokenConditions) -> ItemFilter {
        switch condition {
        case .compare(let subject, let comparison, let text, let foldsCase):
            return .match(SongNames.column(subject), SongNames.comparison(comparison), text, foldsCase: foldsCase)
        case .base(let uri): return uri.isEmpty ? .and([]) : .base(path(of: uri))
        case .matches(let subject, let pattern): return .pattern(SongNames.column(subject), pattern)
        case .modifiedSince(let seconds): return .modifiedSince(seconds)
        case .addedSince(let seconds): return .addedSince(seconds)
        case .said(let words): return .among(spoken.items(words))
        case .not(let condition): return .not(filter(condition, spoken))
        case .all(let conditions): return .and(conditions.map { filter($0, spoken) })
        }
    }

    func query(_ query: SongQuery, _ spoken: SpokenConditions) -> ItemQuery {
        var result = ItemQuery(filter: filter(query.condition, spoken), isDescending: query.isDescending, root: root)
        switch query.order {
        case .tag(let tag): result.order = .tag(tag)
        case .modified: result.order = .modified
        case .added: result.order = .added
        case nil: break
        }
        return result
    }

    static func column(_ subject: SongCondition.Subject) -> ItemFilter.Column {
        switch subject {
        case .tag(let tag): .tag(tag)
        case .any: .any
        case .file: .file
        }
    }

    private static func comparison(_ comparison: SongCondition.Comparison) -> ItemFilter.Comparison {
        switch comparison {
        case .equals: .equals
        case .contains: .contains
        case .startsWith: .begins
        }
    }
}
