// SPDX-License-Identifier: Apache-2.0
import CPosix
import Library
import Posix
import Workers

/// Replaces the library by a client's copy, one at a time. Control thread; the worker waits for the disk.
public final class LibraryRestore {
    public enum State {
        case none
        /// The number of bytes received.
        case receiving(Int64)
        case checking
        case done
        case failed(String)
    }

    private static let lookMilliseconds = 50
    /// The limit of bytes that the worker has yet to write.
    private static let mostHeld = 1 << 20

    public private(set) var state = State.none
    private var file: CopyFile?
    private var held: [UInt8] = []
    private var isWriting = false
    private let library: Library
    private let places: PlaceKeeper
    /// The scans, which the restore stops: they write into the library all the time.
    private let scans: (any ScanPort)?
    private let worker: any Performer
    private let timers: any Timers
    /// Runs the closure that replaces the library. Returns the reason of a failure.
    var replaceLibrary: (() -> String?) -> String? = { $0() }

    init(
        _ library: Library, places: PlaceKeeper, scans: (any ScanPort)?, worker: any Performer, timers: any Timers
    ) {
        self.library = library
        self.places = places
        self.scans = scans
        self.worker = worker
        self.timers = timers
    }

    private var path: String? { library.pathBeside("restored") }

    /// Starts a restore. Returns the reason of a refusal.
    public func begin() -> String? {
        if case .checking = state { return "another is being looked through" }
        if isWriting { return "the disk is busy" }
        guard let path else { return "the library is in memory only" }
        CopyFile.remove(path)
        guard let file = CopyFile(writing: path) else { return "\(path) cannot be made" }
        self.file = file
        held = []
        state = .receiving(0)
        return nil
    }

    /// Takes the next piece. Returns false if the client must send it again later, since the disk is slower.
    public func add(_ bytes: [UInt8]) -> Bool {
        guard case .receiving(let before) = state else { return true }
        if held.count + bytes.count > LibraryRestore.mostHeld { return false }
        held += bytes
        let received = before + Int64(bytes.count)
        state = received > Library.mostBackupBytes ? .failed("it is too large") : .receiving(received)
        write()
        return true
    }

    private func write() {
        if isWriting { return }
        guard let file else { return }
        if held.isEmpty {
            if case .checking = state { check() }
            return
        }
        let piece = held
        held = []
        isWriting = true
        perform {
            file.append(piece)
        } then: { [self] in
            isWriting = false
            write()
        }
    }

    /// Ends the transfer: checks the copy, and makes it the library.
    public func end() -> String? {
        guard case .receiving = state else { return "no copy is being brought" }
        state = .checking
        write()
        return nil
    }

    private func check() {
        file = nil
        guard let path else { return fail("the library is in memory only") }
        perform {
            Library.checkBackup(path)
        } then: { [self] in
            replace(path)
        }
    }

    /// Replaces the library as soon as all writes are done.
    private func replace(_ path: String) {
        guard !(scans?.isScanning ?? false), library.canTakeUp else {
            if library.trouble != nil { return fail("the library's own disk cannot be used") }
            places.checkpoint()
            timers.schedule(inMilliseconds: LibraryRestore.lookMilliseconds) { [self] in replace(path) }
            return
        }
        if let failure = replaceLibrary({ [self] in library.takeUp(path) }) { return fail(failure) }
        state = .done
    }

    /// - Parameter step: runs on the worker; returns the reason of a failure.
    private func perform(_ step: @escaping () -> String?, then: @escaping () -> Void) {
        var failure: String? = "the speaker was ended"
        do throws(Job.Refusal) {
            try worker.perform(.background, key: "restore") {
                failure = step()
                return .done
            } finish: { [self] _ in
                if let failure { fail(failure) } else { then() }
            }
        } catch { fail("the disk does not answer") }
    }

    private func fail(_ reason: String) {
        isWriting = false
        held = []
        file = nil
        state = .failed(reason)
        if let path { _ = path.withPath { unlink($0) } }
    }
}
