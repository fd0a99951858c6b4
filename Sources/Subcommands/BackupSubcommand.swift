import CPosix
import Configuration
import Console
import Invocation
import Library
import Posix

/// `nightstand backup FILE` and `nightstand restore FILE`: all that the speaker's library remembers. Of a speaker that runs through its console,
/// since only it has its library open and may write where that is; else in its folder.
public enum BackupSubcommand {
    /// What a line of the console takes, less its words and the letters that Base64 adds.
    private static let pieceBytes = 9000
    private static let binaryLimit = 65_536
    private static let waitMilliseconds: Int32 = 50

    /// Of `backup`, `restore` and `favourites`. Returns the exit code.
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

    /// Returns the exit code: 0, 1 where it was not done.
    static func run(isRestore: Bool, file: String, socketPath: String, statePath: String) -> Int32 {
        let failure = isRestore ? restore(file, socketPath, statePath) : backup(file, socketPath, statePath)
        guard let failure else { return 0 }
        Log.error((isRestore ? "restore: " : "backup: ") + failure)
        return 1
    }

    private static func wait() { _ = ns_poll(nil, 0, waitMilliseconds) }

    // MARK: Backup

    /// Returns why it was not done.
    private static func backup(_ file: String, _ socketPath: String, _ statePath: String) -> String? {
        // A name of this process's own: what else is called so is nobody's business.
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
            // What somebody listens to is his own, here as from a speaker that runs.
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
        // What cannot be restored is no backup.
        if let failure = Library.checkBackup(part) { return failure }
        if file == "-" { return pour(part) }
        do throws(PosixError) {
            try Files.rename(part, to: file)
            try Files.sync(file)
            return nil
        } catch { return error.message }
    }

    /// Writes a file to the standard output. Returns why not.
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
            // A copy, since looking through a database may write to it. On a disk: /tmp may be memory, of which a board has little.
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
            // Its disk may be slower than we are.
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

    /// No speaker runs: the file takes the place of its library.
    private static func restoreAtRest(_ file: String, _ statePath: String) -> String? {
        do throws(PosixError) { try Files.createFolder(statePath) } catch { return error.message }
        let path = statePath + "/nightstand.db"
        let restored = path + ".restored"
        defer { _ = restored.withPath { unlink($0) } }
        if let failure = copy(file, to: restored) ?? Library.checkBackup(restored) { return "\(file): \(failure)" }
        // Whoever runs this, the folder's owner is to write it.
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
