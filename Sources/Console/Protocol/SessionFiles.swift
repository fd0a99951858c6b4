// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import Wire

/// Files, and the library's knowledge of them beyond their tags.
extension Session {
    func files(_ argument: String?) throws(ConsoleError) -> Portions {
        let folder = try Session.folder(argument)
        do throws(ConsoleError) {
            // MPD asks the disk, which gives this error for a file.
            if host.song(at: folder) != nil {
                throw ConsoleError(.system, "Failed to open \(folder): Not a directory")
            }
            let songs = try host.contents(of: folder, recursive: false)
            return .files(songs, host.files(in: folder), in: folder)
        } catch {
            if error.code != .noExist { throw error }
            throw ConsoleError(.system, "Failed to open \(folder): No such file or directory")
        }
    }

    /// Lists a file's own comments; if its format has none, the library's knowledge of it beyond MPD's tags.
    func comments(_ argument: String) throws(ConsoleError) -> Portions {
        let song = try song(argument)
        return .awaited(try host.comments(of: song.uri)) { found, response in
            for comment in found ?? [] where Session.isName(comment.name) {
                response.field(comment.name, comment.text)
            }
            if found == nil {
                let tags = song.tags
                tags.visit { tag, range in
                    if !tag.isOfMPD && tag != .format { response.field(tag.name, tags.bytes[range]) }
                }
            }
            return nil
        }
    }

    /// Returns whether a name can begin a line.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
    }
}

extension Portions {
    /// Lists the files of a folder by their names in it: its songs, and then all others.
    static func files(
        _ listing: @escaping Pages<LibraryEntry>, _ others: Awaited<[FileDescription]>, in folder: String
    ) -> Portions {
        /// The length of the folder's path, including the slash behind it.
        let prefixBytes = folder.isEmpty ? 0 : folder.utf8.count + 1
        var told: Set<[UInt8]> = []
        func tell(_ kind: String, _ uri: String, _ response: inout ResponseBuffer) {
            let name = uri.dropping(bytes: prefixBytes)
            told.insert(Array(name.utf8))
            response.field(kind, path: name)
        }
        let songs = Portions { budget, response in
            guard let entries = listing(budget.left) else { return true }
            budget.take(WorkBudget.pageCost)
            for entry in entries {
                switch entry {
                case .folder(let uri, let modifiedSeconds):
                    tell("directory", uri, &response)
                    if let modifiedSeconds { response.field("Last-Modified", date: modifiedSeconds) }
                case .song(let song):
                    tell("file", song.uri, &response)
                    if let bytes = song.fileBytes { response.field("size", bytes) }
                    if let seconds = song.modifiedSeconds { response.field("Last-Modified", date: seconds) }
                }
            }
            return false
        }
        var next = 0
        let rest = Portions(isWaiting: others.outcome == nil) { budget, response in
            // Without the disk's answer, the list has at least the songs.
            guard case .success(let files) = others.outcome else { return true }
            while next < files.count && !budget.isSpent {
                let file = files[next]
                next += 1
                budget.take(1)
                if told.contains(Array(file.name.utf8)) { continue }
                response.field(file.bytes == nil ? "directory" : "file", path: file.name)
                if let bytes = file.bytes { response.field("size", bytes) }
                response.field("Last-Modified", date: file.modifiedSeconds)
            }
            return next == files.count
        }
        return .joined([songs, rest])
    }
}
