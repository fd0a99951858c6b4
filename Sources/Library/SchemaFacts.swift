// SPDX-License-Identifier: Apache-2.0
import SQLite

extension Schema {
    /// As older databases have it. All are empty where the speaker is of no household.
    static var householdTables: String {
        """
        CREATE TABLE household(
          id INTEGER PRIMARY KEY CHECK(id = 1),
          device INTEGER NOT NULL,
          clock INTEGER NOT NULL,
          joining TEXT,
          joined INTEGER NOT NULL,
          sent INTEGER NOT NULL,
          cursor TEXT NOT NULL
        ) STRICT;
        \(sharedTables)
        """
    }

    /// As older databases have them: `shared` had the records of a household beside the tables that each kind had of its own, and
    /// `sharedChange` the changes without a record yet; `changed` in milliseconds since 1970.
    static var sharedTables: String {
        """
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
        """
    }

    /// As older databases have them, for a rescue: the tables whose rows `factsOfTables` takes over, but for `feed`.
    static var formerTables: String {
        """
        CREATE TABLE favourite(
          sequence INTEGER PRIMARY KEY,
          content INTEGER NOT NULL UNIQUE,
          added INTEGER NOT NULL
        ) STRICT;
        \(bookmarkTable)
        \(speedTable)
        \(skipTable)
        \(sharedTables)
        \(formerPlaylistTable)
        """
    }

    /// As older databases of a household have it.
    static var formerPlaylistTable: String {
        """
        CREATE TABLE IF NOT EXISTS sharedPlaylist(
          name TEXT PRIMARY KEY,
          entries TEXT,
          lacking TEXT NOT NULL,
          changed INTEGER NOT NULL,
          modified INTEGER NOT NULL,
          isDue INTEGER NOT NULL
        ) STRICT;
        """
    }

    /// * `fact`: see `Facts`. `revision` counts up with each that comes; of favorites and bookmarks it is the order of adding. `time` is a
    ///   `HybridTime`, `device` the one that said it, `name` for people. `content` is the audio that it is said of, null if it was taken
    ///   away or is of something else.
    /// * `household`: the device that this speaker is there, the latest time that it has heard of, and the carrier's notes: see
    ///   `HouseholdNote`. No row where the speaker is of no household.
    /// * `workPlace.owed`: see `WorkPlaces.Row.owedMilliseconds`.
    static var factTables: String {
        """
        CREATE TABLE fact(
          revision INTEGER PRIMARY KEY,
          kind TEXT NOT NULL,
          key TEXT NOT NULL,
          value TEXT,
          time INTEGER NOT NULL,
          device INTEGER NOT NULL,
          name TEXT NOT NULL,
          content INTEGER,
          UNIQUE(kind, key)
        ) STRICT;
        CREATE INDEX factContent ON fact(content, kind) WHERE content IS NOT NULL;
        CREATE INDEX factOrder ON fact(kind) WHERE value IS NOT NULL;
        ALTER TABLE household DROP COLUMN joining;
        ALTER TABLE household DROP COLUMN joined;
        ALTER TABLE workPlace ADD COLUMN owed INTEGER;
        UPDATE workPlace SET owed = 0;
        \(formerPlaylistTable)
        \(factsOfTables)
        """
    }

    /// Takes over what older tables say, favorites and bookmarks in the order of their adding. What was said since the last record of its key is
    /// later than that. All of it is told to the household once more, which knows it.
    static var factsOfTables: String {
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
            \(Library.playlistTable);
            INSERT OR IGNORE INTO playlistFile(name, lacking, modified, isDue)
              SELECT name, lacking, modified, isDue FROM sharedPlaylist;
            DROP TABLE sharedPlaylist;
            DROP TABLE favourite;
            DROP TABLE bookmark;
            DROP TABLE speed;
            DROP TABLE skip;
            DROP TABLE shared;
            DROP TABLE sharedChange;
            DELETE FROM playlistFile WHERE NOT EXISTS(SELECT 1 FROM household);
            """
    }

    /// A table of an older database, as facts.
    private struct Taken {
        var table: String
        var kind: String
        /// The key and the value of `row`.
        var key = "printf('%016x-%d', hash, audioBytes)"
        var value: String
        /// When it was said, in milliseconds since 1970.
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

        /// The hybrid time of a moment in milliseconds since 1970, as SQL.
        static func time(_ milliseconds: String) -> String {
            "(max(0, min(7258118400000, \(milliseconds))) << 16)"
        }

        var statement: String {
            let join = content.map { "JOIN content ON content.id = \($0)" } ?? ""
            let key = self.key
            // A playlist without entries was taken away.
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
