// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Library
import Media
import Posix
import Transcript

/// Stamps of the files from which an item has its transcript: a stamp changes if another transcript may be read. Worker. It asks the disk
/// for the sizes and times of the files beside an item, and reads a folder once for all consecutive items in it.
final class TranscriptStamps {
    /// The version of the reading of transcripts, counted up so that all are read again.
    private static let version: UInt64 = 1

    private var folder = ""
    /// The transcripts in the folder; nil if it has none.
    private var sidecars: Sidecars?
    /// The index and the texts of the talking book in the folder.
    private var book: [String] = []
    /// The package of the unpacked EPUB around the folder.
    private var bookAround: String?
    private var isReadable = false
    private let made: MadeWords?

    init(_ made: MadeWords?) { self.made = made }

    /// Returns the stamp of an item's transcript; nil if the folder, or the transcript, is unreadable now.
    func stamp(of item: Library.SpokenState) -> Int64? {
        let path = item.path.pathFolder
        if !path.utf8.elementsEqual(folder.utf8) {
            folder = path
            read()
        }
        if !isReadable { return nil }
        var hash = TranscriptStamps.begun()
        hash.add(item.fileBytes)
        hash.add(item.fileModifiedSeconds)
        for name in (sidecars?.names(for: item.path.pathName) ?? []) + book {
            hash.add(name)
            TranscriptStamps.add(folder.appending(name: name), to: &hash)
        }
        if let bookAround { TranscriptStamps.add(bookAround, to: &hash) }
        if let path = made?.path(for: item.path, bytes: item.fileBytes, modifiedSeconds: item.fileModifiedSeconds) {
            TranscriptStamps.add(path, to: &hash)
        }
        return TranscriptStamps.stamp(hash)
    }

    /// Returns the stamp of a fetched transcript.
    /// - Parameter name: a name that differs for another transcript.
    static func stamp(fetched name: String) -> Int64 {
        var hash = begun()
        hash.add(name)
        return stamp(hash)
    }

    private static func begun() -> StableHash {
        var hash = StableHash()
        hash.add(version)
        return hash
    }

    /// 0 means a transcript that is being added.
    private static func stamp(_ hash: StableHash) -> Int64 { hash.value == 0 ? 1 : Int64(bitPattern: hash.value) }

    private static func add(_ path: String, to hash: inout StableHash) {
        guard let status = try? FileStatus(path: path) else { return }
        hash.add(status.bytes)
        hash.add(status.modifiedSeconds)
    }

    private func read() {
        sidecars = nil
        book = []
        bookAround = nil
        isReadable = false
        do throws(PosixError) {
            var transcripts: [String] = []
            var pieces: [String] = []
            try forEachName {
                if TranscriptFormat(fileName: $0) != nil { transcripts.append($0) }
                if TalkingBook.isText($0) { pieces.append($0) }
            }
            if TalkingBook.index(in: pieces) != nil {
                book = pieces.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            } else if let package = EPUB.package(around: folder.appending(name: "a")) {
                // The package includes its texts.
                bookAround = package
            }
            isReadable = true
            if transcripts.isEmpty { return }
            // The names of the audio files decide which transcript belongs to which file.
            try forEachName { if ScanFolder.isAudio($0) { transcripts.append($0) } }
            transcripts.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            sidecars = Sidecars(folder: transcripts)
        } catch {
            // The content of an archive changes with the archive.
            isReadable = error.code == ENOTDIR && ArchivePath(folder + "/") != nil
        }
    }

    private func forEachName(_ body: (String) -> Void) throws(PosixError) {
        let reader = try FolderReader(folder)
        while true {
            let entries = try reader.next(most: 256)
            if entries.isEmpty { return }
            for entry in entries { body(entry.name) }
        }
    }
}
