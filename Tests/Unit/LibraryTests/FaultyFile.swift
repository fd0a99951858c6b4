// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Foundation

@testable import Library
@testable import SQLite

/// Stands between SQLite and one of a connection's files: records what is written, and fails on demand. SQLite's own way of
/// doing it: an open file carries the table of its methods.
final class FaultyFile: @unchecked Sendable {
    enum Kind { case database, log }
    enum Operation {
        case write(offset: Int, bytes: [UInt8])
        case truncate(Int)
        case sync
    }

    /// The operations on both files, in order.
    final class Record: @unchecked Sendable {
        /// SQLite's writes, and the worker's requests to the disk.
        var operations: [(kind: Kind, operation: Operation)] = []
        /// The writes to the files, all by the worker.
        var written: [(kind: Kind, operation: Operation)] = []
        /// Result of every write from now on; `SQLITE_OK` lets it through.
        var writeResult = SQLITE_OK
        var writes: Int { operations.count { if case .write = $0.operation { true } else { false } } }
        /// The syncs for which SQLite itself made the control thread wait.
        var controlSyncs = 0
        /// Why the disk refuses what it is asked to have; nil lets it through.
        var refusal: String?
        var loss: LogJob.Loss?
        var syncs: Int { operations.count { if case .sync = $0.operation { true } else { false } } }
        var bytesWritten: Int {
            operations.reduce(0) { if case .write(_, let bytes) = $1.operation { $0 + bytes.count } else { $0 } }
        }
    }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var known: [UnsafeMutableRawPointer: FaultyFile] = [:]

    private let kind: Kind
    private let record: Record
    private let original: UnsafePointer<sqlite3_io_methods>
    private let methods: UnsafeMutablePointer<sqlite3_io_methods>

    private static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> FaultyFile {
        lock.withLock { known[UnsafeMutableRawPointer(file!)]! }
    }

    private init(_ file: UnsafeMutablePointer<sqlite3_file>, _ kind: Kind, _ record: Record) {
        self.kind = kind
        self.record = record
        original = file.pointee.pMethods
        // With what a deferred file finds behind its methods.
        let bytes = MemoryLayout<sqlite3_io_methods>.stride + MemoryLayout<UnsafeRawPointer>.stride
        let copy = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
        copy.copyMemory(from: original, byteCount: bytes)
        methods = copy.assumingMemoryBound(to: sqlite3_io_methods.self)
        methods.pointee.xWrite = { file, bytes, count, offset in
            let this = FaultyFile.of(file)
            if this.record.writeResult != SQLITE_OK { return this.record.writeResult }
            this.record.operations.append(
                (
                    this.kind,
                    .write(offset: Int(offset), bytes: [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count))))
                ))
            return this.original.pointee.xWrite(file, bytes, count, offset)
        }
        methods.pointee.xTruncate = { file, size in
            let this = FaultyFile.of(file)
            this.record.operations.append((this.kind, .truncate(Int(size))))
            return this.original.pointee.xTruncate(file, size)
        }
        methods.pointee.xSync = { file, flags in
            let this = FaultyFile.of(file)
            this.record.operations.append((this.kind, .sync))
            this.record.controlSyncs += 1
            return this.original.pointee.xSync(file, flags)
        }
        methods.pointee.xClose = { file in
            let this = FaultyFile.of(file)
            FaultyFile.lock.withLock { _ = FaultyFile.known.removeValue(forKey: UnsafeMutableRawPointer(file!)) }
            let result = this.original.pointee.xClose(file)
            this.methods.deallocate()
            return result
        }
    }

    /// Records the database file and the log of an open library from now on, with what the worker has the disk do.
    static func record(_ library: Library) -> Record {
        let record = Record()
        if let log = library.log { log.disk = RecordedDisk(log.disk, record) }
        for (kind, request) in [
            (Kind.database, SQLITE_FCNTL_FILE_POINTER), (.log, SQLITE_FCNTL_JOURNAL_POINTER),
        ] {
            var file: UnsafeMutablePointer<sqlite3_file>?
            sqlite3_file_control(library.database.handle, "main", request, &file)
            let faulty = FaultyFile(file!, kind, record)
            lock.withLock { known[UnsafeMutableRawPointer(file!)] = faulty }
            file!.pointee.pMethods = UnsafePointer(faulty.methods)
        }
        return record
    }
}

/// The disk of a library, recorded.
final class RecordedDisk: LogDisk, @unchecked Sendable {
    private let disk: any LogDisk
    private let record: FaultyFile.Record

    init(_ disk: any LogDisk, _ record: FaultyFile.Record) {
        self.disk = disk
        self.record = record
    }

    func descriptor(of kind: DeferredFile.Kind) -> Int32 { disk.descriptor(of: kind) }

    func loss() -> LogJob.Loss? { record.loss ?? disk.loss() }

    func write(_ writes: PendingWrites, to kind: DeferredFile.Kind) -> String? {
        if let refusal = record.refusal { return refusal }
        let kindOfFile: FaultyFile.Kind = kind == .database ? .database : .log
        if let end = writes.end { record.written.append((kindOfFile, .truncate(Int(end)))) }
        for stretch in writes.stretches {
            // A kernel takes part of a long write, too.
            for at in stride(from: 0, to: stretch.bytes.count, by: 1048) {
                let part = Array(stretch.bytes[at..<min(at + 1048, stretch.bytes.count)])
                record.written.append((kindOfFile, .write(offset: Int(stretch.offset) + at, bytes: part)))
            }
        }
        return disk.write(writes, to: kind)
    }

    private func note(_ kind: FaultyFile.Kind, _ operation: FaultyFile.Operation) {
        record.operations.append((kind, operation))
        record.written.append((kind, operation))
    }

    func syncDatabase() -> String? {
        if let refusal = record.refusal { return refusal }
        note(.database, .sync)
        return disk.syncDatabase()
    }

    func syncLog() -> String? {
        if let refusal = record.refusal { return refusal }
        note(.log, .sync)
        return disk.syncLog()
    }

    func endLog() -> String? {
        if let refusal = record.refusal { return refusal }
        note(.log, .write(offset: 0, bytes: [UInt8](repeating: 0, count: 32)))
        note(.log, .sync)
        return disk.endLog()
    }
}
