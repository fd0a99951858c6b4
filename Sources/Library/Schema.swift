// SPDX-License-Identifier: Apache-2.0
import Posix
import SQLite

/// The database's tables. `user_version` counts the steps that have been made.
enum Schema {
    /// From one version to the next: statements, then what statements cannot do, then statements again.
    struct Step {
        var before: String
        var fill: ((Database) throws(SQLiteError) -> Void)?
        var after = ""

        func run(_ database: Database) throws(SQLiteError) {
            try database.execute(before)
            try fill?(database)
            if !after.isEmpty { try database.execute(after) }
        }
    }

    /// Never change a step that has shipped: add one. Closures, since each start counts them and few starts make one.
    static var steps: [() -> Step] {
        [
            { first }, { second }, { third }, { fourth }, { fifth }, { sixth }, { seventh }, { eighth }, { ninth },
            { tenth }, { eleventh }, { twelfth }, { thirteenth },
        ]
    }

    /// Rows of `item` were both the file and its audio.
    private static var first: Step {
        Step(
            before: """
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
                """)
    }

    /// * `content`: audio, known by what it sounds like. All memory of it hangs on it, so that equal files share it.
    /// * `item`: a file. `duration` is its content's, and here because an index orders by it. `goneSince` is null if it is there.
    /// * `folder`: each folder with an item somewhere below it; `parent` is 0 for "/".
    /// * `itemOrder` and its kin: the order of listings and questions, so that a page of them costs its own rows.
    /// * `progress`: the place in each file; now in `workPlace`.
    /// * `favourite`: `sequence` was the order of adding; now in `fact`.
    /// * `queueEntry`: the queue, in the order of `place`; see `QueueRows`. Empty while the queue is the library.
    ///   `priority` is MPD's in its lowest 8 bits, and in the next 16 the chapter that alone is played.
    /// * `speaker`: `item` is the current one; `song` is its number in the queue.
    private static var second: Step {
        Step(
            before: """
                DROP TABLE itemText;
                DROP INDEX itemPath;
                DROP INDEX itemOrder;
                ALTER TABLE item RENAME TO oldItem;
                CREATE TABLE content(
                  id INTEGER PRIMARY KEY,
                  hash INTEGER NOT NULL,
                  audioBytes INTEGER NOT NULL,
                  UNIQUE(hash, audioBytes)
                ) STRICT;
                INSERT INTO content(id, hash, audioBytes) SELECT id, hash, audioBytes FROM oldItem;
                CREATE TABLE item(
                  id INTEGER PRIMARY KEY,
                  content INTEGER NOT NULL,
                  path TEXT NOT NULL,
                  pathKey BLOB NOT NULL,
                  fileBytes INTEGER NOT NULL,
                  fileModified INTEGER NOT NULL,
                  title TEXT NOT NULL,
                  titleKey BLOB NOT NULL,
                  artist TEXT NOT NULL,
                  album TEXT NOT NULL,
                  duration INTEGER CHECK(duration >= 0),
                  artwork TEXT,
                  added INTEGER NOT NULL,
                  isPresent INTEGER NOT NULL CHECK(isPresent IN (0, 1)),
                  goneSince INTEGER
                ) STRICT;
                INSERT INTO item(id, content, path, pathKey, fileBytes, fileModified, title, titleKey, artist, album, duration,
                    artwork, added, isPresent)
                  SELECT id, id, path, pathKey, fileBytes, fileModified, title, titleKey, artist, album, duration, artwork, added,
                    isPresent FROM oldItem;
                DROP TABLE oldItem;
                CREATE INDEX itemContent ON item(content);
                CREATE INDEX itemPath ON item(path);
                CREATE INDEX itemOrder ON item(isPresent, pathKey, path);
                CREATE INDEX itemArtist ON item(isPresent, artist, pathKey);
                CREATE INDEX itemAlbum ON item(isPresent, album, pathKey);
                CREATE INDEX itemTitle ON item(isPresent, title);
                CREATE INDEX itemAdded ON item(isPresent, added);
                CREATE INDEX itemModified ON item(isPresent, fileModified);
                CREATE INDEX itemDuration ON item(isPresent, duration);
                CREATE TABLE folder(
                  id INTEGER PRIMARY KEY,
                  parent INTEGER NOT NULL,
                  path TEXT NOT NULL UNIQUE,
                  pathKey BLOB NOT NULL
                ) STRICT;
                CREATE INDEX folderOrder ON folder(parent, pathKey);
                ALTER TABLE progress RENAME COLUMN item TO content;
                ALTER TABLE favourite RENAME COLUMN item TO content;
                ALTER TABLE frameIndex RENAME TO seekTable;
                ALTER TABLE seekTable RENAME COLUMN item TO content;
                ALTER TABLE speaker ADD COLUMN item INTEGER;
                CREATE TABLE queueEntry(
                  place INTEGER PRIMARY KEY,
                  song INTEGER NOT NULL UNIQUE,
                  item INTEGER NOT NULL,
                  priority INTEGER NOT NULL DEFAULT 0
                ) STRICT;
                """,
            fill: { (database) throws(SQLiteError) in
                try Folders.fill(database)
                try QueueRows.takeOver("queue", database)
            },
            after: "DROP TABLE queue")
    }

    /// The additions of each part of the library, in the file of that part.
    private static var third: Step {
        Step(before: scanTables + tagTables + bookTables + sentenceTables + speakerColumns + stickerTables)
    }

    /// Podcasts, and how loud recordings are.
    private static var fourth: Step { Step(before: podcastTables + loudnessTable) }

    private static var fifth: Step { Step(before: alarmTable) }

    private static var sixth: Step { Step(before: householdTables) }

    /// The rules of books changed: all of them are made anew.
    private static var seventh: Step {
        Step(before: "INSERT OR IGNORE INTO bookToDo(folder) SELECT id FROM folder")
    }

    /// The index of spoken words has a file of its own, `SpokenStore`.
    private static var eighth: Step {
        Step(
            before: """
                DROP TABLE IF EXISTS spokenWord;
                DROP TABLE spokenBlock;
                DROP TABLE spokenItem
                """)
    }

    /// A work has one place, and not each of its files one.
    private static var ninth: Step { Step(before: placeTables) }

    /// Feeds have an order.
    private static var tenth: Step { Step(before: orderColumns) }

    /// The speaker's own settings have names.
    private static var eleventh: Step { Step(before: settingTable) }

    private static var twelfth: Step { Step(before: skipTable) }

    /// What people said is one table.
    private static var thirteenth: Step { Step(before: factTables) }

    static var version: Int64 { Int64(steps.count) }

    /// Makes the steps after `version` and counts them, all or nothing.
    static func migrate(_ database: Database, from version: Int64) throws(SQLiteError) {
        try database.transaction { () throws(SQLiteError) in
            for step in Schema.steps[Int(version)...] { try step().run(database) }
            try database.execute("PRAGMA user_version = \(Schema.version)")
        }
    }
}
