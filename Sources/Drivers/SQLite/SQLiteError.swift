// SPDX-License-Identifier: Apache-2.0
import CPosix
import CSQLite

/// An error of SQLite: its message, and the statement.
public struct SQLiteError: Error {
    /// The kind of the error, by the remedy.
    public enum Kind: Sendable {
        /// The file is no database, or a damaged one: set it aside.
        case damaged
        /// The disk is full, read-only, failing or gone: continue without it, and try again later.
        case disk
        /// Another process uses the database.
        case inUse
        /// A mistake in the program, or lack of memory.
        case other
    }

    /// SQLite's extended result code, such as `SQLITE_IOERR_WRITE`; its low byte is `code`.
    public let extendedCode: Int32
    /// The message, with the system's reason and the statement: "disk I/O error: Input/output error, in UPDATE …".
    public let message: String

    /// SQLite's primary result code, such as `SQLITE_FULL`.
    public var code: Int32 { extendedCode & 0xFF }

    public init(extendedCode: Int32, message: String) {
        self.extendedCode = extendedCode
        self.message = message
    }

    /// Makes the error of `handle`'s last failed call. `sql` names the faulty statement, if any.
    init(_ handle: OpaquePointer?, code: Int32, sql: String = "") {
        var words =
            handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? String(cString: sqlite3_errstr(code))
        let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
        // A close or reset in between may have changed the connection's code: then the call's result counts.
        extendedCode = extended & 0xFF == code & 0xFF ? extended : code
        if extendedCode & 0xFF != code & 0xFF { words = String(cString: sqlite3_errstr(code)) }
        let system = handle.map { sqlite3_system_errno($0) } ?? 0
        let primary = extendedCode & 0xFF
        if system != 0 && (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN || primary == SQLITE_FULL) {
            words += ": " + String(cString: strerror(system))
        }
        // Logged messages have one line.
        let statement = sql.utf8.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
        message = sql.isEmpty ? words : words + ", in " + String(decoding: statement, as: UTF8.self)
    }

    /// True if the disk failed to read.
    public var isUnreadable: Bool { extendedCode == SQLITE_IOERR | 1 << 8 || extendedCode == SQLITE_IOERR | 33 << 8 }

    public var kind: Kind {
        switch extendedCode & 0xFF {
        // SQLITE_ERROR, MISMATCH and CONSTRAINT: the statements are constant, so tables that do not fit them are not ours.
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_CONSTRAINT: .damaged
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_NOLFS: .disk
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .inUse
        default: .other
        }
    }
}

extension SQLiteError {
    /// Makes an error of a damaged file, with the reason in words.
    public init(damage reason: String) { self.init(extendedCode: SQLITE_CORRUPT, message: reason) }

    /// Makes an error of a failing disk.
    public init(disk reason: String) { self.init(extendedCode: SQLITE_IOERR, message: reason) }

    /// Makes an error of a full disk.
    public init(full reason: String) { self.init(extendedCode: SQLITE_FULL, message: reason) }
}
