// SPDX-License-Identifier: Apache-2.0
extension Schema {
    /// All are empty where the speaker is of no household.
    /// * `household`: the device that this speaker is there, the latest time that it has heard of, how far what was there before has been
    ///   taken (by kind and row; null once all is), and the carrier's notes: see `HouseholdNote`.
    /// * `shared`: see `SharedRecord`. `revision` counts up with each that is taken in.
    /// * `sharedChange`: changes here without a record yet; `changed` in milliseconds since 1970.
    static var householdTables: String {
        """
        CREATE TABLE household(
          id INTEGER PRIMARY KEY CHECK(id = 1),
          device INTEGER NOT NULL,
          clock INTEGER NOT NULL,
          joining TEXT,
          joined INTEGER NOT NULL,
          sent INTEGER NOT NULL,
          cursor TEXT NOT NULL
        ) STRICT;
        CREATE TABLE shared(
          revision INTEGER PRIMARY KEY,
          kind TEXT NOT NULL,
          key TEXT NOT NULL,
          value TEXT,
          time INTEGER NOT NULL,
          device INTEGER NOT NULL,
          name TEXT NOT NULL,
          UNIQUE(kind, key)
        ) STRICT;
        CREATE TABLE sharedChange(
          sequence INTEGER PRIMARY KEY,
          kind TEXT NOT NULL,
          key TEXT NOT NULL,
          changed INTEGER NOT NULL,
          UNIQUE(kind, key)
        ) STRICT;
        """
    }
}
