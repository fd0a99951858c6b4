extension Schema {
    /// * `itemSidecars`: which state of the files beside an item's was looked into; no row where there are none.
    static var scanTables: String {
        """
        CREATE TABLE itemSidecars(item INTEGER PRIMARY KEY, stamp INTEGER NOT NULL) STRICT;

        """
    }
}
