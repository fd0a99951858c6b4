import CPosix
import Library
import Posix
import Workers

/// Copies the library for somebody, and takes up a copy that somebody brings: one at a time of each, in files of the state's folder that
/// are gone afterwards. Control thread; the copy is made in portions, and whatever waits for the disk is the worker's.
public final class LibraryTransfer {
    public enum BackupState {
        case copying
        /// So many bytes are ready to be read.
        case ready(Int64)
        case failed(String)
    }

    public enum RestoreState {
        case none
        /// So many bytes have come.
        case receiving(Int64)
        case checking
        case done
        case failed(String)
    }

    private static let restMilliseconds = 5
    private static let lookMilliseconds = 50
    /// What waits for the worker to write it.
    private static let mostHeld = 1 << 20
    /// Nobody comes for a copy, or goes on bringing one.
    private static let patienceMilliseconds = 60_000

    private let library: Library
    private let worker: any Performer
    private let timers: any Timers
    /// Has the disk take what was written, and the log folded in.
    var settle: () -> Void = {}
    /// Stops what writes into the library all the time, and says whether it has.
    public var holdBack: () -> Bool = { true }
    /// The library was changed for another, or was not after all.
    var didTakeUp: (_ isAnother: Bool) -> Void = { _ in }
    var willTakeUp: () -> Void = {}

    private var copy: Library.Copy?
    private var copied: FileDescriptorBox?
    private var backupFailure: String?
    private var lastUse = MonotonicTime.now

    private var restore = RestoreState.none
    private var file: FileDescriptorBox?
    private var held: [UInt8] = []
    private var isWriting = false
    private var isWhole = false
    private var received: Int64 = 0

    init(library: Library, worker: any Performer, timers: any Timers) {
        self.library = library
        self.worker = worker
        self.timers = timers
    }

    private var folder: String? { library.path?.pathFolder }

    // MARK: Backup

    /// How far the copy is; begins one where there is none.
    public func backup() -> BackupState {
        lastUse = timers.now
        if let backupFailure {
            self.backupFailure = nil
            return .failed(backupFailure)
        }
        if let copied { return .ready(copied.bytes) }
        if copy != nil { return .copying }
        guard let folder else { return .failed("the library is in memory only") }
        let path = folder + "/nightstand.db.copy"
        for end in ["", "-journal", "-wal"] { _ = (path + end).withPath { unlink($0) } }
        copy = library.copy(to: path)
        if copy == nil { return .failed("\(path) cannot be made") }
        goOn(path)
        return .copying
    }

    private func goOn(_ path: String) {
        timers.schedule(inMilliseconds: LibraryTransfer.restMilliseconds) { [self] in
            guard let copy else { return }
            switch copy.step() {
            case .again: return goOn(path)
            case .done: break
            case .failed(let reason): backupFailure = reason
            }
            self.copy = nil
            if backupFailure == nil { copied = FileDescriptorBox(reading: path) }
            // Gone with its last descriptor.
            _ = path.withPath { unlink($0) }
            if backupFailure == nil && copied == nil { backupFailure = "the copy cannot be read" }
            forgetLater()
        }
    }

    private func forgetLater() {
        timers.schedule(inMilliseconds: LibraryTransfer.patienceMilliseconds) { [self] in
            if copied == nil { return }
            if timers.now.milliseconds(since: lastUse) >= Int64(LibraryTransfer.patienceMilliseconds) {
                copied = nil
            } else {
                forgetLater()
            }
        }
    }

    /// A piece of the copy: it was written just now, and is in the kernel's memory. Nil where there is none; empty at its end, with
    /// which it is forgotten.
    public func readBackup(at offset: Int64, count: Int) -> [UInt8]? {
        guard let copied else { return nil }
        lastUse = timers.now
        let piece = copied.read(at: offset, count: count)
        if piece?.isEmpty ?? true { self.copied = nil }
        return piece
    }

    // MARK: Restore

    public var restoreState: RestoreState { restore }

    private var restoredPath: String? { folder.map { $0 + "/nightstand.db.restored" } }

    /// Somebody begins to bring a copy. Says why not.
    public func beginRestore() -> String? {
        if case .checking = restore { return "another is being taken up" }
        if isWriting { return "the disk is busy" }
        guard let path = restoredPath else { return "the library is in memory only" }
        for end in ["", "-journal", "-wal"] { _ = (path + end).withPath { unlink($0) } }
        guard let file = FileDescriptorBox(writing: path) else { return "\(path) cannot be made" }
        self.file = file
        held = []
        received = 0
        isWhole = false
        restore = .receiving(0)
        return nil
    }

    /// Takes the next piece. False where it must be brought again later, since the disk is slower.
    public func addRestore(_ bytes: [UInt8]) -> Bool {
        guard case .receiving = restore, !isWhole else { return true }
        if held.count + bytes.count > LibraryTransfer.mostHeld { return false }
        held += bytes
        received += Int64(bytes.count)
        restore = received > Library.mostBackupBytes ? .failed("it is too large") : .receiving(received)
        write()
        return true
    }

    private func write() {
        if isWriting { return }
        guard !held.isEmpty, let file else {
            if isWhole { check() }
            return
        }
        let piece = held
        held = []
        isWriting = true
        var failure: String?
        perform {
            failure = file.append(piece)
            return .done
        } then: { [self] in
            isWriting = false
            if let failure { return fail(failure) }
            write()
        }
    }

    /// All of it has come: it is looked through, and taken up.
    public func endRestore() -> String? {
        guard case .receiving = restore, !isWhole else { return "no copy is being brought" }
        isWhole = true
        restore = .checking
        write()
        return nil
    }

    private func check() {
        isWhole = false
        file = nil
        guard let path = restoredPath else { return fail("the library is in memory only") }
        var failure: String?
        perform {
            failure = Library.checkBackup(path)
            return .done
        } then: { [self] in
            if let failure { return fail(failure) }
            takeUp(path)
        }
    }

    /// As soon as nothing is being written.
    private func takeUp(_ path: String) {
        guard holdBack(), library.canTakeUp else {
            if library.trouble != nil { return fail("the library's own disk cannot be used") }
            settle()
            timers.schedule(inMilliseconds: LibraryTransfer.lookMilliseconds) { [self] in takeUp(path) }
            return
        }
        willTakeUp()
        if let failure = library.takeUp(path) {
            didTakeUp(false)
            return fail(failure)
        }
        didTakeUp(true)
        restore = .done
    }

    private func perform(_ step: @escaping () -> Job.Step, then: @escaping () -> Void) {
        do throws(Job.Refusal) {
            try worker.perform(.background, key: "restore", step: step) { [self] outcome in
                if outcome == .done { then() } else { fail("the speaker was ended") }
            }
        } catch { fail("the disk does not answer") }
    }

    private func fail(_ reason: String) {
        isWriting = false
        isWhole = false
        held = []
        file = nil
        restore = .failed(reason)
        if let path = restoredPath { _ = path.withPath { unlink($0) } }
    }
}

/// An open file. A class, so that closures can hold it.
private final class FileDescriptorBox: @unchecked Sendable {
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
        } catch {
            return nil
        }
        bytes = 0
    }

    func read(at offset: Int64, count: Int) -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: count)
        let got = piece.withUnsafeMutableBytes { pread(descriptor.number, $0.baseAddress, $0.count, off_t(offset)) }
        if got < 0 { return nil }
        piece.removeLast(count - got)
        return piece
    }

    /// Worker. Says why not.
    func append(_ bytes: [UInt8]) -> String? {
        do throws(PosixError) { try descriptor.writeAll(bytes) } catch { return error.message }
        return nil
    }
}
