// SPDX-License-Identifier: Apache-2.0
import CPosix
import Configuration
import Core
import Library
import Posix
import Wire

/// `nightstand favourites export|import FILE`: takes favorites and bookmarks to another speaker, and from one. Uses a running speaker, or
/// else the library itself.
enum FavouritesSubcommand {
    /// Returns the exit code: 0, or 1 if it failed.
    static func run(isExport: Bool, file: String, socketPath: String, statePath: String) -> Int32 {
        isExport ? export(file, socketPath, statePath) : take(file, socketPath, statePath)
    }

    // MARK: Export

    private static func export(_ file: String, _ socketPath: String, _ statePath: String) -> Int32 {
        var objects: [String] = []
        do throws(SpeakerConnection.Failure) {
            let answer = try SpeakerConnection(socketPath: socketPath).ask("favourite export")
            for field in answer.fields where field.name == "kept" { objects.append(field.value) }
        } catch {
            guard case .nobody = error else { return fail(error.message) }
            guard let library = open(statePath) else { return 1 }
            var cursor: Library.KeptCursor? = .start
            while let from = cursor {
                let page = library.keptObjects(after: from, limit: 500)
                objects += page.objects
                cursor = page.next
            }
        }
        do throws(PosixError) { try put(KeptFile.bytes(objects), file) } catch {
            return fail(error.message)
        }
        return 0
    }

    /// Writes the file; "-" is standard output.
    static func put(_ bytes: [UInt8], _ file: String) throws(PosixError) {
        if file != "-" { return try Files.replace(file, with: bytes) }
        let output = FileDescriptor(owning: dup(1))
        try output.writeAll(bytes)
    }

    // MARK: Import

    private static func take(_ file: String, _ socketPath: String, _ statePath: String) -> Int32 {
        var bytes: [UInt8] = []
        do throws(PosixError) {
            bytes = try Files.readToEnd(file == "-" ? "/dev/stdin" : file, limit: KeptFile.mostBytes)
        } catch {
            return fail(error.message)
        }
        var objects: [String] = []
        do throws(KeptFile.Refusal) { objects = try KeptFile.objects(bytes) } catch {
            return fail("\(file): \(error.message)")
        }
        var added = 0
        do throws(SpeakerConnection.Failure) {
            let speaker = try SpeakerConnection(socketPath: socketPath)
            for object in objects where try speaker.adds("favourite import " + object.quotedArgument) { added += 1 }
        } catch {
            guard case .nobody = error else { return fail(error.message) }
            guard let library = open(statePath) else { return 1 }
            for object in objects {
                switch library.takeIn(keptObject: object) {
                case .added: added += 1
                case .alreadyThere: break
                case .refused, .notSaved: return fail("cannot be saved")
                }
            }
            library.settle()
            library.close()
        }
        Log.notice("\(added) added, \(objects.count - added) there already")
        return 0
    }

    private static func fail(_ message: String) -> Int32 {
        Log.error("favourites: " + message)
        return 1
    }

    /// Opens the library of a speaker that is not running. Prints the reason of a failure.
    static func open(_ statePath: String) -> Library? {
        guard Files.exists(statePath + "/nightstand.db") else {
            Log.error("no speaker is running, and there is no library in \(statePath)")
            return nil
        }
        var hasFailed = false
        let library = Library(stateFolder: statePath) { warning in
            hasFailed = true
            Log.error(warning)
        }
        return hasFailed || library.path == nil ? nil : library
    }
}

extension SpeakerConnection {
    /// Adds a record, unless the library has it. Returns true if the library had none.
    func adds(_ command: String) throws(Failure) -> Bool {
        do throws(Failure) { try ask(command) } catch {
            if case .refused(code: SpeakerConnection.exists, _) = error { return false }
            throw error
        }
        return true
    }
}
