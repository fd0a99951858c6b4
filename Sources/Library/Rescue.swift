// SPDX-License-Identifier: Apache-2.0
import Model
import Posix
import SQLite

/// Takes over the readable rows of a database that is damaged, or of an earlier version. Leaves unreadable rows out.
struct Rescue {
    private let database: Database
    /// The watchdog's connection: a rescue may take longer than its patience.
    private let manager = ServiceManager()
    private static let rowsBetweenSigns = 256

    /// - Parameter database: a new one, empty.
    init(_ database: Database) { self.database = database }

    private func sayAlive() { manager?.tell("WATCHDOG=1") }

    /// The conversion of an old table's rows.
    private struct Copy {
        var from: String
        /// The statement, without its "WHERE rowid = ?".
        var insert: String
    }

    /// Returns the conversions of all tables.
    /// - Parameter isFirst: true for the first schema: its `item` was a file and its audio in one.
    private static func copies(isFirst: Bool) -> [Copy] {
        let content = isFirst ? "item" : "content"
        let seekTable = isFirst ? "frameIndex" : "seekTable"
        return [
            Copy(
                from: content, insert: "content(id, hash, audioBytes) SELECT id, hash, audioBytes FROM old.\(content)"),
            Copy(
                from: "item",
                insert: """
                    item(id, content, path, pathKey, fileBytes, fileModified, title, titleKey, artist, album, duration, artwork,
                      added, isPresent, goneSince)
                    SELECT id, \(isFirst ? "id" : "content"), path, pathKey, fileBytes, fileModified, title, titleKey, artist, album,
                      duration, artwork, added, isPresent, \(isFirst ? "NULL" : "goneSince") FROM old.item
                    """),
            Copy(
                from: "progress",
                insert: """
                    progress(content, milliseconds, saved, playCount, played)
                    SELECT \(content), milliseconds, saved, playCount, played FROM old.progress
                    """),
            Copy(
                from: "favourite",
                insert: "favourite(sequence, content, added) SELECT sequence, \(content), added FROM old.favourite"),
            Copy(from: seekTable, insert: "seekTable(content, data) SELECT \(content), data FROM old.\(seekTable)"),
            Copy(
                from: "speaker",
                insert: """
                    speaker(id, song, item, isPlaying, volume, nextSong, queueIsLibrary)
                    SELECT id, song, \(isFirst ? "NULL" : "item"), isPlaying, volume, nextSong, queueIsLibrary FROM old.speaker
                    """),
            // Older schemas have no such tables.
            Copy(from: "sticker", insert: "sticker(content, name, value) SELECT content, name, value FROM old.sticker"),
            Copy(from: "output", insert: "output(id, isEnabled) SELECT id, isEnabled FROM old.output"),
            Copy(
                from: "playing",
                insert: """
                    playing(id, isRandom, repeats, single, consumes, mixRamp, mixRampDelay, pausedSince)
                    SELECT id, isRandom, repeats, single, consumes, mixRamp, mixRampDelay, pausedSince FROM old.playing
                    """),
            Copy(from: "speed", insert: "speed(content, factor) SELECT content, factor FROM old.speed"),
            Copy(from: "skip", insert: "skip(content, seconds) SELECT content, seconds FROM old.skip"),
            Copy(from: "setting", insert: "setting(name, value) SELECT name, value FROM old.setting"),
            Copy(
                from: "plays",
                insert: "plays(content, playCount, played) SELECT content, playCount, played FROM old.plays"),
            Copy(
                from: "fact",
                insert: """
                    fact(revision, kind, key, value, time, device, name, content)
                    SELECT revision, kind, key, value, time, device, name, content FROM old.fact
                    """),
            Copy(
                from: "workPlace",
                insert: """
                    workPlace(sequence, file, milliseconds, isFinished, saved, owed)
                    SELECT sequence, file, milliseconds, isFinished, saved, owed FROM old.workPlace
                    """),
            // An older database reports all its places to other devices.
            Copy(
                from: "workPlace",
                insert: """
                    workPlace(sequence, file, milliseconds, isFinished, saved, owed)
                    SELECT sequence, file, milliseconds, isFinished, saved, 0 FROM old.workPlace
                    """),
            Copy(from: "heard", insert: "heard(sequence, content) SELECT sequence, content FROM old.heard"),
            Copy(from: "finished", insert: "finished(sequence, content) SELECT sequence, content FROM old.finished"),
            Copy(
                from: "alarm",
                insert: """
                    alarm(id, minute, days, playlist, item, isBook, rise, loudness, isOn, since, rang)
                    SELECT id, minute, days, playlist, item, isBook, rise, loudness, isOn, since, rang FROM old.alarm
                    """),
            Copy(
                from: "household",
                insert: """
                    household(id, device, clock, sent, cursor) SELECT id, device, clock, sent, cursor FROM old.household
                    """),
            Copy(
                from: "shared",
                insert: """
                    shared(revision, kind, key, value, time, device, name)
                    SELECT revision, kind, key, value, time, device, name FROM old.shared
                    """),
            Copy(
                from: "sharedChange",
                insert: """
                    sharedChange(sequence, kind, key, changed) SELECT sequence, kind, key, changed FROM old.sharedChange
                    """),
            Copy(from: "loudness", insert: "loudness(content, data) SELECT content, data FROM old.loudness"),
            Copy(from: "itemChapters", insert: "itemChapters(item, data) SELECT item, data FROM old.itemChapters"),
            Copy(from: "cover", insert: "cover(id, identity) SELECT id, identity FROM old.cover"),
            Copy(from: "itemCover", insert: "itemCover(item, cover) SELECT item, cover FROM old.itemCover"),
            Copy(
                from: "playlistFile",
                insert: """
                    playlistFile(name, lacking, modified, isDue) SELECT name, lacking, modified, isDue FROM old.playlistFile
                    """),
            Copy(
                from: "sharedPlaylist",
                insert: """
                    sharedPlaylist(name, entries, lacking, changed, modified, isDue)
                    SELECT name, entries, lacking, changed, modified, isDue FROM old.sharedPlaylist
                    """),
            Copy(from: "itemTags", insert: "itemTags(item, tags) SELECT item, tags FROM old.itemTags"),
            Copy(
                from: "bookmark",
                insert: """
                    bookmark(sequence, content, milliseconds, words, added)
                    SELECT sequence, content, milliseconds, words, added FROM old.bookmark
                    """),
            // An older database has no order; its rows come with the next conversion.
            Copy(
                from: "feed",
                insert: """
                    feed(id, address, origin, name, title, author, details, picture, entityTag, lastModified, checked, problem, added,
                      isSerial, chosenOrder)
                    SELECT id, address, origin, name, title, author, details, picture, '', '', 0, problem, added, isSerial, chosenOrder
                    FROM old.feed
                    """),
            Copy(
                from: "feed",
                insert: """
                    feed(id, address, origin, name, title, author, details, picture, entityTag, lastModified, checked, problem, added)
                    SELECT id, address, origin, name, title, author, details, picture, '', '', 0, problem, added FROM old.feed
                    """),
            Copy(
                from: "episode",
                insert: """
                    episode(item, feed, address, published, picture, transcript, transcriptType, chapters, stamp, state)
                    SELECT item, feed, address, published, picture, transcript, transcriptType, chapters, 0, state FROM old.episode
                    """),
            Copy(
                from: "queueEntry",
                insert: """
                    queueEntry(place, song, item, priority) SELECT place, song, item, priority FROM old.queueEntry
                    """),
        ]
    }

    /// Copies row by row, not in one transaction, which the first broken row could end. The file does not count before it is whole.
    /// - Parameter kept: the kept schema (`KeptSchema`), for a database without a readable one.
    func salvage(_ old: String, kept: String) {
        try? database.execute(FormerSchema.tables)
        if !attached(old, { copyTables() }) { copyTables(of: old, KeptSchema.tables(kept)) }
        complete()
    }

    /// - Returns: false if the file cannot be attached, or if `body` says so.
    private func attached(_ path: String, _ body: () -> Bool) -> Bool {
        guard (try? database.prepare("ATTACH ? AS old", .text(path)).run()) != nil else { return false }
        defer { try? database.execute("DETACH old") }
        return body()
    }

    /// Copies each table by itself, from its place when the schema was kept.
    private func copyTables(of old: String, _ tables: [KeptSchema.Table]) {
        guard let readable = KeptSchema.ReadableCopy(of: old, tables: tables) else { return }
        defer { readable.remove() }
        for copy in Rescue.copies(isFirst: !tables.contains { $0.name == "content" }) {
            guard let table = tables.first(where: { $0.name == copy.from }), readable.show(table) else { continue }
            _ = attached(readable.path) {
                self.copy(copy)
                return true
            }
        }
    }

    /// Copies all tables, if their own schema can be read.
    /// - Returns: false if it could not be read.
    private func copyTables() -> Bool {
        let names: [String]
        do throws(SQLiteError) {
            let rows = try database.prepare("SELECT name FROM old.sqlite_schema WHERE type = 'table'")
            var found: [String] = []
            while try rows.step() { found.append(rows.text(0)) }
            names = found
        } catch { return false }
        guard names.contains("item") else { return false }
        let isFirst = !names.contains("content")
        for copy in Rescue.copies(isFirst: isFirst) where names.contains(copy.from) { self.copy(copy) }
        if isFirst { try? QueueRows.takeOver("old.queue", database) }
        return true
    }

    private func copy(_ copy: Copy) {
        guard let insert = try? database.prepare("INSERT OR IGNORE INTO main.\(copy.insert) WHERE rowid = ?") else {
            return
        }
        // From the front up to the first broken row, then from the back.
        for order in ["ASC", "DESC"] {
            do throws(SQLiteError) {
                let rows = try database.prepare(
                    "SELECT rowid FROM old.\(copy.from) NOT INDEXED ORDER BY rowid \(order)")
                var last: Int64?
                var isInOrder = true
                var count = 0
                while isInOrder, try rows.step() {
                    let row = rows.integer(0)
                    count += 1
                    if count % Rescue.rowsBetweenSigns == 0 { sayAlive() }
                    // Entangled pages would be visited again and again.
                    if let last { isInOrder = order == "ASC" ? row > last : row < last }
                    last = row
                    try insert.bind([.integer(row)])
                    // The row itself is broken: continue with the next.
                    try? insert.run()
                }
                if isInOrder { break }
            } catch { continue }
        }
    }

    /// Restores the identity of audio from the keys of its facts.
    private func restoreIdentities() {
        let lost = try? database.prepare(
            "SELECT content, key FROM fact WHERE content NOT IN (SELECT id FROM content) AND substr(key, 18, 1) <> '-'"
        ).all { (content: $0.integer(0), key: SharedKey($0.text(1))) }
        for fact in lost ?? [] {
            guard let key = fact.key else { continue }
            try? database.prepare(
                "INSERT OR IGNORE INTO content(id, hash, audioBytes) VALUES(?, ?, ?)", .integer(fact.content),
                key.values[0], key.values[1]
            ).run()
        }
    }

    /// Keeps the other rows of audio that has lost its own row, if a file of it is known: a substitute row stands in until that file is
    /// probed again. Leaves out rows without audio: otherwise their place or favorite would pass to the next audio.
    private func complete() {
        defer { sayAlive() }
        sayAlive()
        try? database.execute(FormerSchema.places)
        try? database.execute(FormerSchema.settings)
        restoreIdentities()
        try? database.execute(
            """
            INSERT OR IGNORE INTO content(id, hash, audioBytes)
              SELECT content, content, \(Library.unknownBytes) FROM item WHERE content NOT IN (SELECT id FROM content);
            UPDATE item SET fileModified = -1
              WHERE id NOT IN (SELECT item FROM itemTags) OR content IN (SELECT id FROM content WHERE audioBytes = \(Library.unknownBytes))
            """)
        try? database.execute(FormerSchema.facts)
        for table in ["plays", "seekTable", "sticker", "loudness", "fact"] {
            try? database.execute("DELETE FROM \(table) WHERE content NOT IN (SELECT id FROM content)")
        }
        try? database.execute("DELETE FROM workPlace WHERE file NOT IN (SELECT id FROM content)")
        try? database.execute(
            """
            DELETE FROM itemCover WHERE cover NOT IN (SELECT id FROM cover) OR item NOT IN (SELECT id FROM item);
            DELETE FROM itemChapters WHERE item NOT IN (SELECT id FROM item);
            DELETE FROM cover WHERE id NOT IN (SELECT cover FROM itemCover);
            """)
        sayAlive()
        try? Folders.fill(database)
        sayAlive()
        try? TagIndex.fill(database)
        try? database.execute("INSERT OR IGNORE INTO bookToDo(folder) SELECT id FROM folder")
    }
}
