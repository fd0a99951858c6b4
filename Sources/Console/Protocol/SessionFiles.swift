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
            return FilePortions(try speaker.contents(of: folder, recursive: false), folder: folder)
        } catch {
            if error.code != .noExist { throw error }
            throw ConsoleError(.system, "Failed to open \(folder): No such file or directory")
        }
    }

    /// What has a place among MPD's tags stands there.
    func comments(_ argument: String, _ response: inout ResponseBuffer) throws(ConsoleError) {
        let tags = try song(argument).tags
        tags.visit { tag, range in
            if !tag.isOfMPD && tag != .format { response.field(tag.name, tags.bytes[range]) }
        }
    }
}

/// Files of a folder by their names in it.
final class FilePortions: Portions {
    private let listing: EntryListing
    /// Of the folder's path, the slash behind it included.
    private let prefixBytes: Int

    init(_ listing: EntryListing, folder: String) {
        self.listing = listing
        prefixBytes = folder.isEmpty ? 0 : folder.utf8.count + 1
    }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        guard let entries = listing.next(budget.left) else { return true }
        budget.take(WorkBudget.pageCost)
        for entry in entries {
            switch entry {
            case .folder(let uri, let modifiedSeconds):
                response.field("directory", path: uri.dropping(bytes: prefixBytes))
                if let modifiedSeconds { response.field("Last-Modified", date: modifiedSeconds) }
            case .song(let song):
                response.field("file", path: song.uri.dropping(bytes: prefixBytes))
                if let bytes = song.fileBytes { response.field("size", bytes) }
                if let seconds = song.modifiedSeconds { response.field("Last-Modified", date: seconds) }
            }
        }
        return false
    }
}
