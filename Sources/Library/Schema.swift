import SQLite

/// The database's tables. `user_version` counts the steps that have been made.
enum Schema {
    /// Never change a step that has shipped: add one.
    ///
    /// * `item`: what is known of a file. Rows are never deleted, so that favourites and positions survive the file.
    /// * `itemOrder` has all that listing the ids in order takes.
    /// * `progress`: apart from `item` and narrow, because it is written every 5 seconds: one page of the log each time.
    /// * `favourite`: `sequence` is the order of adding, which a clock set wrong cannot upset.
    /// * `queue`: see `SpeakerState.encode`.
    static let steps: [String] = [
        """
        CREATE TABLE item(
          id INTEGER PRIMARY KEY,
          hash INTEGER NOT NULL,
          audioBytes INTEGER NOT NULL,
          path TEXT NOT NULL,
          pathKey BLOB NOT NULL,
          fileBytes INTEGER NOT NULL,
          fileModified INTEGER NOT NULL,
          title TEXT NOT NULL,
          titleKey BLOB NOT NULL,
          artist TEXT NOT NULL,
          album TEXT NOT NULL,
          duration INTEGER CHECK(duration >= 0),
          transcript TEXT,
          artwork TEXT,
          added INTEGER NOT NULL,
          isPresent INTEGER NOT NULL CHECK(isPresent IN (0, 1)),
          UNIQUE(hash, audioBytes)
        ) STRICT;
        CREATE INDEX itemPath ON item(path);
        CREATE INDEX itemOrder ON item(isPresent, pathKey, path);
        CREATE TABLE progress(
          item INTEGER PRIMARY KEY,
          milliseconds INTEGER NOT NULL CHECK(milliseconds >= 0),
          saved INTEGER NOT NULL,
          playCount INTEGER NOT NULL CHECK(playCount >= 0),
          played INTEGER
        ) STRICT;
        CREATE TABLE favourite(
          sequence INTEGER PRIMARY KEY,
          item INTEGER NOT NULL UNIQUE,
          added INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE frameIndex(item INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
        CREATE TABLE speaker(
          id INTEGER PRIMARY KEY CHECK(id = 1),
          song INTEGER,
          isPlaying INTEGER NOT NULL CHECK(isPlaying IN (0, 1)),
          volume INTEGER NOT NULL CHECK(volume BETWEEN 0 AND 100),
          nextSong INTEGER NOT NULL,
          queueIsLibrary INTEGER NOT NULL CHECK(queueIsLibrary IN (0, 1))
        ) STRICT;
        CREATE TABLE queue(id INTEGER PRIMARY KEY CHECK(id = 1), entries BLOB NOT NULL) STRICT;
        CREATE VIRTUAL TABLE itemText USING fts5(
          title, artist, album, path, columnsize = 0, tokenize = 'unicode61 remove_diacritics 2');
        """
    ]

    static var version: Int64 { Int64(steps.count) }

    /// The tables whose rows are worth saving from a damaged database.
    static let tables = ["item", "progress", "favourite", "frameIndex", "speaker", "queue"]

    /// Makes the steps after `version` and counts them, all or nothing.
    static func migrate(_ database: Database, from version: Int64) throws(SQLiteError) {
        try database.transaction { () throws(SQLiteError) in
            for step in Schema.steps[Int(version)...] { try database.execute(step) }
            try database.execute("PRAGMA user_version = \(Schema.version)")
        }
    }
}
