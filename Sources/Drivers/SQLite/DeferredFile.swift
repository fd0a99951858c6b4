// SPDX-License-Identifier: Apache-2.0
import CPosix
import CSQLite

/// Defers SQLite's writes to one of a connection's files: they stay in memory, where SQLite reads them, until a worker has written them. So
/// a commit never waits for a slow disk.
///
/// It replaces the method table of SQLite's open file, as SQLite intends. The thread of the connection. Reads of other bytes go to the
/// file.
public final class DeferredFile {
    public enum Kind: Sendable { case database, log }

    /// The methods, where SQLite expects them, followed by our own fields.
    private struct Table {
        var methods: sqlite3_io_methods
        var owner: UnsafeMutableRawPointer
    }

    private let file: UnsafeMutablePointer<sqlite3_file>
    private let original: UnsafePointer<sqlite3_io_methods>
    private let table: UnsafeMutablePointer<Table>
    /// The writes handed over, which count until they are known to be in the file.
    private var handed = PendingWrites()
    private var pending = PendingWrites()
    private var isOver = false
    /// A descriptor of the same file for reading cached pages without waiting; -1 for none.
    public var memoryDescriptor: Int32 = -1
    /// Called with every write that becomes pending.
    public var willPend: (UnsafeRawBufferPointer, Int64) -> Void = { _, _ in }

    /// Returns nil if the connection has no such file.
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
        // Forbid versions that map the file, since those reads would miss pending writes.
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
            // After each checkpoint SQLite sets the file's length, which is mostly unchanged.
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

    /// Restores SQLite's own methods. Pending writes are lost. Call it before the connection is closed.
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

    /// The number of bytes in memory that are not known to be in the file.
    public var count: Int { handed.count + pending.count }

    /// Hands all pending writes to a worker. Call `didWrite` before the next hand-over.
    public func handOver() -> PendingWrites {
        handed = pending
        pending = PendingWrites()
        return handed
    }

    /// Reports whether the handed writes are in the file. If not, they become pending again, together with later ones.
    /// - Returns: the pending writes.
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
