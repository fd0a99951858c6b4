// SPDX-License-Identifier: Apache-2.0
import Model
import Posix
import SQLite

/// The library's facts about items in the index of spoken words (`SpokenStore`).
extension Library {
    /// An item with the stamp of its transcript.
    public struct SpokenState: Sendable {
        public let owner: SpokenStore.Owner
        public let path: String
        public let durationMilliseconds: Int?
        public let fileBytes: Int64
        public let fileModifiedSeconds: Int64
        /// True if the transcript was fetched, and no file lies beside the item.
        let isEpisode: Bool

        public var id: Item.ID { owner.id }
    }

    /// Returns a page of the present items, in the library's order, without episodes.
    public func spokenStates(
        after cursor: PresentCursor?, limit: Int
    ) -> (items: [SpokenState], next: PresentCursor?) {
        let page = presentItems(in: nil, after: cursor, limit: limit)
        let items = page.items.compactMap { spokenState($0.id) }
        return (items.filter { !$0.isEpisode }, page.next)
    }

    /// Returns the state of an item; nil if there is no such item.
    public func spokenState(_ id: Item.ID) -> SpokenState? {
        read(else: nil) { (database) throws(SQLiteError) in
            try database.cached(
                """
                SELECT content.hash, path, duration, fileBytes, fileModified, episode.item IS NOT NULL FROM item
                  JOIN content ON content.id = item.content LEFT JOIN episode ON episode.item = item.id WHERE item.id = ?
                """, .integer(id)
            ).first { row in
                SpokenState(
                    owner: SpokenStore.Owner(id: id, identity: row.integer(0)), path: row.text(1),
                    durationMilliseconds: row.optionalInteger(2).map(Library.held), fileBytes: row.integer(3),
                    fileModifiedSeconds: row.integer(4), isEpisode: row.integer(5) != 0)
            }
        }
    }

    /// Returns whether the library knows the item with the same audio.
    public func knows(_ owner: SpokenStore.Owner) -> Bool { spokenState(owner.id)?.owner.identity == owner.identity }

    /// Returns a sentence with the path and title of its item; nil if the item is away.
    public func hit(_ sentence: SpokenStore.Sentence) -> SpokenHit? {
        guard knows(sentence.owner), let item = item(sentence.owner.id), item.isPresent else { return nil }
        return SpokenHit(
            itemID: item.id, path: item.path, title: item.title, milliseconds: sentence.startMilliseconds,
            text: sentence.text)
    }

    /// The path of the index of spoken words, beside the library's own file; nil if the disk cannot be used, since the index may be larger
    /// than the memory.
    public var spokenPath: String? {
        if isForNowOnly { return nil }
        return path.map { $0.pathFolder + "/spoken.db" } ?? ":memory:"
    }
}
