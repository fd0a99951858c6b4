// SPDX-License-Identifier: Apache-2.0
extension Schema {
    /// * `book`: a folder of files, or one of its files (`item` is 0 for a whole folder). The keys sort as a person would.
    /// * `bookItem`: the items of a book, in order.
    /// * `bookToDo`: folders in which something has changed since their books were made.
    /// * `itemChapters`: `ChapterBytes`; no row where there are none.
    /// * `cover`, `itemCover`: pictures by their content, and their items.
    /// * `heard`, `finished`: the played and the finished works, the last at the end; now in `workPlace`.
    static var bookTables: String {
        """
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
        \(heardTables)
        INSERT INTO heard(content) SELECT content FROM progress WHERE milliseconds > 0 ORDER BY saved;
        CREATE INDEX progressPlays ON progress(playCount) WHERE playCount > 0;
        INSERT INTO bookToDo(folder) SELECT id FROM folder;

        """
    }

    /// Older databases have them.
    static var heardTables: String {
        """
        CREATE TABLE heard(sequence INTEGER PRIMARY KEY, content INTEGER NOT NULL UNIQUE) STRICT;
        CREATE TABLE finished(sequence INTEGER PRIMARY KEY, content INTEGER NOT NULL UNIQUE) STRICT;
        """
    }

    /// As older databases have it, with a place for each file.
    static var progressTable: String {
        """
        CREATE TABLE progress(
          content INTEGER PRIMARY KEY,
          milliseconds INTEGER NOT NULL CHECK(milliseconds >= 0),
          saved INTEGER NOT NULL,
          playCount INTEGER NOT NULL CHECK(playCount >= 0),
          played INTEGER
        ) STRICT;
        """
    }

    /// * `workPlace`: see `WorkPlaces`. Apart and narrow, because it is written every 5 seconds: one page of the log each time.
    /// * `plays`: the play count of audio, and the last time in seconds since 1970.
    static var placeTables: String {
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
        \(placesOfProgress)
        INSERT OR IGNORE INTO bookToDo(folder) SELECT id FROM folder;
        """
    }

    /// Takes over what older tables say. A place in each file becomes a row here; those of one book are united when it is made.
    static var placesOfProgress: String {
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
}
