// SPDX-License-Identifier: Apache-2.0
import SQLite

/// The database's tables. A database of an earlier version stays as it is: a new one takes over its rows, see `Rescue`.
enum Schema {
    /// The `user_version` of a database with these tables. Counted up with each change of them.
    static let version: Int64 = 14

    /// Makes the tables in an empty database, all or nothing.
    static func make(_ database: Database) throws(SQLiteError) {
        try database.transaction { () throws(SQLiteError) in
            try database.execute(files + tags + books + podcasts + said + speaker)
            try database.execute("PRAGMA user_version = \(version)")
        }
    }

    /// * `content`: audio, known by its samples. All memory of it belongs to this row, so that equal files share it.
    /// * `item`: a file. `duration` is its content's, and here because an index orders by it. `goneSince` is null if it is there.
    /// * `itemOrder` and its kin: the order of listings and queries, so that a page of them costs its own rows.
    /// * `itemSidecars`: the stamp of the files beside an item's when they were read; no row if there are none.
    /// * `itemChapters`: `ChapterBytes`; no row if there are none.
    /// * `cover`, `itemCover`: pictures by their content, and their items.
    /// * `folder`: each folder with an item somewhere below it; `parent` is 0 for "/".
    /// * `seekTable`, `loudness`: measurements of audio; see `LoudnessRow`.
    private static var files: String {
        """
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
        CREATE TABLE itemSidecars(item INTEGER PRIMARY KEY, stamp INTEGER NOT NULL) STRICT;
        CREATE TABLE itemChapters(item INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
        CREATE TABLE cover(id INTEGER PRIMARY KEY, identity BLOB NOT NULL UNIQUE) STRICT;
        CREATE TABLE itemCover(item INTEGER PRIMARY KEY, cover INTEGER NOT NULL) STRICT;
        CREATE TABLE folder(
          id INTEGER PRIMARY KEY,
          parent INTEGER NOT NULL,
          path TEXT NOT NULL UNIQUE,
          pathKey BLOB NOT NULL
        ) STRICT;
        CREATE INDEX folderOrder ON folder(parent, pathKey);
        CREATE TABLE seekTable(content INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
        CREATE TABLE loudness(content INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;

        """
    }

    /// * `itemTags`: an item's tags as they are shown, `TagList.bytes`; if they have no title, the file's name is one.
    /// * `tagValue`: each text that a tag has in some item, once; see `TagIndex`.
    /// * `itemTag`: the items with that text in that tag.
    private static var tags: String {
        """
        CREATE TABLE itemTags(item INTEGER PRIMARY KEY, tags BLOB NOT NULL) STRICT;
        CREATE TABLE tagValue(
          id INTEGER PRIMARY KEY,
          tag INTEGER NOT NULL,
          text TEXT NOT NULL,
          UNIQUE(tag, text)
        ) STRICT;
        CREATE INDEX tagValueNumber ON tagValue(tag, CAST(text AS INTEGER), text) WHERE tag IN (\(TagIndex.numbers));
        CREATE TABLE itemTag(
          value INTEGER NOT NULL,
          item INTEGER NOT NULL,
          PRIMARY KEY(value, item)
        ) STRICT, WITHOUT ROWID;

        """
    }

    /// * `book`: a folder of files, or one of its files (`item` is 0 for a whole folder). The keys sort as a person would.
    /// * `bookItem`: the items of a book, in order.
    /// * `bookToDo`: folders in which something has changed since their books were made.
    private static var books: String {
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

        """
    }

    /// * `feed`: the subscribed podcasts. `address` is the feed's present address; `origin` is the one at subscribing, which an episode's
    ///   identity is made of. `name` is that of its folder. `checked` is the time of the last fetch, `problem` the reason of its failure,
    ///   "" for success. `isSerial` is the feed's own order; `chosenOrder` is "oldest" or "newest" by a listener's choice, "" for the
    ///   feed's order.
    /// * `episode`: the facts about an item as an episode, beside those of all items. `stamp` changes if the feed says something new of it;
    ///   `state` is `EpisodeState`, `number` as in `EpisodeDraft`.
    private static var podcasts: String {
        """
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
          added INTEGER NOT NULL,
          isSerial INTEGER NOT NULL DEFAULT 0,
          chosenOrder TEXT NOT NULL DEFAULT ''
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
          state INTEGER NOT NULL,
          number INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX episodeOrder ON episode(feed, published);

        """
    }

    /// * `workPlace`: see `WorkPlaces`. Apart and narrow, because it is written every 5 seconds: one page of the log each time.
    /// * `plays`: the play count of audio, and the last time in seconds since 1970.
    /// * `fact`: see `Facts`. `revision` counts up with each arrival; for favorites and bookmarks it is the order of adding. `time` is a
    ///   `HybridTime`, `device` the device of the statement, `name` for people. `content` is the audio of the statement, null if it was
    ///   removed or is of something else.
    /// * `household`: this speaker's device number there, the latest known time, and the carrier's notes: see `HouseholdNote`. No row if
    ///   the speaker is in no household.
    /// * `playlistFile`: the files of a household's playlists. Their entries are facts. `lacking` has the entries without a line in the
    ///   file. `modified` is the file's time at the last reading or writing, -1 to have it read again. `isDue` is set if it is to be
    ///   written or removed.
    /// * `sticker`: clients' notes on songs. It belongs to the content, as a place does.
    private static var said: String {
        """
        CREATE TABLE workPlace(
          sequence INTEGER PRIMARY KEY,
          file INTEGER NOT NULL UNIQUE,
          milliseconds INTEGER CHECK(milliseconds >= 0),
          isFinished INTEGER NOT NULL CHECK(isFinished IN (0, 1)),
          saved INTEGER NOT NULL,
          owed INTEGER
        ) STRICT;
        CREATE TABLE plays(
          content INTEGER PRIMARY KEY,
          playCount INTEGER NOT NULL CHECK(playCount >= 0),
          played INTEGER
        ) STRICT;
        CREATE INDEX playCount ON plays(playCount) WHERE playCount > 0;
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
        CREATE TABLE household(
          id INTEGER PRIMARY KEY CHECK(id = 1),
          device INTEGER NOT NULL,
          clock INTEGER NOT NULL,
          sent INTEGER NOT NULL,
          cursor TEXT NOT NULL
        ) STRICT;
        CREATE TABLE playlistFile(
          name TEXT PRIMARY KEY,
          lacking TEXT NOT NULL,
          modified INTEGER NOT NULL,
          isDue INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE sticker(
          content INTEGER NOT NULL,
          name TEXT NOT NULL,
          value TEXT NOT NULL,
          UNIQUE(content, name)
        ) STRICT;
        CREATE INDEX stickerName ON sticker(name, content);

        """
    }

    /// * `speaker`: `item` is the current one; `song` is its number in the queue.
    /// * `queueEntry`: the queue, in the order of `place`; see `QueueRows`. Empty while the queue is the library. `priority` is MPD's in
    ///   its lowest 8 bits; the next 16 hold the only chapter to play.
    /// * `playing`: the modes of the queue, and the start of the pause in seconds since 1970.
    /// * `output`: outputs and whether they are on; one without a row is on.
    /// * `alarm`: see `Alarm`. It plays its playlist if it names one, else its item, else it resumes what was heard last.
    /// * `setting`: see `Library.KeptSetting`.
    private static var speaker: String {
        """
        CREATE TABLE speaker(
          id INTEGER PRIMARY KEY CHECK(id = 1),
          song INTEGER,
          isPlaying INTEGER NOT NULL CHECK(isPlaying IN (0, 1)),
          volume INTEGER NOT NULL CHECK(volume BETWEEN 0 AND 100),
          nextSong INTEGER NOT NULL,
          queueIsLibrary INTEGER NOT NULL CHECK(queueIsLibrary IN (0, 1)),
          item INTEGER
        ) STRICT;
        CREATE TABLE queueEntry(
          place INTEGER PRIMARY KEY,
          song INTEGER NOT NULL UNIQUE,
          item INTEGER NOT NULL,
          priority INTEGER NOT NULL DEFAULT 0
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
        CREATE TABLE output(
          id INTEGER PRIMARY KEY,
          isEnabled INTEGER NOT NULL CHECK(isEnabled IN (0, 1))
        ) STRICT;
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
        CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
        """
    }
}
