// SPDX-License-Identifier: Apache-2.0
import SQLite

/// The outputs that are switched off. There is only one output.
extension Library {
    private static let onlyOutput: Int64 = 0

    public var isOutputEnabled: Bool {
        read(else: true) { (database) throws(SQLiteError) in
            try database.cached("SELECT isEnabled FROM output WHERE id = ?", .integer(Library.onlyOutput)).first {
                $0.integer(0) != 0
            } ?? true
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
