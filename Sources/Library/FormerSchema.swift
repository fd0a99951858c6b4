// SPDX-License-Identifier: Apache-2.0
/// The tables of earlier versions' databases that are gone now. A new database has them while `Rescue` takes over the rows of an older one.
enum FormerSchema {
    static var tables: String {
        """
        CREATE TABLE progress(
          content INTEGER PRIMARY KEY,
          milliseconds INTEGER NOT NULL CHECK(milliseconds >= 0),
          saved INTEGER NOT NULL,
          playCount INTEGER NOT NULL CHECK(playCount >= 0),
          played INTEGER
        ) STRICT;
        CREATE TABLE heard(sequence INTEGER PRIMARY KEY, content INTEGER NOT NULL UNIQUE) STRICT;
        CREATE TABLE finished(sequence INTEGER PRIMARY KEY, content INTEGER NOT NULL UNIQUE) STRICT;
        CREATE TABLE favourite(
          sequence INTEGER PRIMARY KEY,
          content INTEGER NOT NULL UNIQUE,
          added INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE bookmark(
          sequence INTEGER PRIMARY KEY,
          content INTEGER NOT NULL,
          milliseconds INTEGER NOT NULL CHECK(milliseconds >= 0),
          words TEXT NOT NULL,
          added INTEGER NOT NULL,
          UNIQUE(content, milliseconds)
        ) STRICT;
        CREATE TABLE speed(content INTEGER PRIMARY KEY, factor TEXT NOT NULL) STRICT;
        CREATE TABLE skip(content INTEGER PRIMARY KEY, seconds TEXT NOT NULL) STRICT;
        CREATE TABLE shared(
          revision INTEGER PRIMARY KEY,
          kind TEXT NOT NULL,
          key TEXT NOT NULL,
          value TEXT,
          time INTEGER NOT NULL,
          device INTEGER NOT NULL,
          name TEXT NOT NULL,
          UNIQUE(kind, key)
        ) STRICT;
        CREATE TABLE sharedChange(
          sequence INTEGER PRIMARY KEY,
          kind TEXT NOT NULL,
          key TEXT NOT NULL,
          changed INTEGER NOT NULL,
          UNIQUE(kind, key)
        ) STRICT;
        CREATE TABLE sharedPlaylist(
          name TEXT PRIMARY KEY,
          entries TEXT,
          lacking TEXT NOT NULL,
          changed INTEGER NOT NULL,
          modified INTEGER NOT NULL,
          isDue INTEGER NOT NULL
        ) STRICT;
        """
    }

    /// The statements that take over places. A place in each file becomes a row; making a book unites the rows of its files.
    static var places: String {
        """
        INSERT OR IGNORE INTO workPlace(sequence, file, milliseconds, isFinished, saved)
          SELECT row_number() OVER (ORDER BY heard.sequence IS NOT NULL, heard.sequence, finished.sequence, ifnull(saved, 0)),
            known.content, iif(heard.sequence IS NULL AND ifnull(milliseconds, 0) = 0, NULL, max(0, ifnull(milliseconds, 0))),
            finished.sequence IS NOT NULL, ifnull(saved, 0)
          FROM (SELECT content FROM progress WHERE milliseconds > 0 UNION SELECT content FROM heard
              UNION SELECT content FROM finished) AS known
            LEFT JOIN progress ON progress.content = known.content LEFT JOIN heard ON heard.content = known.content
            LEFT JOIN finished ON finished.content = known.content;
        INSERT OR IGNORE INTO plays(content, playCount, played) SELECT content, playCount, played FROM progress;
        DROP TABLE progress;
        DROP TABLE heard;
        DROP TABLE finished;
        """
    }

    /// Moves the speaker's own settings out of the table of speeds, where each had a number below 1.
    static var settings: String {
        """
        INSERT OR IGNORE INTO setting(name, value) SELECT name, factor FROM speed JOIN (
          SELECT 0 AS number, 'speed' AS name UNION ALL VALUES(-1, 'silences'), (-2, 'level'), (-3, 'sleep'), (-4, 'boot'),
            (-5, 'changed'), (-6, 'week'), (-7, 'ringing'), (-8, 'clock'), (-9, 'manner'), (-10, 'loudest'), (-11, 'language'),
            (-12, 'headings'), (-13, 'voice')) ON number = content;
        DELETE FROM speed WHERE content < 1;
        """
    }

    /// The statements that take over listeners' facts: favorites and bookmarks in the order of adding. `shared` had the records of a
    /// household, and `sharedChange` the changes since, which are later. The household gets all of them once more, and already knows them.
    static var facts: String {
        let taken = Taken.all.map { $0.statement }.joined(separator: "\n")
        return """
            INSERT OR IGNORE INTO fact(kind, key, value, time, device, name)
              SELECT kind, key, value, time, device, name FROM shared WHERE kind = 'place' ORDER BY revision;
            UPDATE workPlace SET owed = (SELECT changed FROM sharedChange JOIN content ON content.id = workPlace.file
                WHERE kind = 'place' AND key = printf('%016x-%d', hash, audioBytes))
              WHERE EXISTS(SELECT 1 FROM sharedChange JOIN content ON content.id = workPlace.file
                WHERE kind = 'place' AND key = printf('%016x-%d', hash, audioBytes));
            \(taken)
            INSERT OR IGNORE INTO fact(kind, key, value, time, device, name)
              SELECT shared.kind, shared.key, iif(changed IS NULL, value, NULL),
                iif(changed IS NULL, time, max(time + 1, \(Taken.time("changed")))),
                device, name
              FROM shared LEFT JOIN sharedChange ON sharedChange.kind = shared.kind AND sharedChange.key = shared.key
              ORDER BY revision;
            DELETE FROM fact WHERE value IS NULL AND NOT EXISTS(SELECT 1 FROM household);
            UPDATE household SET sent = 0;
            INSERT OR IGNORE INTO playlistFile(name, lacking, modified, isDue)
              SELECT name, lacking, modified, isDue FROM sharedPlaylist;
            DELETE FROM playlistFile WHERE NOT EXISTS(SELECT 1 FROM household);
            DROP TABLE sharedPlaylist;
            DROP TABLE favourite;
            DROP TABLE bookmark;
            DROP TABLE speed;
            DROP TABLE skip;
            DROP TABLE shared;
            DROP TABLE sharedChange;
            """
    }

    /// A table of an older database, as facts.
    private struct Taken {
        var table: String
        var kind: String
        /// The key and the value of `row`.
        var key = "printf('%016x-%d', hash, audioBytes)"
        var value: String
        /// The time of the statement, in milliseconds since 1970.
        var changed = "0"
        var name = "(SELECT title FROM item WHERE item.content = row.content ORDER BY isPresent DESC, id LIMIT 1)"
        var content: String? = "row.content"

        static var all: [Taken] {
            let added = "max(0, min(253402300799, row.added))"
            return [
                Taken(
                    table: "favourite", kind: "favourite",
                    value: Facts.favouriteValue(of: "row.content", added: "row.added"), changed: added + " * 1000"),
                Taken(
                    table: "bookmark", kind: "bookmark",
                    key: "printf('%016x-%d-%d', hash, audioBytes, row.milliseconds)",
                    value: "json_object('added', \(added), 'words', words)", changed: added + " * 1000"),
                Taken(table: "speed", kind: "speed", value: "json_object('factor', factor)"),
                Taken(table: "skip", kind: "skip", value: "json_object('seconds', seconds)"),
                Taken(
                    table: "feed", kind: "subscription", key: "row.origin",
                    value: "json_object('added', \(added))", changed: added + " * 1000", name: "row.title", content: nil
                ),
                Taken(
                    table: "sharedPlaylist", kind: "playlist", key: "row.name",
                    value: "json_object('entries', CASE WHEN json_valid(entries) THEN json(entries) END)",
                    changed: "row.changed", name: "row.name", content: nil),
            ]
        }

        /// Returns the hybrid time of a moment in milliseconds since 1970, as SQL.
        static func time(_ milliseconds: String) -> String {
            "(max(0, min(7258118400000, \(milliseconds))) << 16)"
        }

        var statement: String {
            let join = content.map { "JOIN content ON content.id = \($0)" } ?? ""
            let key = self.key
            // A playlist without entries was removed.
            let condition = table == "sharedPlaylist" ? "WHERE entries IS NOT NULL" : ""
            let isKnown = "known.value IS NOT NULL AND pending.changed IS NULL"
            return """
                INSERT OR IGNORE INTO fact(kind, key, value, time, device, name, content)
                  SELECT '\(kind)', \(key), iif(\(isKnown), known.value, \(value)),
                    iif(\(isKnown), known.time, max(ifnull(known.time + 1, 0), \(Taken.time("ifnull(pending.changed, \(changed))")))),
                    iif(\(isKnown), known.device, ifnull((SELECT device FROM household), 0)),
                    ifnull(iif(\(isKnown), known.name, \(name)), ''), \(content ?? "NULL")
                  FROM \(table) AS row \(join)
                    LEFT JOIN shared AS known ON known.kind = '\(kind)' AND known.key = \(key)
                    LEFT JOIN sharedChange AS pending ON pending.kind = '\(kind)' AND pending.key = \(key)
                  \(condition) ORDER BY row.rowid;
                """
        }
    }
}
