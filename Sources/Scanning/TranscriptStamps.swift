import Library
import Media
import Posix
import Transcript

/// Tells by which files an item has its transcript, as a number: another one where another transcript may be read. Worker; the files
/// beside an item are asked for their size and time, and a folder is read once for all items in it that come one after the other.
final class TranscriptStamps {
    /// Counted up when transcripts are read otherwise than before, so that all are read again.
    private static let version: UInt64 = 1

    private var folder = ""
    /// Nil where no file in the folder is a transcript.
    private var sidecars: Sidecars?
    /// The index of the talking book that the folder is, and its texts.
    private var book: [String] = []
    private var isReadable = false
    private let made: MadeWords?

    init(_ made: MadeWords?) { self.made = made }

    /// Nil where the folder, or the transcript, cannot be asked now.
    func stamp(of item: Library.SpokenState) -> Int64? {
        let path = item.path.pathFolder
        if !path.utf8.elementsEqual(folder.utf8) {
            folder = path
            read()
        }
        if !isReadable { return nil }
        var hash = TranscriptStamps.mix(0xCBF2_9CE4_8422_2325, TranscriptStamps.version)
        hash = TranscriptStamps.mix(hash, UInt64(bitPattern: item.fileBytes))
        hash = TranscriptStamps.mix(hash, UInt64(bitPattern: item.fileModifiedSeconds))
        for name in (sidecars?.names(for: item.path.pathName) ?? []) + book {
            for byte in name.utf8 { hash = TranscriptStamps.mix(hash, UInt64(byte)) }
            guard let status = try? FileStatus(path: folder.appending(name: name)) else { continue }
            hash = TranscriptStamps.mix(hash, UInt64(bitPattern: status.bytes))
            hash = TranscriptStamps.mix(hash, UInt64(bitPattern: status.modifiedSeconds))
        }
        if let path = made?.path(for: item.path, bytes: item.fileBytes, modifiedSeconds: item.fileModifiedSeconds),
            let status = try? FileStatus(path: path)
        {
            hash = TranscriptStamps.mix(hash, UInt64(bitPattern: status.bytes))
            hash = TranscriptStamps.mix(hash, UInt64(bitPattern: status.modifiedSeconds))
        }
        // 0 stands for what is under way.
        return hash == 0 ? 1 : Int64(bitPattern: hash)
    }

    /// Of a transcript that was fetched.
    /// - Parameter name: another one where it is another transcript.
    static func stamp(fetched name: String) -> Int64 {
        var hash = mix(0xCBF2_9CE4_8422_2325, version)
        for byte in name.utf8 { hash = mix(hash, UInt64(byte)) }
        return hash == 0 ? 1 : Int64(bitPattern: hash)
    }

    private func read() {
        sidecars = nil
        book = []
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
            }
            isReadable = true
            if transcripts.isEmpty { return }
            // Which of them belong to which files hangs on what audio there is.
            try forEachName { if ScanFolder.isAudio($0) { transcripts.append($0) } }
            transcripts.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            sidecars = Sidecars(folder: transcripts)
        } catch { isReadable = false }
    }

    private func forEachName(_ body: (String) -> Void) throws(PosixError) {
        let reader = try FolderReader(folder)
        while true {
            let entries = try reader.next(most: 256)
            if entries.isEmpty { return }
            for entry in entries { body(entry.name) }
        }
    }

    /// FNV-1a.
    private static func mix(_ hash: UInt64, _ value: UInt64) -> UInt64 {
        var hash = hash
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            hash = (hash ^ (value >> shift & 0xFF)) &* 0x100_0000_01B3
        }
        return hash
    }
}
