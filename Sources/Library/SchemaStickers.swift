// SPDX-License-Identifier: Apache-2.0
extension Schema {
    /// * `sticker`: clients' notes on songs. It hangs on the content, as a position does.
    /// * `output`: the outputs that are on; all that have no row.
    static var stickerTables: String {
        """
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

        """
    }
}
