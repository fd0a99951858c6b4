// SPDX-License-Identifier: Apache-2.0
import SQLite

/// The outputs that are switched off. There is one.
extension Library {
    private static let onlyOutput: Int64 = 0

    public var isOutputEnabled: Bool {
        read(else: true) { (database) throws(SQLiteError) in
            let row = try database.cached("SELECT isEnabled FROM output WHERE id = ?", .integer(Library.onlyOutput))
            defer { row.reset() }
            return try row.step() ? row.integer(0) != 0 : true
        }
    }

    public func saveOutput(isEnabled: Bool) {
        write(else: ()) { (database) throws(SQLiteError) in
            try database.cached(
                "INSERT OR REPLACE INTO output(id, isEnabled) VALUES(?, ?)", .integer(Library.onlyOutput),
                .integer(isEnabled ? 1 : 0)
            ).run()
        }
    }
}
