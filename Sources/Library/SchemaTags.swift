extension Schema {
    /// * `itemTags`: what is shown of an item's tags, `TagList.bytes`.
    ///
    /// Files of an older library are looked into once more.
    static var tagTables: String {
        """
        CREATE TABLE itemTags(item INTEGER PRIMARY KEY, tags BLOB NOT NULL) STRICT;
        UPDATE item SET fileModified = -1;

        """
    }
}
