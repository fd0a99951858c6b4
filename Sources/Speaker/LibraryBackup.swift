// SPDX-License-Identifier: Apache-2.0
import CPosix
import Library
import Posix

/// Backup and restore of the whole library.
public struct LibraryTransfer {
    public let backup: LibraryBackup
    public let restore: LibraryRestore
}

/// Copies the library for a client, one copy at a time, in portions, into a temporary file in the state's folder. Control thread.
public final class LibraryBackup {
    public enum State {
        case copying
        /// The number of bytes ready to be read.
        case ready(Int64)
        case failed(String)
    }

    private static let breakMilliseconds = 5
    /// The time after which the client is not expected to come for the copy.
    private static let patienceMilliseconds = 60_000

    private let library: Library
    private let timers: any Timers
    private var copy: Library.Copy?
    private var copied: CopyFile?
    private var failure: String?
    /// The timer that forgets the copy.
    private var timer: EventLoop.TimerToken?

    init(_ library: Library, _ timers: any Timers) {
        self.library = library
        self.timers = timers
    }

    /// Returns the progress of the copy, and starts one if there is none.
    public func state() -> State {
        if let failure {
            self.failure = nil
            return .failed(failure)
        }
        if let copied {
            forgetLater()
            return .ready(copied.bytes)
        }
        if copy != nil { return .copying }
        guard let path = library.pathBeside("copy") else { return .failed("the library is in memory only") }
        CopyFile.remove(path)
        copy = library.copy(to: path)
        if copy == nil { return .failed("\(path) cannot be made") }
        goOn(path)
        return .copying
    }

    private func goOn(_ path: String) {
        timers.schedule(inMilliseconds: LibraryBackup.breakMilliseconds) { [self] in
            guard let copy else { return }
            switch copy.step() {
            case .again: return goOn(path)
            case .done: break
            case .failed(let reason): failure = reason
            }
            self.copy = nil
            if failure == nil { copied = CopyFile(reading: path) }
            // The file disappears with its last descriptor.
            _ = path.withPath { unlink($0) }
            if failure == nil && copied == nil { failure = "the copy cannot be read" }
            forgetLater()
        }
    }

    private func forgetLater() {
        if let timer { timers.cancel(timer) }
        timer = timers.schedule(inMilliseconds: LibraryBackup.patienceMilliseconds) { [self] in
            timer = nil
            copied = nil
        }
    }

    /// Returns a piece of the copy, which the kernel still has in memory after writing it. nil without a copy. Empty at its end, where the
    /// copy is forgotten.
    public func read(at offset: Int64, count: Int) -> [UInt8]? {
        guard let copied else { return nil }
        forgetLater()
        let piece = copied.read(at: offset, count: count)
        if piece?.isEmpty ?? true { self.copied = nil }
        return piece
    }
}

extension Library {
    /// Returns the path of a file beside the database; nil for a database in memory only.
    func pathBeside(_ name: String) -> String? { path.map { $0.pathFolder + "/nightstand.db." + name } }
}

/// An open copy of the library. A class, so that closures can hold it.
final class CopyFile: @unchecked Sendable {
    private let descriptor: FileDescriptor
    let bytes: Int64

    init?(reading path: String) {
        do throws(PosixError) {
            descriptor = try FileDescriptor.open(path, O_RDONLY)
            bytes = try descriptor.status().bytes
        } catch { return nil }
    }

    init?(writing path: String) {
        do throws(PosixError) {
            descriptor = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
        } catch { return nil }
        bytes = 0
    }

    /// Removes the file, and what SQLite may have left beside it.
    static func remove(_ path: String) {
        for end in ["", "-journal", "-wal"] { _ = (path + end).withPath { unlink($0) } }
    }

    func read(at offset: Int64, count: Int) -> [UInt8]? { try? descriptor.read(count, at: offset) }

    /// Appends bytes on the worker. Returns the reason of a failure.
    func append(_ bytes: [UInt8]) -> String? {
        do throws(PosixError) { try descriptor.writeAll(bytes) } catch { return error.message }
        return nil
    }
}
