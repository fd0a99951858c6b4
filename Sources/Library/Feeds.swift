// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import SQLite

/// The rows of `feed`.
extension Library {
    /// The folder of all podcasts; nil without a library folder.
    public var podcastsFolder: String? {
        root.isEmpty ? nil : root.folderPrefix + Feed.folderName
    }

    /// Returns the whole path of a feed's folder.
    public func folder(of feed: Feed) -> String? { podcastsFolder.map { $0 + "/" + feed.name } }

    /// Returns all subscriptions, ordered by name.
    public func feeds() -> [Feed] { feeds("ORDER BY name LIMIT \(Feed.most)", []) }

    public func feed(_ id: Feed.ID) -> Feed? { feeds("WHERE id = ?", [.integer(id)]).first }

    /// Returns the feed with this present or former address.
    public func feed(address: String) -> Feed? {
        feeds("WHERE address = ?1 OR origin = ?1 ORDER BY address = ?1 DESC", [.text(address)]).first
    }

    /// Returns the feed with this title or folder name.
    public func feed(named name: String) -> Feed? {
        feeds("WHERE name = ?1 OR title = ?1 ORDER BY name = ?1 DESC", [.text(name)]).first
    }

    /// Returns the feed of a book, if the book is a podcast.
    public func feed(of book: Book) -> Feed? { feed(folder: book.path) }

    /// Returns the feed with this folder.
    func feed(folder: String) -> Feed? {
        guard let podcastsFolder, folder.pathFolder.utf8.elementsEqual(podcastsFolder.utf8) else { return nil }
        return feeds("WHERE name = ?", [.text(folder.pathName)]).first
    }

    private enum Column: Int32 {
        case id, address, origin, name, title, author, details, picture, entityTag, lastModified, checked, problem,
            isSerial, chosenOrder
    }

    private func feeds(_ condition: String, _ values: [Value]) -> [Feed] {
        read(else: []) { (database) throws(SQLiteError) in
            let rows = try database.composed(
                """
                SELECT id, address, origin, name, title, author, details, picture, entityTag, lastModified, checked, problem,
                  isSerial, chosenOrder
                FROM feed
                """ + " " + condition, values)
            defer { rows.reset() }
            var feeds: [Feed] = []
            while try rows.step() {
                var feed =
                    Feed(
                        id: rows.integer(Column.id), address: rows.text(Column.address),
                        origin: rows.text(Column.origin), name: rows.text(Column.name),
                        title: rows.text(Column.title), author: rows.text(Column.author),
                        details: rows.text(Column.details), picture: rows.text(Column.picture),
                        entityTag: rows.text(Column.entityTag), lastModified: rows.text(Column.lastModified),
                        checkedSeconds: Library.seconds(rows.integer(Column.checked)),
                        problem: rows.text(Column.problem))
                feed.isSerial = rows.integer(Column.isSerial) != 0
                feed.chosenOrder = Feed.Order(rawValue: rows.text(Column.chosenOrder))
                feeds.append(feed)
            }
            return feeds
        }
    }

    /// Subscribes to a feed; a known one stays.
    /// - Returns: nil if the database refused it, or at the limit.
    public func addFeed(
        address: String, title: String, nowSeconds: Int64 = wallClockSeconds()
    ) -> Feed? {
        if let known = feed(address: address) { return known }
        let others = feeds()
        if others.count >= Feed.most { return nil }
        let wanted = Library.fileName(title.isEmpty ? "Podcast" : title, most: 100)
        var name = wanted
        var number = 2
        while others.contains(where: { $0.name.lowerCase.utf8.elementsEqual(name.lowerCase.utf8) }) {
            name = "\(wanted) (\(number))"
            number += 1
        }
        let id: Feed.ID? = write(else: nil) { (database) throws(SQLiteError) in
            var id: Feed.ID?
            try database.transaction { () throws(SQLiteError) in
                try database.cached(
                    """
                    INSERT INTO feed(address, origin, name, title, author, details, picture, entityTag, lastModified, checked,
                      problem, added) VALUES(?1, ?1, ?2, ?3, '', '', '', '', '', 0, '', ?4)
                    """, .text(address), .text(name), .text(title), .integer(nowSeconds)
                ).run()
                id = database.lastInsertedRowID
                let value = try database.cached(
                    "SELECT json_object('added', ?)", .integer(Library.seconds(nowSeconds))
                ).first { $0.text(0) }
                // Each device has its own time of subscribing.
                try Facts.say(
                    .subscription, address, value, name: title, nowSeconds: Library.seconds(nowSeconds),
                    replaces: false, database)
            }
            return id
        }
        return id.flatMap { feed($0) }
    }

    /// Updates a feed's facts. A feed that moved to another feed's address keeps its own.
    public func note(_ head: FeedHead, of feed: Feed.ID) {
        let order = self.feed(feed)?.order
        write(else: ()) { (database) throws(SQLiteError) in
            try database.cached(
                """
                UPDATE feed SET title = ?, author = ?, details = ?, picture = ?, entityTag = ?, lastModified = ?, isSerial = ?
                WHERE id = ?
                """, .text(head.title), .text(head.author), .text(head.details), .text(head.picture),
                .text(head.entityTag), .text(head.lastModified), .integer(head.isSerial ? 1 : 0), .integer(feed)
            ).run()
        }
        if let now = self.feed(feed), let order, now.order != order { arrangeEpisodes(of: now) }
        if !head.movedTo.isEmpty { move(feed, to: head.movedTo) }
    }

    /// Sets the order in which a listener wants to hear a feed's episodes; nil for the feed's own order.
    /// - Returns: false if the database refused it.
    public func setOrder(_ order: Feed.Order?, of feed: Feed.ID) -> Bool {
        guard let before = self.feed(feed) else { return false }
        let isSaved = write(else: false) { (database) throws(SQLiteError) in
            try database.cached(
                "UPDATE feed SET chosenOrder = ? WHERE id = ?", .text(order?.rawValue ?? ""), .integer(feed)
            ).run()
            return true
        }
        if isSaved, let now = self.feed(feed), now.order != before.order { arrangeEpisodes(of: now) }
        return isSaved
    }

    public func move(_ feed: Feed.ID, to address: String) {
        write(else: ()) { (database) throws(SQLiteError) in
            try database.cached(
                "UPDATE OR IGNORE feed SET address = ? WHERE id = ?", .text(address), .integer(feed)
            ).run()
        }
    }

    /// Notes the problem of a fetch; "" for success.
    public func noteChecked(_ feed: Feed.ID, problem: String, nowSeconds: Int64 = wallClockSeconds()) {
        write(else: ()) { (database) throws(SQLiteError) in
            try database.cached(
                "UPDATE feed SET checked = ?, problem = ? WHERE id = ?", .integer(nowSeconds), .text(problem),
                .integer(feed)
            ).run()
        }
    }

    /// Unsubscribes. The places in the feed's episodes stay, as those of missing files do.
    /// - Returns: the removed items.
    public func removeFeed(_ feed: Feed.ID) -> [Item.ID] {
        let items = episodes(of: feed, limit: Int(Int32.max)).map { $0.item }
        let origin = self.feed(feed)?.origin
        let now = wallSeconds()
        batch {
            for item in items { setPresent(item, false) }
            write(else: ()) { (database) throws(SQLiteError) in
                try database.cached("DELETE FROM episode WHERE feed = ?", .integer(feed)).run()
                try database.cached("DELETE FROM feed WHERE id = ?", .integer(feed)).run()
                if let origin {
                    try Facts.say(.subscription, origin, nil, name: "", nowSeconds: Library.seconds(now), database)
                }
            }
        }
        return items
    }

    /// Returns a valid name of a file or folder: no slash, no leading dot, not too long.
    static func fileName(_ text: String, most: Int) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte == UInt8(ascii: "/") {
                bytes.append(UInt8(ascii: "-"))
            } else if byte >= 0x20 && byte != 0x7F {
                bytes.append(byte)
            }
        }
        if bytes.count > most {
            bytes.removeLast(bytes.count - most)
            while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
            if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
        }
        while let last = bytes.last, last == 0x20 || last == UInt8(ascii: ".") { bytes.removeLast() }
        while let first = bytes.first, first == 0x20 || first == UInt8(ascii: ".") { bytes.removeFirst() }
        return bytes.isEmpty ? "_" : String(decoding: bytes, as: UTF8.self)
    }
}
