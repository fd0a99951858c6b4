// SPDX-License-Identifier: Apache-2.0
@testable import Library
@testable import SQLite

/// The tables of databases that earlier versions made, as those versions wrote them.
enum FormerSchemas {
    /// 13 had the tables of 14, but for that of a household's playlists, which a speaker without one might not have.
    static let versions = [1, 8, 9, 10, 11, 12, 13]

    /// Makes the tables of a version.
    static func make(_ version: Int, _ database: Database) throws {
        try database.execute("PRAGMA page_size=1024;PRAGMA journal_mode=WAL")
        if version == 13 {
            try Schema.make(database)
            try database.execute("DROP TABLE playlistFile")
        } else {
            try database.execute(version == 1 ? first : eighth)
            for (number, step) in zip(9..., later) where number <= version { try database.execute(step) }
        }
        try database.execute("PRAGMA user_version = \(version)")
    }

    /// Of a household alone.
    static let playlistTable = """
        CREATE TABLE IF NOT EXISTS sharedPlaylist(
          name TEXT PRIMARY KEY,
          entries TEXT,
          lacking TEXT NOT NULL,
          changed INTEGER NOT NULL,
          modified INTEGER NOT NULL,
          isDue INTEGER NOT NULL
        ) STRICT;
        """

    /// Rows of `item` were both the file and its audio.
    private static let first = """
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

    private static let eighth = """
        CREATE TABLE progress(
          content INTEGER PRIMARY KEY,
          milliseconds INTEGER NOT NULL CHECK(milliseconds >= 0),
          saved INTEGER NOT NULL,
          playCount INTEGER NOT NULL CHECK(playCount >= 0),
          played INTEGER
        ) STRICT;
        CREATE TABLE favourite(
          sequence INTEGER PRIMARY KEY,
          content INTEGER NOT NULL UNIQUE,
          added INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE "seekTable"(content INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
        CREATE TABLE speaker(
          id INTEGER PRIMARY KEY CHECK(id = 1),
          song INTEGER,
          isPlaying INTEGER NOT NULL CHECK(isPlaying IN (0, 1)),
          volume INTEGER NOT NULL CHECK(volume BETWEEN 0 AND 100),
          nextSong INTEGER NOT NULL,
          queueIsLibrary INTEGER NOT NULL CHECK(queueIsLibrary IN (0, 1))
        , item INTEGER) STRICT;
        CREATE TABLE content(
          id INTEGER PRIMARY KEY,
          hash INTEGER NOT NULL,
          audioBytes INTEGER NOT NULL,
          UNIQUE(hash, audioBytes)
        ) STRICT;
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
        CREATE INDEX itemContent ON item(content);
        CREATE INDEX itemPath ON item(path);
        CREATE INDEX itemOrder ON item(isPresent, pathKey, path);
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
        CREATE TABLE queueEntry(
          place INTEGER PRIMARY KEY,
          song INTEGER NOT NULL UNIQUE,
          item INTEGER NOT NULL,
          priority INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE itemSidecars(item INTEGER PRIMARY KEY, stamp INTEGER NOT NULL) STRICT;
        CREATE TABLE itemTags(item INTEGER PRIMARY KEY, tags BLOB NOT NULL) STRICT;
        CREATE TABLE tagValue(
                  id INTEGER PRIMARY KEY,
                  tag INTEGER NOT NULL,
                  text TEXT NOT NULL,
                  UNIQUE(tag, text)
                ) STRICT;
        CREATE INDEX tagValueNumber ON tagValue(tag, CAST(text AS INTEGER), text) WHERE tag IN (7, 23);
        CREATE TABLE itemTag(
                  value INTEGER NOT NULL,
                  item INTEGER NOT NULL,
                  PRIMARY KEY(value, item)
                ) STRICT, WITHOUT ROWID;
        CREATE TABLE book(
                  id INTEGER PRIMARY KEY,
                  folder INTEGER NOT NULL,
                  item INTEGER NOT NULL,
                  title TEXT NOT NULL,
                  titleKey BLOB NOT NULL,
                  author TEXT NOT NULL,
                  authorKey BLOB NOT NULL,
                  narrator TEXT NOT NULL,
                  series TEXT NOT NULL,
                  seriesPart TEXT NOT NULL,
                  seriesKey BLOB NOT NULL,
                  year TEXT NOT NULL,
                  genre TEXT NOT NULL,
                  language TEXT NOT NULL,
                  added INTEGER NOT NULL,
                  items INTEGER NOT NULL,
                  UNIQUE(folder, item)
                ) STRICT;
        CREATE INDEX bookTitle ON book(titleKey, id);
        CREATE INDEX bookAuthor ON book(authorKey, titleKey, id);
        CREATE INDEX bookSeries ON book(seriesKey, titleKey, id);
        CREATE INDEX bookAdded ON book(added, id);
        CREATE TABLE bookItem(
                  book INTEGER NOT NULL,
                  place INTEGER NOT NULL,
                  item INTEGER NOT NULL UNIQUE,
                  PRIMARY KEY(book, place)
                ) STRICT, WITHOUT ROWID;
        CREATE TABLE bookToDo(folder INTEGER PRIMARY KEY) STRICT;
        CREATE TABLE itemChapters(item INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
        CREATE TABLE cover(id INTEGER PRIMARY KEY, identity BLOB NOT NULL UNIQUE) STRICT;
        CREATE TABLE itemCover(item INTEGER PRIMARY KEY, cover INTEGER NOT NULL) STRICT;
        CREATE TABLE heard(sequence INTEGER PRIMARY KEY, content INTEGER NOT NULL UNIQUE) STRICT;
        CREATE TABLE finished(sequence INTEGER PRIMARY KEY, content INTEGER NOT NULL UNIQUE) STRICT;
        CREATE INDEX progressPlays ON progress(playCount) WHERE playCount > 0;
        CREATE TABLE bookmark(
                  sequence INTEGER PRIMARY KEY,
                  content INTEGER NOT NULL,
                  milliseconds INTEGER NOT NULL CHECK(milliseconds >= 0),
                  words TEXT NOT NULL,
                  added INTEGER NOT NULL,
                  UNIQUE(content, milliseconds)
                ) STRICT;
        CREATE TABLE playing(
                  id INTEGER PRIMARY KEY CHECK(id = 1),
                  isRandom INTEGER NOT NULL DEFAULT 0 CHECK(isRandom IN (0, 1)),
                  repeats INTEGER NOT NULL DEFAULT 0 CHECK(repeats IN (0, 1)),
                  single INTEGER NOT NULL DEFAULT 0 CHECK(single BETWEEN 0 AND 2),
                  consumes INTEGER NOT NULL DEFAULT 0 CHECK(consumes IN (0, 1)),
                  mixRamp INTEGER NOT NULL DEFAULT 0,
                  mixRampDelay INTEGER NOT NULL DEFAULT 0,
                  pausedSince INTEGER
                ) STRICT;
        CREATE TABLE speed(content INTEGER PRIMARY KEY, factor TEXT NOT NULL) STRICT;
        CREATE TABLE sticker(
                  content INTEGER NOT NULL,
                  name TEXT NOT NULL,
                  value TEXT NOT NULL,
                  UNIQUE(content, name)
                ) STRICT;
        CREATE INDEX stickerName ON sticker(name, content);
        CREATE TABLE output(
                  id INTEGER PRIMARY KEY,
                  isEnabled INTEGER NOT NULL CHECK(isEnabled IN (0, 1))
                ) STRICT;
        CREATE TABLE feed(
                  id INTEGER PRIMARY KEY,
                  address TEXT NOT NULL UNIQUE,
                  origin TEXT NOT NULL,
                  name TEXT NOT NULL UNIQUE,
                  title TEXT NOT NULL,
                  author TEXT NOT NULL,
                  details TEXT NOT NULL,
                  picture TEXT NOT NULL,
                  entityTag TEXT NOT NULL,
                  lastModified TEXT NOT NULL,
                  checked INTEGER NOT NULL,
                  problem TEXT NOT NULL,
                  added INTEGER NOT NULL
                ) STRICT;
        CREATE TABLE episode(
                  item INTEGER PRIMARY KEY,
                  feed INTEGER NOT NULL,
                  address TEXT NOT NULL,
                  published INTEGER NOT NULL,
                  picture TEXT NOT NULL,
                  transcript TEXT NOT NULL,
                  transcriptType TEXT NOT NULL,
                  chapters TEXT NOT NULL,
                  stamp INTEGER NOT NULL,
                  state INTEGER NOT NULL
                ) STRICT;
        CREATE INDEX episodeOrder ON episode(feed, published);
        CREATE TABLE loudness(content INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
        CREATE TABLE alarm(
                  id INTEGER PRIMARY KEY,
                  minute INTEGER NOT NULL CHECK(minute BETWEEN 0 AND 1439),
                  days INTEGER NOT NULL CHECK(days BETWEEN 0 AND 127),
                  playlist TEXT NOT NULL,
                  item INTEGER,
                  isBook INTEGER NOT NULL CHECK(isBook IN (0, 1)),
                  rise INTEGER NOT NULL,
                  loudness INTEGER NOT NULL,
                  isOn INTEGER NOT NULL CHECK(isOn IN (0, 1)),
                  since INTEGER,
                  rang INTEGER
                ) STRICT;
        CREATE TABLE household(
                  id INTEGER PRIMARY KEY CHECK(id = 1),
                  device INTEGER NOT NULL,
                  clock INTEGER NOT NULL,
                  joining TEXT,
                  joined INTEGER NOT NULL,
                  sent INTEGER NOT NULL,
                  cursor TEXT NOT NULL
                ) STRICT;
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

    /// The changes of versions nine to twelve.
    private static let later = [
        """
        CREATE TABLE workPlace(
          sequence INTEGER PRIMARY KEY,
          file INTEGER NOT NULL UNIQUE,
          milliseconds INTEGER CHECK(milliseconds >= 0),
          isFinished INTEGER NOT NULL CHECK(isFinished IN (0, 1)),
          saved INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE plays(
          content INTEGER PRIMARY KEY,
          playCount INTEGER NOT NULL CHECK(playCount >= 0),
          played INTEGER
        ) STRICT;
        CREATE INDEX playCount ON plays(playCount) WHERE playCount > 0;

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

        INSERT OR IGNORE INTO bookToDo(folder) SELECT id FROM folder;
        """,
        """
        ALTER TABLE feed ADD COLUMN isSerial INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE feed ADD COLUMN chosenOrder TEXT NOT NULL DEFAULT '';
        ALTER TABLE episode ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
        UPDATE feed SET entityTag = '', lastModified = '', checked = 0;
        """,
        """
        CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

        INSERT OR IGNORE INTO setting(name, value) SELECT name, factor FROM speed JOIN (
          SELECT 0 AS number, 'speed' AS name UNION ALL VALUES(-1, 'silences'), (-2, 'level'), (-3, 'sleep'), (-4, 'boot'),
            (-5, 'changed'), (-6, 'week'), (-7, 'ringing'), (-8, 'clock'), (-9, 'manner'), (-10, 'loudest'), (-11, 'language'),
            (-12, 'headings'), (-13, 'voice')) ON number = content;
        DELETE FROM speed WHERE content < 1;
        """,
        """
        CREATE TABLE skip(content INTEGER PRIMARY KEY, seconds TEXT NOT NULL) STRICT;
        """,
    ]
}
