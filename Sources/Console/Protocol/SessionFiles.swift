import Core
import Posix

/// What the library knows of files beside their tags.
extension Session {
    func files(_ argument: String?) throws(ConsoleError) -> Portions {
        let folder = try Session.folder(argument)
        do throws(ConsoleError) {
            // MPD asks the disk, which says so of a file too.
            if speaker.song(at: folder) != nil {
                throw ConsoleError(.system, "Failed to open \(folder): Not a directory")
            }
            let songs = try speaker.contents(of: folder, recursive: false)
            return FilePortions(songs, speaker.files(in: folder), folder: folder)
        } catch {
            if error.code != .noExist { throw error }
            throw ConsoleError(.system, "Failed to open \(folder): No such file or directory")
        }
    }

    /// What a file says of itself in its own words; where its format has none, what the library knows of it beyond MPD's tags.
    func comments(_ argument: String) throws(ConsoleError) -> Portions {
        let song = try song(argument)
        return AwaitedPortions(try speaker.comments(of: song.uri)) { found, response in
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

    /// One that a line can begin with.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
    }
}

/// Files of a folder by their names in it: its songs, and then what else there is.
final class FilePortions: Portions {
    private let listing: Pages<LibraryEntry>
    /// Of the folder's path, the slash behind it included.
    private let prefixBytes: Int
    private let others: Awaited<[FileDescription]>
    private var told: Set<[UInt8]> = []
    private var hasToldSongs = false
    private var nextOther = 0

    init(_ listing: @escaping Pages<LibraryEntry>, _ others: Awaited<[FileDescription]>, folder: String) {
        self.listing = listing
        self.others = others
        prefixBytes = folder.isEmpty ? 0 : folder.utf8.count + 1
    }

    var isWaiting: Bool { hasToldSongs && others.outcome == nil }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        if hasToldSongs { return tellOthers(&budget, &response) }
        guard let entries = listing(budget.left) else {
            hasToldSongs = true
            return false
        }
        budget.take(WorkBudget.pageCost)
        for entry in entries {
            switch entry {
            case .folder(let uri, let modifiedSeconds):
                tell("directory", uri.dropping(bytes: prefixBytes), &response)
                if let modifiedSeconds { response.field("Last-Modified", date: modifiedSeconds) }
            case .song(let song):
                tell("file", song.uri.dropping(bytes: prefixBytes), &response)
                if let bytes = song.fileBytes { response.field("size", bytes) }
                if let seconds = song.modifiedSeconds { response.field("Last-Modified", date: seconds) }
            }
        }
        return false
    }

    private func tell(_ kind: String, _ name: String, _ response: inout ResponseBuffer) {
        told.insert(Array(name.utf8))
        response.field(kind, path: name)
    }

    private func tellOthers(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) -> Bool {
        // A disk that does not answer has told its songs at least.
        guard case .success(let files) = others.outcome else { return true }
        while nextOther < files.count && !budget.isSpent {
            let file = files[nextOther]
            nextOther += 1
            budget.take(1)
            if told.contains(Array(file.name.utf8)) { continue }
            response.field(file.bytes == nil ? "directory" : "file", path: file.name)
            if let bytes = file.bytes { response.field("size", bytes) }
            response.field("Last-Modified", date: file.modifiedSeconds)
        }
        return nextOther == files.count
    }
}
