// SPDX-License-Identifier: Apache-2.0
extension Schema {
    /// * `spokenItem` and `spokenBlock`: an older index of what is said, which the eighth step drops.
    /// * `bookmark`: a sentence that was kept, by where it begins in its audio; `sequence` is the order of adding.
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
        \(bookmarkTable)

        """
    }

    /// As older databases have it; see `factTables`.
    static var bookmarkTable: String {
        """
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
