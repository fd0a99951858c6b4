// SPDX-License-Identifier: Apache-2.0
import CPosix
import CSQLite

/// Stands between SQLite and one of a connection's files: SQLite's writes stay in memory, where it reads them again, until a worker has
/// written them. So a commit never waits for a file system that waits for its disk.
///
/// It is SQLite's own way of doing it: an open file carries the table of its methods. On the thread of the connection. Reads of what is not
/// pending go to the file.
public final class DeferredFile {
    public enum Kind: Sendable { case database, log }

    /// SQLite finds the methods at the beginning, and they find the rest behind.
    private struct Table {
        var methods: sqlite3_io_methods
        var owner: UnsafeMutableRawPointer
    }

    private let file: UnsafeMutablePointer<sqlite3_file>
    private let original: UnsafePointer<sqlite3_io_methods>
    private let table: UnsafeMutablePointer<Table>
    /// Handed over; it counts until it is known to be in the file.
    private var handed = PendingWrites()
    private var pending = PendingWrites()
    private var isOver = false
    /// Of the same file, to read what is in the kernel's memory without waiting for anything; -1 for none.
    public var memoryDescriptor: Int32 = -1
    /// Told of all that becomes pending.
    public var willPend: (UnsafeRawBufferPointer, Int64) -> Void = { _, _ in }

    /// Nil where the connection has no such file.
    public init?(_ database: Database, _ kind: Kind) {
        var found: UnsafeMutablePointer<sqlite3_file>?
        let request = kind == .database ? SQLITE_FCNTL_FILE_POINTER : SQLITE_FCNTL_JOURNAL_POINTER
        guard sqlite3_file_control(database.handle, "main", request, &found) == SQLITE_OK, let found,
            let methods = found.pointee.pMethods
        else { return nil }
        file = found
        original = methods
        table = .allocate(capacity: 1)
        table.initialize(to: Table(methods: methods.pointee, owner: UnsafeMutableRawPointer(table)))
        table.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
        // No version that maps the file: it would be read past this.
        table.pointee.methods.iVersion = min(2, methods.pointee.iVersion)
        table.pointee.methods.xRead = { file, bytes, count, offset in
            DeferredFile.of(file).read(UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)), at: offset)
        }
        table.pointee.methods.xWrite = { file, bytes, count, offset in
            let this = DeferredFile.of(file)
            let bytes = UnsafeRawBufferPointer(start: bytes, count: Int(count))
            this.willPend(bytes, offset)
            this.pending.write(bytes, at: offset)
            return SQLITE_OK
        }
        table.pointee.methods.xTruncate = { file, size in
            let this = DeferredFile.of(file)
            // After each time that the log was folded in SQLite says how long the file is; mostly it is.
            if size < this.size { this.pending.truncate(at: size) }
            return SQLITE_OK
        }
        table.pointee.methods.xFileSize = { file, size in
            size?.pointee = DeferredFile.of(file).size
            return SQLITE_OK
        }
        file.pointee.pMethods = UnsafeRawPointer(table).assumingMemoryBound(to: sqlite3_io_methods.self)
    }

    deinit {
        end()
        table.deallocate()
    }

    /// SQLite has the file for itself again. Pending writes are lost; before the connection is closed.
    public func end() {
        if isOver { return }
        isOver = true
        file.pointee.pMethods = original
    }

    private static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> DeferredFile {
        let table = UnsafeRawPointer(file!.pointee.pMethods!).assumingMemoryBound(to: Table.self)
        return Unmanaged<DeferredFile>.fromOpaque(table.pointee.owner).takeUnretainedValue()
    }

    // MARK: Pending writes

    /// Bytes that are in memory and not known to be in the file.
    public var count: Int { handed.count + pending.count }

    /// Hands all pending writes to a worker: then `didWrite`, before the next is handed over.
    public func handOver() -> PendingWrites {
        handed = pending
        pending = PendingWrites()
        return handed
    }

    /// Tells whether the handed writes are in the file; if that is uncertain they are handed over again, with those that have come since.
    /// then it is handed over again, with what has come since.
    /// - Returns: the number of pending writes from now on.
    @discardableResult
    public func didWrite(_ isDone: Bool) -> PendingWrites {
        if !isDone {
            handed.take(pending)
            pending = handed
        }
        handed = PendingWrites()
        return pending
    }

    // MARK: For SQLite

    private var size: Int64 {
        var size: sqlite3_int64 = 0
        _ = original.pointee.xFileSize(file, &size)
        return pending.size(handed.size(size))
    }

    private func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int32 {
        if pending.overlay(bytes, at: offset) { return SQLITE_OK }
        var isWhole = handed.overlay(bytes, at: offset)
        if !isWhole, memoryDescriptor >= 0,
            ns_read_from_memory(memoryDescriptor, bytes.baseAddress, bytes.count, offset) == bytes.count
        {
            isWhole = true
            handed.overlay(bytes, at: offset)
        }
        if !isWhole {
            let code = original.pointee.xRead(file, bytes.baseAddress, Int32(clamping: bytes.count), offset)
            if code == SQLITE_OK {
                isWhole = true
            } else if code & 0xFF != SQLITE_IOERR || code != SQLITE_IOERR | 2 << 8 {
                return code
            }
            handed.overlay(bytes, at: offset)
        }
        pending.overlay(bytes, at: offset)
        let isShort = !isWhole && offset + Int64(bytes.count) > size
        return isShort ? SQLITE_IOERR | 2 << 8 : SQLITE_OK
    }
}
