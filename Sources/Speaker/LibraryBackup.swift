// SPDX-License-Identifier: Apache-2.0
import CPosix
import Library
import Posix

/// The library as a whole, out and in.
public struct LibraryTransfer {
    public let backup: LibraryBackup
    public let restore: LibraryRestore
}

/// Copies the library for a client, one copy at a time, in portions, into a temporary file in the state's folder. Control thread.
public final class LibraryBackup {
    public enum State {
        case copying
        /// So many bytes are ready to be read.
        case ready(Int64)
        case failed(String)
    }

    private static let breakMilliseconds = 5
    /// The client no longer comes for the copy.
    private static let patienceMilliseconds = 60_000

    private let library: Library
    private let timers: any Timers
    private var copy: Library.Copy?
    private var copied: CopyFile?
    private var failure: String?
    /// Forgets the copy.
    private var timer: EventLoop.TimerToken?

    init(_ library: Library, _ timers: any Timers) {
        self.library = library
        self.timers = timers
    }

    /// Returns the progress of the copy; begins one where there is none.
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
            // Gone with its last descriptor.
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

    /// A piece of the copy: the kernel has just written it, and still has it in memory. Nil where there is none; empty at its end, with
    /// which it is forgotten.
    public func read(at offset: Int64, count: Int) -> [UInt8]? {
        guard let copied else { return nil }
        forgetLater()
        let piece = copied.read(at: offset, count: count)
        if piece?.isEmpty ?? true { self.copied = nil }
        return piece
    }
}

extension Library {
    /// A file beside the database; nil where that is in memory only.
    func pathBeside(_ name: String) -> String? { path.map { $0.pathFolder + "/nightstand.db." + name } }
}

/// A copy of the library that is open. A class, so that closures can hold it.
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

    /// With what SQLite may have left beside it.
    static func remove(_ path: String) {
        for end in ["", "-journal", "-wal"] { _ = (path + end).withPath { unlink($0) } }
    }

    func read(at offset: Int64, count: Int) -> [UInt8]? { try? descriptor.read(count, at: offset) }

    /// Worker. Says why not.
    func append(_ bytes: [UInt8]) -> String? {
        do throws(PosixError) { try descriptor.writeAll(bytes) } catch { return error.message }
        return nil
    }
}
