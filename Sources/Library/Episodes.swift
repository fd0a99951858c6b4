// SPDX-License-Identifier: Apache-2.0
import Core
import Media
import Model
import Posix
import SQLite

/// The rows of `episode`, and their items.
extension Library {
    /// Returns an item's episode; nil if the item is none.
    public func episode(_ id: Item.ID) -> Episode? { episodes("WHERE episode.item = ?", [.integer(id)]).first }

    /// Returns episodes in the feed's order.
    public func episodes(of feed: Feed.ID, limit: Int) -> [Episode] {
        episodes("WHERE feed = ? ORDER BY item.pathKey LIMIT ?", [.integer(feed), .integer(max(0, limit))])
    }

    /// Returns the next episodes for a listener: of a serial those behind the last heard, else the newest.
    public func nextEpisodes(of feed: Feed, limit: Int) -> [Episode] {
        feed.order == .newest ? episodes(of: feed.id, limit: limit) : unfinishedEpisodes(of: feed.id, limit: limit)
    }

    /// Returns unfinished episodes in the feed's order, behind one of its episodes or from the first.
    private func unfinishedEpisodes(of feed: Feed.ID, behind last: Item.ID? = nil, limit: Int) -> [Episode] {
        episodes(
            """
            WHERE feed = ? AND NOT EXISTS(SELECT 1 FROM workPlace WHERE file = item.content AND isFinished = 1)
              AND item.pathKey > ifnull((SELECT pathKey FROM item WHERE id = ?), x'') ORDER BY item.pathKey LIMIT ?
            """, [.integer(feed), .optional(last), .integer(max(0, limit))])
    }

    /// Returns the episode with which a podcast resumes: the one with the place, unless it is finished. Else, of a serial, the first
    /// unfinished one behind that; of news, the newest.
    public func episodeToGoOn(with feed: Feed, left: Item.ID?) -> Item.ID? {
        if let left, !isFinished(left) { return left }
        let behind = feed.order == .oldest ? unfinishedEpisodes(of: feed.id, behind: left, limit: 1).first : nil
        let next = behind ?? unfinishedEpisodes(of: feed.id, limit: 1).first ?? episodes(of: feed.id, limit: 1).first
        return next?.item
    }

    /// Returns the key of an episode in its folder. Episodes sort newest first, or by number and date.
    private static func pathKey(
        _ folder: String, _ order: Feed.Order, number: Int64, publishedSeconds: Int64, name: String
    ) -> [UInt8] {
        let place = order == .newest ? "\(max(0, 9_999_999_999 - publishedSeconds))" : "\(number) \(publishedSeconds)"
        return naturalKey("\(folder)/\(place) \(name)")
    }

    /// Rearranges a feed's episodes after its order has changed.
    func arrangeEpisodes(of feed: Feed) {
        guard let folder = folder(of: feed) else { return }
        batch {
            for episode in episodes(of: feed.id, limit: Int(Int32.max)) {
                guard let item = item(episode.item) else { continue }
                write(else: ()) { (database) throws(SQLiteError) in
                    try database.cached(
                        "UPDATE item SET pathKey = ? WHERE id = ?",
                        .blob(
                            Library.pathKey(
                                folder, feed.order, number: episode.number,
                                publishedSeconds: episode.publishedSeconds, name: item.path.pathName)),
                        .integer(item.id)
                    ).run()
                }
            }
            write(else: ()) { (database) throws(SQLiteError) in try Library.noteBook(in: folder, database) }
        }
        rearranged += episodes(of: feed.id, limit: Int(Int32.max)).map { $0.item }
    }

    /// Returns the number of episodes, and the number never played.
    public func episodeCounts(of feed: Feed.ID) -> (all: Int, unheard: Int) {
        read(else: (0, 0)) { (database) throws(SQLiteError) in
            try database.cached(
                """
                SELECT count(*), count(*) - total(workPlace.milliseconds > 0 OR plays.playCount > 0)
                FROM episode JOIN item ON item.id = episode.item LEFT JOIN plays ON plays.content = item.content
                  LEFT JOIN workPlace ON workPlace.file = item.content
                WHERE feed = ?
                """, .integer(feed)
            ).first { (Int(clamping: $0.integer(0)), Int(clamping: $0.integer(1))) } ?? (0, 0)
        }
    }

    func isEpisode(_ id: Item.ID) -> Bool {
        read(else: false) { (database) throws(SQLiteError) in
            try database.cached("SELECT 1 FROM episode WHERE item = ?", .integer(id)).hasRow()
        }
    }

    /// Returns fetched episodes.
    public func fetchedEpisodes() -> [Episode] { episodes("WHERE state & 1 <> 0 LIMIT 1000", []) }

    private enum Column: Int32 {
        case item, feed, address, published, picture, transcript, transcriptType, chapters, state, hash, number,
            origin
    }

    private func episodes(_ condition: String, _ values: [Value]) -> [Episode] {
        read(else: []) { (database) throws(SQLiteError) in
            try database.composed(
                """
                SELECT episode.item, feed, address, published, picture, transcript, transcriptType, chapters, state, content.hash, number,
                  ifnull((SELECT origin FROM feed WHERE feed.id = episode.feed), '')
                FROM episode JOIN item ON item.id = episode.item JOIN content ON content.id = item.content
                """ + " " + condition, values
            ).all { rows in
                Episode(
                    item: rows.integer(Column.item), feed: rows.integer(Column.feed),
                    feedOrigin: rows.text(Column.origin),
                    address: rows.text(Column.address), publishedSeconds: rows.integer(Column.published),
                    picture: rows.text(Column.picture), transcript: rows.text(Column.transcript),
                    transcriptType: rows.text(Column.transcriptType), chapters: rows.text(Column.chapters),
                    state: EpisodeState(rawValue: rows.integer(Column.state)),
                    cacheName: "episode \(UInt64(bitPattern: rows.integer(Column.hash)))",
                    number: rows.integer(Column.number))
            }
        }
    }

    public func setState(_ state: EpisodeState, _ isSet: Bool, of id: Item.ID) {
        write(else: ()) { (database) throws(SQLiteError) in
            try database.cached(
                isSet
                    ? "UPDATE episode SET state = state | ? WHERE item = ?"
                    : "UPDATE episode SET state = state & ~? WHERE item = ?", .integer(state.rawValue), .integer(id)
            ).run()
        }
    }

    // MARK: Taking in

    /// The result of `takeIn`.
    public struct TakenEpisodes: Sendable {
        /// The new episodes, in the library's order.
        public var arrived: [Item.ID] = []
        /// The episodes of which the feed says something new.
        public var changed: [Item.ID] = []
    }

    /// Takes in some of a feed's episodes: a few at a time, within a turn.
    public func takeIn(_ drafts: [EpisodeDraft], of feed: Feed) -> TakenEpisodes {
        var taken = TakenEpisodes()
        guard let folder = folder(of: feed) else { return taken }
        batch { for draft in drafts { takeIn(draft, of: feed, folder, &taken) } }
        return taken
    }

    private func takeIn(_ draft: EpisodeDraft, of feed: Feed, _ folder: String, _ taken: inout TakenEpisodes) {
        var hash = xxHash64(Array(("podcast\u{0}" + feed.origin + "\u{0}" + draft.identity).utf8), seed: 0)
        var known = knownEpisode(hash)
        if known == nil, let other = sameEpisode(draft, of: feed) {
            // The feed has renamed this episode.
            hash = other
            known = knownEpisode(other)
        }
        let stamp = draft.stamp
        if let known, known.stamp == stamp, known.isPresent {
            if !known.address.utf8.elementsEqual(draft.address.utf8) { setAddress(draft.address, of: known.item) }
            return
        }
        var probe = Probe(
            identity: ContentIdentity(hash: hash, audioBytes: 0), path: known?.path ?? "", fileBytes: 0,
            fileModifiedSeconds: draft.publishedSeconds)
        if known == nil || !probe.path.begins(with: folder + "/") {
            probe.path = path(of: draft, folder, hash)
        }
        probe.tags = Library.tags(of: draft, feed)
        probe.durationMilliseconds = draft.durationSeconds.map { Library.held($0 * 1000) }
        if !draft.picture.isEmpty || !feed.picture.isEmpty { probe.artwork = "embedded" }
        probe.chapters = draft.marks
        if let known {
            if draft.marks.isEmpty || !draft.chapters.isEmpty { probe.chapters = chapters(of: known.item) }
            probe.cover = cover(of: known.item)
        }
        guard let item = upsert(probe) else { return }
        let isNew = write(else: false) { (database) throws(SQLiteError) in
            try database.cached(
                """
                INSERT INTO episode(item, feed, address, published, picture, transcript, transcriptType, chapters, stamp, state, number)
                VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, ?10)
                ON CONFLICT(item) DO UPDATE SET feed = ?2, address = ?3, published = ?4, picture = ?5, transcript = ?6,
                  transcriptType = ?7, state = CASE WHEN chapters = ?8 THEN state ELSE state & ~2 END, chapters = ?8, stamp = ?9, number = ?10
                """, .integer(item.id), .integer(feed.id), .text(draft.address), .integer(draft.publishedSeconds),
                .text(draft.picture.isEmpty ? feed.picture : draft.picture), .text(draft.transcript),
                .text(draft.transcriptType), .text(draft.chapters), .integer(stamp), .integer(draft.number)
            ).run()
            try database.cached(
                "UPDATE item SET pathKey = ? WHERE id = ?",
                .blob(
                    Library.pathKey(
                        folder, feed.order, number: draft.number, publishedSeconds: draft.publishedSeconds,
                        name: item.path.pathName)), .integer(item.id)
            ).run()
            return true
        }
        if !isNew { return }
        if known?.isPresent == true { taken.changed.append(item.id) } else { taken.arrived.append(item.id) }
    }

    private func setAddress(_ address: String, of id: Item.ID) {
        write(else: ()) { (database) throws(SQLiteError) in
            try database.cached("UPDATE episode SET address = ? WHERE item = ?", .text(address), .integer(id)).run()
        }
    }

    /// Returns the name of the known episode that agrees in two of address, title and publication second. A feed may give a rerun or a
    /// teaser the address of another episode.
    private func sameEpisode(_ draft: EpisodeDraft, of feed: Feed) -> UInt64? {
        read(else: nil) { (database) throws(SQLiteError) in
            try database.cached(
                """
                SELECT content.hash FROM episode JOIN item ON item.id = episode.item JOIN content ON content.id = item.content
                WHERE feed = ?1 AND (address = ?2) + (published = ?3 AND ?3 > 0) + (item.title = ?4) >= 2
                ORDER BY address = ?2 DESC, item.id LIMIT 1
                """, .integer(feed.id), .text(draft.address), .integer(draft.publishedSeconds), .text(draft.title)
            ).first { UInt64(bitPattern: $0.integer(0)) }
        }
    }

    private func knownEpisode(
        _ hash: UInt64
    ) -> (item: Item.ID, path: String, isPresent: Bool, stamp: Int64, address: String)? {
        read(else: nil) { (database) throws(SQLiteError) in
            try database.cached(
                """
                SELECT item.id, item.path, item.isPresent, ifnull(stamp, 0), ifnull(address, '') FROM item
                  LEFT JOIN episode ON episode.item = item.id
                WHERE content = (SELECT id FROM content WHERE hash = ? AND audioBytes = 0) ORDER BY item.id LIMIT 1
                """, .integer(Int64(bitPattern: hash))
            ).first { ($0.integer(0), $0.text(1), $0.integer(2) != 0, $0.integer(3), $0.text(4)) }
        }
    }

    /// Returns an episode's path, such as "2026-11-20 The title". It keeps its first form, since playlists use it.
    private func path(of draft: EpisodeDraft, _ folder: String, _ hash: UInt64) -> String {
        let day = Library.day(draft.publishedSeconds)
        let title = Library.fileName(draft.title.isEmpty ? "Episode" : draft.title, most: 120)
        let path = folder + "/" + (day.isEmpty ? title : day + " " + title)
        guard let there = itemID(path: path).flatMap({ item($0) }) else { return path }
        // An episode that was rescued without its identity is the same one, and keeps its path.
        return there.identity.audioBytes == Library.unknownBytes ? path : path + " (\(hash % 100_000))"
    }

    private static func tags(of draft: EpisodeDraft, _ feed: Feed) -> TagList {
        var tags = TagList()
        if !draft.title.isEmpty { tags.append(.title, draft.title) }
        tags.append(.album, feed.title)
        let artist = draft.author.isEmpty ? feed.author : draft.author
        if !artist.isEmpty { tags.append(.artist, artist) }
        if !feed.author.isEmpty { tags.append(.albumArtist, feed.author) }
        tags.append(.genre, "Podcast")
        let day = day(draft.publishedSeconds)
        if !day.isEmpty { tags.append(.date, day) }
        if !draft.details.isEmpty { tags.append(.comment, draft.details) }
        return tags
    }

    /// Returns a day in UTC, such as "2026-11-20"; "" if unknown.
    static func day(_ seconds: Int64) -> String {
        if seconds <= 0 || seconds > 253_402_300_799 { return "" }
        // Days since 1 March of the year 0 in the Gregorian calendar.
        let days = seconds / 86_400 + 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let number = month < 10 ? month + 3 : month - 9
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = yearOfEra + era * 400 + (number <= 2 ? 1 : 0)
        return "\(year)-\(number < 10 ? "0" : "")\(number)-\(day < 10 ? "0" : "")\(day)"
    }

    /// Removes the oldest episodes after a refresh, if there are more than a book may have.
    /// - Returns: the removed items.
    public func trimEpisodes(of feed: Feed.ID) -> [Item.ID] {
        let surplus: [Item.ID] = read(else: []) { (database) throws(SQLiteError) in
            try database.cached(
                "SELECT item FROM episode WHERE feed = ? ORDER BY published DESC, item LIMIT 2000 OFFSET ?",
                .integer(feed), .integer(BookMaking.mostItems)
            ).all { $0.integer(0) }
        }
        if surplus.isEmpty { return [] }
        batch {
            for item in surplus {
                setPresent(item, false)
                write(else: ()) { (database) throws(SQLiteError) in
                    try database.cached("DELETE FROM episode WHERE item = ?", .integer(item)).run()
                }
            }
        }
        return surplus
    }

    // MARK: The book

    /// Returns a feed's folder as one book: its episodes, in its order.
    func feedDraft(_ feed: Feed, _ files: [BookMaking.File]) -> BookMaking.Draft? {
        let episodes = files.filter { isEpisode($0.id) }.prefix(BookMaking.mostItems)
        if episodes.isEmpty { return nil }
        var draft = BookMaking.Draft(item: 0, items: episodes.map { $0.id }, title: feed.title)
        draft.author = feed.author
        draft.genre = "Podcast"
        draft.added = episodes.reduce(0) { max($0, $1.added) }
        return draft
    }

    /// Moves the podcasts to the library's new folder.
    public func movePodcasts() {
        guard let podcastsFolder else { return }
        for feed in feeds() {
            let wanted = podcastsFolder + "/" + feed.name + "/"
            guard let first = episodes(of: feed.id, limit: 1).first, let item = item(first.item),
                !item.path.begins(with: wanted)
            else { continue }
            batch {
                for episode in episodes(of: feed.id, limit: Int(Int32.max)) { move(episode, to: wanted, feed.order) }
            }
        }
    }

    private func move(_ episode: Episode, to folder: String, _ order: Feed.Order) {
        guard let item = item(episode.item) else { return }
        write(else: ()) { (database) throws(SQLiteError) in
            let path = folder + item.path.pathName
            try database.cached(
                "UPDATE item SET path = ?, pathKey = ?, isPresent = 1, goneSince = NULL WHERE id = ?", .text(path),
                .blob(
                    Library.pathKey(
                        path.pathFolder, order, number: episode.number, publishedSeconds: episode.publishedSeconds,
                        name: item.path.pathName)), .integer(item.id)
            ).run()
            try Folders.row(path.pathFolder, database)
            try Library.noteBook(in: path.pathFolder, database)
        }
    }

    // MARK: Chapters

    /// Sets the chapters from the file that the feed named.
    public func setChapters(of id: Item.ID, _ chapters: [Chapter], pages: [Chapter] = []) {
        write(else: ()) { (database) throws(SQLiteError) in try setChapters(id, chapters, pages: pages, database) }
        setState(.hasChapters, true, of: id)
    }
}
