// SPDX-License-Identifier: Apache-2.0
import CPosix
import CSQLite

/// SQLite's message, and its statement.
public struct SQLiteError: Error {
    /// The caller's remedy.
    public enum Kind: Sendable {
        /// The file is not a database, or not a whole one: set it aside.
        case damaged
        /// The disk is full, read-only, failing or gone: go on without it, try again later.
        case disk
        /// Another process holds the database.
        case inUse
        /// A mistake in the program, or no memory.
        case other
    }

    /// SQLite's extended result code, such as `SQLITE_IOERR_WRITE`; its low byte is `code`.
    public let extendedCode: Int32
    /// In words, with the system's reason and the statement: "disk I/O error: Input/output error, in UPDATE …".
    public let message: String

    /// SQLite's primary result code, such as `SQLITE_FULL`.
    public var code: Int32 { extendedCode & 0xFF }

    public init(extendedCode: Int32, message: String) {
        self.extendedCode = extendedCode
        self.message = message
    }

    /// The error that `handle`'s last failed call left there. `sql` names the statement at fault, where there is one.
    init(_ handle: OpaquePointer?, code: Int32, sql: String = "") {
        var words =
            handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? String(cString: sqlite3_errstr(code))
        let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
        // A close or reset in between may have moved the connection's own code on: the call's result then counts.
        extendedCode = extended & 0xFF == code & 0xFF ? extended : code
        if extendedCode & 0xFF != code & 0xFF { words = String(cString: sqlite3_errstr(code)) }
        let system = handle.map { sqlite3_system_errno($0) } ?? 0
        let primary = extendedCode & 0xFF
        if system != 0 && (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN || primary == SQLITE_FULL) {
            words += ": " + String(cString: strerror(system))
        }
        // On one line, as everything that is logged.
        let statement = sql.utf8.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
        message = sql.isEmpty ? words : words + ", in " + String(decoding: statement, as: UTF8.self)
    }

    /// The disk gave an error on reading.
    public var isUnreadable: Bool { extendedCode == SQLITE_IOERR | 1 << 8 || extendedCode == SQLITE_IOERR | 33 << 8 }

    public var kind: Kind {
        switch extendedCode & 0xFF {
        // SQLITE_ERROR, MISMATCH and CONSTRAINT: the statements are fixed, so tables that do not fit them are not ours.
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_CONSTRAINT: .damaged
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_NOLFS: .disk
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .inUse
        default: .other
        }
    }
}

extension SQLiteError {
    /// As of a damaged file: `reason` in words.
    public init(damage reason: String) { self.init(extendedCode: SQLITE_CORRUPT, message: reason) }

    /// As of a disk that fails.
    public init(disk reason: String) { self.init(extendedCode: SQLITE_IOERR, message: reason) }

    /// As of a full disk.
    public init(full reason: String) { self.init(extendedCode: SQLITE_FULL, message: reason) }
}
