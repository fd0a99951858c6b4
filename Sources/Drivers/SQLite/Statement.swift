// SPDX-License-Identifier: Apache-2.0
import CSQLite

/// A prepared statement, on the same thread as its connection and no longer than that. (SQLite keeps what is left of a connection
/// until its last statement is gone, so that a mistake here is an error and no crash.)
public final class Statement {
    private let handle: OpaquePointer

    /// Prepares the first statement of `sql`. `persistent` tells SQLite that it will live long.
    init(_ database: Database, _ sql: String, persistent: Bool) throws(SQLiteError) {
        var sql = sql
        var handle: OpaquePointer?
        let code = sql.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                sqlite3_prepare_v3(
                    database.handle, text.baseAddress, Int32(clamping: text.count),
                    persistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0, &handle, nil)
            }
        }
        guard code == SQLITE_OK, let handle else { throw SQLiteError(database.handle, code: code, sql: sql) }
        self.handle = handle
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Binds the statement's parameters, first to last.
    public func bind(_ values: [Value]) throws(SQLiteError) {
        var place: Int32 = 0
        for value in values {
            place += 1
            let code: Int32
            switch value {
            case .null: code = sqlite3_bind_null(handle, place)
            case .integer(let integer): code = sqlite3_bind_int64(handle, place, integer)
            case .real(let real): code = sqlite3_bind_double(handle, place, real)
            case .text(var text):
                code = text.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) {
                        ns_sqlite3_bind_text(handle, place, $0.baseAddress, sqlite3_uint64($0.count))
                    }
                }
            case .utf8(let bytes):
                code = bytes.withUnsafeBufferPointer { bytes in
                    bytes.withMemoryRebound(to: CChar.self) {
                        ns_sqlite3_bind_text(handle, place, $0.baseAddress, sqlite3_uint64($0.count))
                    }
                }
            case .blob(let bytes):
                // A null pointer would bind NULL: an empty array may have none.
                code =
                    bytes.isEmpty
                    ? sqlite3_bind_zeroblob(handle, place, 0)
                    : bytes.withUnsafeBytes {
                        ns_sqlite3_bind_blob(handle, place, $0.baseAddress, sqlite3_uint64($0.count))
                    }
            }
            if code != SQLITE_OK { throw error(code) }
        }
    }

    /// Goes to the next row; false after the last. Throws what the statement runs into: full disk, damaged database …
    public func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE {
            // A statement left at its end holds a read lock in no mode, but one that is reset may also be run again.
            sqlite3_reset(handle)
            return false
        }
        let error = error(code)
        sqlite3_reset(handle)
        throw error
    }

    /// Runs the statement to its end.
    public func run() throws(SQLiteError) {
        while try step() {}
    }

    /// Makes a value of the first row, and goes back to before it.
    /// - Returns: nil without a row.
    public func first<Result>(_ value: (Statement) -> Result) throws(SQLiteError) -> Result? {
        defer { reset() }
        return try step() ? value(self) : nil
    }

    /// Makes a value of each row.
    public func all<Result>(_ value: (Statement) -> Result) throws(SQLiteError) -> [Result] {
        var all: [Result] = []
        while try step() { all.append(value(self)) }
        return all
    }

    /// Returns whether there is a row, and goes back to before it.
    public func hasRow() throws(SQLiteError) -> Bool {
        defer { reset() }
        return try step()
    }

    /// Back to before the first row, bindings kept. Ends the read transaction that a row holds open.
    public func reset() { sqlite3_reset(handle) }

    /// Columns count from 0 and are there until the next `step`. SQLite converts as it can: text of no number is 0, and NULL is
    /// 0, "" or empty.
    public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    public func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }
    public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
    public func isText(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_TEXT }
    public func isNumber(_ column: Int32) -> Bool {
        let type = sqlite3_column_type(handle, column)
        return type == SQLITE_INTEGER || type == SQLITE_FLOAT
    }

    /// Bytes that are not UTF-8 come as U+FFFD.
    public func text(_ column: Int32) -> String {
        guard let bytes = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    public func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
    public func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    public func bytes(_ column: Int32) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(sqlite3_column_bytes(handle, column))
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// The bytes of a text or a blob where SQLite has them: until the next `step`, `reset` or other reading of the column.
    public func rawBytes(_ column: Int32) -> UnsafeRawBufferPointer {
        guard let bytes = sqlite3_column_blob(handle, column) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column)))
    }

    // MARK: Columns by name

    /// The place of a column in a row: an enum that lists what a statement selects, in its order.
    public func integer<Column: RawRepresentable<Int32>>(_ column: Column) -> Int64 { integer(column.rawValue) }
    public func isNull<Column: RawRepresentable<Int32>>(_ column: Column) -> Bool { isNull(column.rawValue) }
    public func text<Column: RawRepresentable<Int32>>(_ column: Column) -> String { text(column.rawValue) }
    public func bytes<Column: RawRepresentable<Int32>>(_ column: Column) -> [UInt8] { bytes(column.rawValue) }
    public func rawBytes<Column: RawRepresentable<Int32>>(_ column: Column) -> UnsafeRawBufferPointer {
        rawBytes(column.rawValue)
    }
    public func optionalText<Column: RawRepresentable<Int32>>(_ column: Column) -> String? {
        optionalText(column.rawValue)
    }
    public func optionalInteger<Column: RawRepresentable<Int32>>(_ column: Column) -> Int64? {
        optionalInteger(column.rawValue)
    }

    private func error(_ code: Int32) -> SQLiteError {
        SQLiteError(sqlite3_db_handle(handle), code: code, sql: sqlite3_sql(handle).map { String(cString: $0) } ?? "")
    }
}
