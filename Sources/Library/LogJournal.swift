// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import SQLite

/// Committed pages that the log's file lacks, in a file in memory: a killed process loses none of them, and nothing waits for a disk.
/// Control thread.
///
/// A head names the journal's log. Then come stretches in the order of writing, each with its offset and length.
final class LogJournal {
    private static let mark: UInt64 = 0x4E53_4A31
    private static let headBytes = 24
    private static let entryBytes = 16

    private let file: FileDescriptor
    private var end: Int64 = 0

    /// - Parameters:
    ///   - path: in a folder in memory that outlives the process.
    ///   - log: the log's file. nil if either cannot be opened.
    init?(path: String, log: String) {
        guard let status = try? FileStatus(path: log),
            let file = try? FileDescriptor.open(path, O_RDWR | O_CREAT, mode: 0o600)
        else { return nil }
        // Another process that has it is about to be refused the database as well.
        if lockf(file.number, F_TLOCK, 0) < 0 { return nil }
        self.file = file
        restart(PendingWrites())
        let head = [LogJournal.mark, status.identity.device, status.identity.node]
        head.withUnsafeBytes { _ = pwrite(self.file.number, $0.baseAddress, $0.count, 0) }
    }

    /// Adds bytes that no file has yet.
    func append(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        let entry = [offset, Int64(bytes.count)]
        entry.withUnsafeBytes { _ = pwrite(file.number, $0.baseAddress, $0.count, off_t(end)) }
        _ = pwrite(file.number, bytes.baseAddress, bytes.count, off_t(end) + off_t(LogJournal.entryBytes))
        end += Int64(LogJournal.entryBytes + bytes.count)
    }

    /// Starts again with the pending writes. The log's file has all others.
    func restart(_ pending: PendingWrites) {
        end = Int64(LogJournal.headBytes)
        _ = ftruncate(file.number, off_t(end))
        for stretch in pending.stretches { stretch.bytes.withUnsafeBytes { append($0, at: stretch.offset) } }
    }

    /// Writes the journal of a killed process into its log. Call it before the database is opened.
    static func replay(_ path: String, into log: String) {
        guard let owner = try? FileDescriptor.open(path, O_RDWR), lockf(owner.number, F_TLOCK, 0) == 0 else {
            return
        }
        defer { _ = path.withPath { unlink($0) } }
        guard let journal = try? Files.readToEnd(path, limit: 64 << 20), journal.count > headBytes,
            let status = try? FileStatus(path: log), let file = try? FileDescriptor.open(log, O_WRONLY)
        else { return }
        journal.withUnsafeBytes { bytes in
            func number(_ offset: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
            guard number(0) == mark, number(8) == status.identity.device, number(16) == status.identity.node else {
                return
            }
            var at = headBytes
            while bytes.count - at >= entryBytes {
                guard let offset = off_t(exactly: number(at)), let count = Int(exactly: number(at + 8)),
                    count <= bytes.count - at - entryBytes
                else { return }
                guard pwrite(file.number, bytes.baseAddress! + at + entryBytes, count, offset) == count else { return }
                at += entryBytes + count
            }
        }
        _ = fdatasync(file.number)
    }
}
