// SPDX-License-Identifier: Apache-2.0
extension Schema {
    /// * `itemTags`: an item's tags as they are shown, `TagList.bytes`; if they have no title, the file's name is one.
    /// * `tagValue`: each text that a tag has in some item, once; see `TagIndex`.
    /// * `itemTag`: the items with that text in that tag.
    ///
    /// Files of an older library are looked into once more. The former indexes by artist, album and title are no longer needed.
    static var tagTables: String {
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
        DROP INDEX itemArtist;
        DROP INDEX itemAlbum;
        DROP INDEX itemTitle;
        UPDATE item SET fileModified = -1;

        """
    }
}
