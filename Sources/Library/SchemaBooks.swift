extension Schema {
    /// * `book`: a folder of files, or one of its files (`item` is 0 for a whole folder). The keys sort as a person would.
    /// * `bookItem`: which items a book has, in which order.
    /// * `bookToDo`: folders in which something has changed since their books were made.
    /// * `itemChapters`: `ChapterBytes`; no row where there are none.
    /// * `cover`, `itemCover`: pictures by what they hold, and who has them.
    /// * `heard`: what was played, the last at the end. As a favourite's, its order does not hang on a clock.
    /// * `finished`: what was heard to its end, the last at the end. That of a book's last file is the book's.
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
        CREATE TABLE heard(sequence INTEGER PRIMARY KEY, content INTEGER NOT NULL UNIQUE) STRICT;
        CREATE TABLE finished(sequence INTEGER PRIMARY KEY, content INTEGER NOT NULL UNIQUE) STRICT;
        INSERT INTO heard(content) SELECT content FROM progress WHERE milliseconds > 0 ORDER BY saved;
        CREATE INDEX progressPlays ON progress(playCount) WHERE playCount > 0;
        INSERT INTO bookToDo(folder) SELECT id FROM folder;

        """
    }
}
