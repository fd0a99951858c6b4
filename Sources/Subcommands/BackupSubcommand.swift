// SPDX-License-Identifier: Apache-2.0
import CPosix
import Configuration
import Invocation
import Library
import Posix
import Wire

/// `nightstand backup FILE` and `nightstand restore FILE`: the whole memory of the speaker's library. They use the console of a running
/// speaker, because only it has the library open and may write there. Without one they work in its folder.
public enum BackupSubcommand {
    /// The largest part of a file in one line of the console: a line less the command and Base64's overhead.
    private static let pieceBytes = 9000
    private static let binaryLimit = 65_536
    private static let waitMilliseconds: Int32 = 50

    /// Runs `backup`, `restore` and `favourites`. Returns the exit code.
    public static func run(_ command: String, _ words: [String], configPath: String?) -> Int32 {
        guard let arguments = Arguments(words, options: [.socket, .state, .help, .config]) else {
            return Usage.misused()
        }
        if arguments.has(.help) { return Usage.say(Usage.text) }
        var operands = arguments.operands
        var isIn = command == "restore"
        if command == "favourites" {
            guard operands.count == 2, operands[0] == "export" || operands[0] == "import" else {
                Log.error("favourites: expected export or import, and a file")
                return Usage.misused()
            }
            isIn = operands.removeFirst() == "import"
        }
        guard operands.count == 1 else {
            Log.error(command + ": expected one file")
            return Usage.misused()
        }
        do throws(ConfigurationError) {
            let configuration = try Configuration.load(path: arguments.value(.config) ?? configPath)
            let socketPath = arguments.value(.socket) ?? configuration.console.socketPath
            let statePath = arguments.value(.state) ?? configuration.statePath
            return command == "favourites"
                ? FavouritesSubcommand.run(
                    isExport: !isIn, file: operands[0], socketPath: socketPath, statePath: statePath)
                : run(
                    isRestore: isIn, file: operands[0], socketPath: socketPath, statePath: statePath)
        } catch {
            Log.error(error.message)
            return 1
        }
    }

    /// Returns the exit code: 0, or 1 if it failed.
    static func run(isRestore: Bool, file: String, socketPath: String, statePath: String) -> Int32 {
        let failure = isRestore ? restore(file, socketPath, statePath) : backup(file, socketPath, statePath)
        guard let failure else { return 0 }
        Log.error((isRestore ? "restore: " : "backup: ") + failure)
        return 1
    }

    private static func wait() { _ = ns_poll(nil, 0, waitMilliseconds) }

    // MARK: Backup

    /// Returns the reason of a failure; nil if the backup is complete.
    private static func backup(_ file: String, _ socketPath: String, _ statePath: String) -> String? {
        // A name of this process's own, so that no other file is in the way.
        let part = (file == "-" ? "/var/tmp/nightstand-backup" : file) + ".\(getpid()).part"
        var isMade = false
        defer { if isMade { _ = part.withPath { unlink($0) } } }
        do throws(SpeakerConnection.Failure) {
            let speaker = try SpeakerConnection(socketPath: socketPath)
            isMade = true
            if let failure = try fetch(speaker, into: part) { return failure }
        } catch {
            guard case .nobody = error else { return error.message }
            guard let library = FavouritesSubcommand.open(statePath) else { return "nothing was copied" }
            isMade = true
            // Only the owner may read it: the backup shows what a person listens to. A running speaker does the same.
            umask(0o077)
            guard let copy = library.copy(to: part) else { return "\(part) cannot be made" }
            var isDone = false
            while !isDone {
                switch copy.step() {
                case .again: break
                case .done: isDone = true
                case .failed(let reason): return reason
                }
            }
        }
        // Check that it can be restored.
        if let failure = Library.checkBackup(part) { return failure }
        if file == "-" { return pour(part) }
        do throws(PosixError) {
            try Files.rename(part, to: file)
            try Files.sync(file)
            return nil
        } catch { return error.message }
    }

    /// Writes a file to the standard output. Returns the reason of a failure.
    private static func pour(_ path: String) -> String? {
        do throws(PosixError) {
            let input = try FileDescriptor.open(path, O_RDONLY)
            let output = try FileDescriptor.open("/dev/stdout", O_WRONLY)
            while true {
                let piece = try input.read(1 << 16)
                if piece.isEmpty { return nil }
                try output.writeAll(piece)
            }
        } catch { return error.message }
    }

    private static func fetch(
        _ speaker: SpeakerConnection, into part: String
    ) throws(SpeakerConnection.Failure) -> String? {
        try speaker.ask("binarylimit \(binaryLimit)")
        var size: Int64?
        while size == nil {
            size = try speaker.ask("backup").value("size").flatMap { Int64($0) }
            if size == nil { wait() }
        }
        let output: FileDescriptor
        do throws(PosixError) {
            output = try FileDescriptor.open(part, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        } catch { return error.message }
        var offset: Int64 = 0
        while true {
            let piece = try speaker.ask("backup \(offset)").binary
            do throws(PosixError) { try output.writeAll(piece) } catch { return error.message }
            offset += Int64(piece.count)
            if piece.isEmpty { return offset == size ? nil : "the speaker's copy ended too early" }
        }
    }

    // MARK: Restore

    private static func restore(_ file: String, _ socketPath: String, _ statePath: String) -> String? {
        do throws(SpeakerConnection.Failure) {
            let speaker = try SpeakerConnection(socketPath: socketPath)
            // A copy, because checking a database may write to it. On a disk, because /tmp may be in memory, and a board has little of it.
            let folder = environmentVariable("TMPDIR") ?? "/var/tmp"
            let path = folder + "/nightstand-restore-\(getpid())"
            defer { _ = path.withPath { unlink($0) } }
            if let failure = copy(file, to: path) ?? Library.checkBackup(path) { return "\(file): \(failure)" }
            return try send(path, to: speaker)
        } catch {
            guard case .nobody = error else { return error.message }
            return restoreAtRest(file, statePath)
        }
    }

    private static func send(
        _ path: String, to speaker: SpeakerConnection
    ) throws(SpeakerConnection.Failure) -> String? {
        try speaker.ask("restore begin")
        let input: FileDescriptor
        do throws(PosixError) { input = try FileDescriptor.open(path, O_RDONLY) } catch { return error.message }
        while true {
            let piece: [UInt8]
            do throws(PosixError) { piece = try input.read(pieceBytes) } catch { return error.message }
            if piece.isEmpty { break }
            let line = "restore data " + SpeakerConnection.base64(piece[...])
            // The speaker's disk may be slower than this process.
            while try !hasTaken(line, speaker) { wait() }
        }
        try speaker.ask("restore end")
        while try speaker.ask("restore").value("state") != "done" { wait() }
        return nil
    }

    private static func hasTaken(
        _ line: String, _ speaker: SpeakerConnection
    ) throws(SpeakerConnection.Failure) -> Bool {
        do throws(SpeakerConnection.Failure) { try speaker.ask(line) } catch {
            if case .refused(code: SpeakerConnection.busy, _) = error { return false }
            throw error
        }
        return true
    }

    /// Replaces the library by the file, while no speaker runs.
    private static func restoreAtRest(_ file: String, _ statePath: String) -> String? {
        do throws(PosixError) { try Files.createFolder(statePath) } catch { return error.message }
        let path = statePath + "/nightstand.db"
        let restored = path + ".restored"
        defer { _ = restored.withPath { unlink($0) } }
        if let failure = copy(file, to: restored) ?? Library.checkBackup(restored) { return "\(file): \(failure)" }
        // The folder's owner must be able to write the file, even if root runs this.
        var status = stat()
        if statePath.withPath({ stat($0, &status) }) == 0 {
            _ = restored.withPath { chown($0, status.st_uid, status.st_gid) }
        }
        guard Files.exists(path) else {
            do throws(PosixError) {
                try Files.rename(restored, to: path)
                try Files.sync(path)
                return nil
            } catch { return error.message }
        }
        guard let library = FavouritesSubcommand.open(statePath) else { return "nothing was restored" }
        library.settle()
        if let failure = library.takeUp(restored) { return failure }
        library.close()
        return nil
    }

    private static func copy(_ file: String, to path: String) -> String? {
        do throws(PosixError) {
            let input = try FileDescriptor.open(file == "-" ? "/dev/stdin" : file, O_RDONLY)
            let output = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            var total: Int64 = 0
            while true {
                let piece = try input.read(1 << 16)
                if piece.isEmpty { return nil }
                try output.writeAll(piece)
                total += Int64(piece.count)
                if total > Library.mostBackupBytes { return "it is too large" }
            }
        } catch { return error.message }
    }
}
