// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import SQLite

/// A playlist that the household shares, as its file stands on this speaker.
public struct SharedPlaylist: Equatable, Sendable {
    public var name: String
    /// The time of the file when it was last read or written, in seconds since 1970; 0 for never.
    public var modifiedSeconds: Int64
    /// True if the file is to be written or removed: another device has changed it, or a missing entry is here now.
    public var isDue: Bool
}

/// The content that the file of a shared playlist should have.
public struct DuePlaylist: Equatable, Sendable {
    public var playlist: SharedPlaylist
    /// The file's lines, paths and addresses; nil if the file is to be removed.
    public var lines: [String]?
    /// The entries without a line, since this speaker has no file for them.
    public var lacking: [String]
}

/// Playlists of a household. This file does not read the playlists: their reader reports the entries, by names that mean the same on every
/// device: the audio's key, an address, or `./PATH` of a file that no scan has found.
extension Library {
    /// The largest shared playlist: the limit of a record's value, as in `schema.sql`. A larger one stays on its speaker.
    private static let mostValueBytes = 4096
    /// The limit of entries. A record holds hardly more, and looking them up would keep buttons waiting for nothing.
    public static let mostSharedEntries = 150
    /// The limit of shared playlists.
    private static let mostPlaylists = 256

    /// Returns the name of an entry on every device; nil for an entry that stays on this speaker, such as an address with a password.
    /// - Parameter path: the whole path of a file or of one of its chapters; or an address.
    public func sharedName(ofEntry path: String) -> String? {
        if path.begins(with: "http://") || path.begins(with: "https://") {
            return path.utf8.contains(UInt8(ascii: "@")) ? nil : path
        }
        if let item = item(path: path) { return SharedKey(item.identity).words }
        if let (file, number) = SongNames.chapter(path), let item = item(path: file) {
            return SharedKey(item.identity).words + "/\(number)"
        }
        let shown = SongNames(root: root).uri(of: path)
        return shown.begins(with: "/") ? nil : "./" + shown
    }

    /// Returns the line for an entry's name; nil if its audio is not here.
    private func line(ofEntry name: String) -> String? {
        if name.begins(with: "http://") || name.begins(with: "https://") { return name }
        if name.begins(with: "./") { return name.dropping(bytes: 2) }
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1).map { String(Substring($0)) }
        guard let first = parts.first, let key = SharedKey(first), key.milliseconds == nil else { return nil }
        let path: String? = read(else: nil) { (database) throws(SQLiteError) in
            try database.prepare(
                """
                SELECT path FROM item JOIN content ON content.id = item.content WHERE hash = ? AND audioBytes = ?
                ORDER BY isPresent DESC, item.id LIMIT 1
                """, .integer(Int64(bitPattern: key.content.hash)), .integer(key.content.audioBytes)
            ).first { $0.text(0) }
        }
        guard let path else { return nil }
        let names = SongNames(root: root)
        guard parts.count > 1 else { return names.uri(of: path) }
        guard let number = Int64(digits: parts[1].utf8, most: 4) else { return nil }
        return names.uri(of: path, chapter: Int(number))
    }

    public func sharedPlaylist(_ name: String) -> SharedPlaylist? {
        read(else: nil) { (database) throws(SQLiteError) in
            guard isOfHousehold else { return nil }
            return try database.prepare("SELECT modified, isDue FROM playlistFile WHERE name = ?", .text(name)).first {
                SharedPlaylist(name: name, modifiedSeconds: $0.integer(0), isDue: $0.integer(1) != 0)
            }
        }
    }

    /// Notes the present entries of a playlist's file. Entries that only the household has keep their places.
    /// - Parameter entries: nil if an entry stays on this speaker: then the whole playlist does.
    /// - Returns: true if the household has another version.
    @discardableResult
    public func note(playlist name: String, _ entries: [String]?, modifiedSeconds: Int64) -> Bool {
        write(else: false) { [self] (database) throws(SQLiteError) in
            guard isOfHousehold else { return false }
            var isChanged = false
            try database.transaction { () throws(SQLiteError) in
                let known = try knownEntries(name, database)
                let lacking = try lackingEntries(name, database)
                var now = entries ?? []
                if let known { now = Library.entries(now, keeping: lacking, of: known) }
                let json = try Library.json(now, database)
                var hasRoom = known != nil
                if known == nil { hasRoom = !(try isFull(database)) }
                if entries == nil || json.utf8.count + 14 > Library.mostValueBytes || !hasRoom {
                    try database.prepare("DELETE FROM playlistFile WHERE name = ?", .text(name)).run()
                    return
                }
                let isUntold = try database.prepare(
                    "SELECT 1 FROM playlistFile WHERE name = ? AND modified < 0", .text(name)
                ).hasRow()
                isChanged = isUntold || (known.map { !Library.isSame($0, now) } ?? true)
                try database.prepare(
                    """
                    INSERT INTO playlistFile(name, lacking, modified, isDue) VALUES(?1, '[]', ?2, 0)
                    ON CONFLICT(name) DO UPDATE SET modified = excluded.modified, isDue = 0
                    """, .text(name), .integer(modifiedSeconds)
                ).run()
                let value = try database.prepare("SELECT json_object('entries', json(?))", .text(json)).first {
                    $0.text(0)
                }
                try Facts.say(
                    .playlist, name, value, name: name, nowSeconds: Library.seconds(modifiedSeconds), database)
            }
            return isChanged
        }
    }

    /// Notes that a listener removed the playlist here.
    public func noteRemoved(playlist name: String, nowMilliseconds: Int64 = wallClockSeconds() * 1000) {
        write(else: ()) { [self] (database) throws(SQLiteError) in
            guard isOfHousehold else { return }
            try database.transaction { () throws(SQLiteError) in
                try database.prepare("DELETE FROM playlistFile WHERE name = ?", .text(name)).run()
                try Facts.say(
                    .playlist, name, nil, name: name, nowSeconds: Library.seconds(nowMilliseconds / 1000), database)
            }
        }
    }

    /// Returns the next playlist by name that may be due. It looks at one at a time, so that no caller waits for all.
    public func duePlaylist(after name: String) -> DuePlaylist? {
        guard let (playlist, entries, lacking) = nextPlaylist(after: name) else { return nil }
        var due = DuePlaylist(playlist: playlist, lines: nil, lacking: [])
        due.playlist.isDue = playlist.isDue || lacking.contains { line(ofEntry: $0) != nil }
        guard due.playlist.isDue, let entries else { return due }
        var lines: [String] = []
        for entry in entries {
            if let line = line(ofEntry: entry) { lines.append(line) } else { due.lacking.append(entry) }
        }
        due.lines = lines
        return due
    }

    private func nextPlaylist(
        after name: String
    ) -> (playlist: SharedPlaylist, entries: [String]?, lacking: [String])? {
        read(else: nil) { (database) throws(SQLiteError) in
            guard isOfHousehold else { return nil }
            let row = try database.prepare(
                """
                SELECT name, modified, isDue FROM playlistFile
                WHERE name > ? AND (isDue OR lacking <> '[]') ORDER BY name LIMIT 1
                """, .text(name))
            defer { row.reset() }
            guard try row.step() else { return nil }
            let playlist = SharedPlaylist(
                name: row.text(0), modifiedSeconds: row.integer(1), isDue: row.integer(2) != 0)
            row.reset()
            return (
                playlist, try knownEntries(playlist.name, database), try lackingEntries(playlist.name, database)
            )
        }
    }

    /// Notes that the file of a due playlist was written or removed.
    public func wrote(_ due: DuePlaylist, modifiedSeconds: Int64) {
        write(else: ()) { (database) throws(SQLiteError) in
            guard isOfHousehold else { return }
            if due.lines == nil {
                return try database.prepare(
                    """
                    DELETE FROM playlistFile WHERE name = ?1
                      AND NOT EXISTS(SELECT 1 FROM fact WHERE kind = 'playlist' AND key = ?1 AND value IS NOT NULL)
                    """, .text(due.playlist.name)
                ).run()
            }
            try database.prepare(
                "UPDATE playlistFile SET lacking = ?, modified = ?, isDue = 0 WHERE name = ?",
                .text(try Library.json(due.lacking, database)), .integer(modifiedSeconds), .text(due.playlist.name)
            ).run()
        }
    }

    // MARK: Rows

    private func isFull(_ database: Database) throws(SQLiteError) -> Bool {
        (try database.integer("SELECT count(*) FROM playlistFile") ?? 0) >= Int64(Library.mostPlaylists)
    }

    /// Returns the entries of a playlist with a file; nil if it was removed, or has no file.
    private func knownEntries(_ name: String, _ database: Database) throws(SQLiteError) -> [String]? {
        let isThere = try database.prepare(
            """
            SELECT 1 FROM playlistFile JOIN fact ON kind = 'playlist' AND key = playlistFile.name
            WHERE playlistFile.name = ? AND json_valid(value)
            """, .text(name)
        ).hasRow()
        if !isThere { return nil }
        return try database.prepare(
            "SELECT entry.value FROM fact JOIN json_each(fact.value, '$.entries') AS entry WHERE kind = 'playlist' AND fact.key = ?",
            .text(name)
        ).all { $0.text(0) }
    }

    private func lackingEntries(_ name: String, _ database: Database) throws(SQLiteError) -> [String] {
        try database.prepare(
            "SELECT value FROM playlistFile JOIN json_each(lacking) WHERE name = ? AND json_valid(lacking)", .text(name)
        ).all { $0.text(0) }
    }

    private static func json(_ list: [String], _ database: Database) throws(SQLiteError) -> String {
        if list.isEmpty { return "[]" }
        // json_array takes a hundred.
        let signs = String(repeating: "(?),", count: list.count).utf8.dropLast()
        return try database.composed(
            "SELECT json_group_array(column1) FROM (VALUES " + String(decoding: Array(signs), as: UTF8.self) + ")",
            list.map { .text($0) }
        ).first { $0.text(0) } ?? "[]"
    }

    private static func isSame(_ one: [String], _ other: [String]) -> Bool {
        one.elementsEqual(other) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// Merges the entries of a file with the missing ones, which stay behind the same neighbors as before.
    static func entries(_ file: [String], keeping lacking: [String], of known: [String]) -> [String] {
        var entries = file
        var place = 0
        for entry in known {
            func isEntry(_ other: String) -> Bool { other.utf8.elementsEqual(entry.utf8) }
            if lacking.contains(where: isEntry) {
                entries.insert(entry, at: place)
                place += 1
            } else if let next = entries[place...].firstIndex(where: isEntry) {
                place = next + 1
            }
        }
        return entries
    }

    /// Marks a playlist's file as due, since another device changed or removed the playlist. Without a file here there is nothing to
    /// remove.
    static func apply(playlist record: SharedRecord, _ database: Database) throws(SQLiteError) {
        if record.value == nil {
            return try database.prepare("UPDATE playlistFile SET isDue = 1 WHERE name = ?", .text(record.key)).run()
        }
        try database.prepare(
            """
            INSERT INTO playlistFile(name, lacking, modified, isDue) VALUES(?1, '[]', 0, 1)
            ON CONFLICT(name) DO UPDATE SET isDue = 1
            """, .text(record.key)
        ).run()
    }

    /// Returns whether a text can be the name of a file, and fits a record's key.
    static func isPlaylistName(_ name: String) -> Bool {
        (1...250).contains(name.utf8.count)
            && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
    }
}
