// SPDX-License-Identifier: Apache-2.0
import CSQLite

/// A prepared statement, on the thread of its connection and not longer than that. (SQLite keeps a closed connection's remains until its
/// last statement is gone, so a mistake here is an error, not a crash.)
public final class Statement {
    private let handle: OpaquePointer

    /// Prepares the first statement of `sql`. `persistent` tells SQLite that it lives long.
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
                // A null pointer would bind NULL, and an empty array may have one.
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

    /// Steps to the next row. Returns false after the last. Throws the statement's error: full disk, damaged database …
    public func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE {
            // A statement at its end holds no read lock in any mode, but only a reset one can be run again.
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

    /// Makes a value of the first row, and resets the statement.
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

    /// Returns true if there is a row, and resets the statement.
    public func hasRow() throws(SQLiteError) -> Bool {
        defer { reset() }
        return try step()
    }

    /// Resets the statement and keeps its bindings. Ends the read transaction that a row holds open.
    public func reset() { sqlite3_reset(handle) }

    /// Returns a column, counted from 0, of the present row. SQLite converts values: non-numeric text is 0, and NULL is 0, "" or empty.
    public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    public func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }
    public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
    public func isText(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_TEXT }
    public func isNumber(_ column: Int32) -> Bool {
        let type = sqlite3_column_type(handle, column)
        return type == SQLITE_INTEGER || type == SQLITE_FLOAT
    }

    /// Returns a text; bytes outside UTF-8 become U+FFFD.
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

    /// Returns the bytes of a text or a blob in SQLite's memory, valid until the next `step`, `reset` or other access to the column.
    public func rawBytes(_ column: Int32) -> UnsafeRawBufferPointer {
        guard let bytes = sqlite3_column_blob(handle, column) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column)))
    }

    // MARK: Columns by name

    /// Returns a column by an enum that lists the selected columns in order.
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
