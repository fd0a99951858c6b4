// SPDX-License-Identifier: Apache-2.0
extension Schema {
    /// * `itemSidecars`: the stamp of the files beside an item's when they were read; no row where there are none.
    static var scanTables: String {
        """
        CREATE TABLE itemSidecars(item INTEGER PRIMARY KEY, stamp INTEGER NOT NULL) STRICT;

        """
    }
}
