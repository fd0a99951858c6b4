extension Schema {
    /// * `spokenItem`: whose transcript is in the index. `stamp` tells by which files; 0 while it is being taken in or out. Its blocks are
    ///   those from `firstBlock` to `lastBlock`; `code` is what their texts are written with.
    /// * `spokenBlock`: some neighbouring sentences, see `SpokenBlock`.
    /// * `bookmark`: a sentence that was kept, by where it begins in its audio; `sequence` is the order of adding.
    ///
    /// The index itself, `spokenWord`, is made when the first transcript is found: see `SpokenIndex`.
    static var sentenceTables: String {
        """
        CREATE TABLE spokenItem(
          item INTEGER PRIMARY KEY,
          code BLOB NOT NULL,
          stamp INTEGER NOT NULL,
          firstBlock INTEGER NOT NULL,
          lastBlock INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE spokenBlock(block INTEGER PRIMARY KEY, item INTEGER NOT NULL, sentences BLOB NOT NULL) STRICT;
        CREATE TABLE bookmark(
          sequence INTEGER PRIMARY KEY,
          content INTEGER NOT NULL,
          milliseconds INTEGER NOT NULL CHECK(milliseconds >= 0),
          words TEXT NOT NULL,
          added INTEGER NOT NULL,
          UNIQUE(content, milliseconds)
        ) STRICT;

        """
    }
}
