// SPDX-License-Identifier: Apache-2.0
import Library
import Media
import Posix

/// A found file that looks like audio.
struct FoundFile {
    let path: String
    let bytes: Int64
    /// The time of the last change in seconds since 1970.
    let modifiedSeconds: Int64
    /// The files beside it.
    let sidecars: FileSidecars
}

/// A folder during a scan: it reads the list in portions, sorts it, and visits it in the library's order. Worker.
final class ScanFolder {
    struct Entry {
        let name: String
        let kind: FolderReader.Kind
        /// The key in the library's order; a folder sorts by its content.
        let key: [UInt8]

        init(_ name: String, _ kind: FolderReader.Kind) {
            self.name = name
            self.kind = kind
            var key = naturalKey(name)
            if kind == .folder { key.append(1) }
            self.key = key
        }

        func precedes(_ other: Entry) -> Bool {
            if key != other.key { return key.lexicographicallyPrecedes(other.key) }
            return name.utf8.lexicographicallyPrecedes(other.name.utf8)
        }
    }

    private static let portion = 256
    /// A folder on every ext4 file system, which only root may read.
    private static let lostAndFound = "lost+found"

    let path: String
    /// True if a listener named a file in it, with any name; the folder then only provides the files beside it.
    private let isForSidecars: Bool
    private var reader: FolderReader?
    /// The sorted runs of entries, each less than half as long as the one before.
    private var runs: [[Entry]] = []
    private var entries: [Entry] = []
    private var next = 0
    private let beside: SidecarFolder
    /// True for an unpacked EPUB: its audio may lie in folders below.
    private(set) var isEPUB = false
    private var epub: FileSidecars?

    init(_ path: String) throws(PosixError) {
        self.path = path
        beside = SidecarFolder(path)
        isForSidecars = false
        reader = try FolderReader(path)
    }

    /// Opens the folder of a named file, even without the right to list it.
    init(surroundings path: String) {
        self.path = path
        beside = SidecarFolder(path)
        isForSidecars = true
        reader = try? FolderReader(path)
    }

    // MARK: Reading the list

    /// Reads a portion of the list; true at the end of the list.
    /// - Parameter wrong: called with names of audio that belong to no file.
    func readStep(_ wrong: (String) -> Void) throws(PosixError) -> Bool {
        guard let reader else { return true }
        let portion: [FolderReader.Entry]
        do throws(PosixError) { portion = try reader.next(most: ScanFolder.portion) } catch {
            // The results so far stay.
            finishReading()
            throw error
        }
        if portion.isEmpty {
            finishReading()
            return true
        }
        var run: [Entry] = []
        for entry in portion { if let entry = sort(out: entry, wrong) { run.append(entry) } }
        run.sort { $0.precedes($1) }
        runs.append(run)
        while runs.count > 1 && runs[runs.count - 2].count < 2 * runs[runs.count - 1].count { mergeLastRuns() }
        return false
    }

    private func finishReading() {
        reader = nil
        while runs.count > 1 { mergeLastRuns() }
        entries = runs.popLast() ?? []
        beside.finish()
    }

    private func sort(out entry: FolderReader.Entry, _ wrong: (String) -> Void) -> Entry? {
        let name = entry.name
        if name.utf8.first == UInt8(ascii: ".") { return nil }
        if entry.kind == .folder {
            if name.utf8.elementsEqual(EPUB.mark.utf8) { isEPUB = true }
            return isForSidecars || name.utf8.elementsEqual(ScanFolder.lostAndFound.utf8) ? nil : Entry(name, .folder)
        }
        let isAudio = ScanFolder.isAudio(name)
        if entry.kind != .other { beside.take(name, isAudio: isAudio) }
        if isForSidecars { return nil }
        switch entry.kind {
        case .file: return ScanFolder.isLookedInto(name) ? Entry(name, .file) : nil
        // A link may lead to a folder.
        case .link, .unknown: return Entry(name, entry.kind)
        case .other, .folder:
            if isAudio { wrong(path.appending(name: name)) }
            return nil
        }
    }

    static func isAudio(_ name: String) -> Bool { MediaFormats.isAudio(suffix: name.pathExtension) }

    static func isArchive(_ name: String) -> Bool { ArchivePath.isArchive(name) }

    static func isLookedInto(_ name: String) -> Bool {
        isArchive(name) || MediaFormats.isLookedInto(suffix: name.pathExtension)
    }

    private func mergeLastRuns() {
        let b = runs.removeLast()
        let a = runs.removeLast()
        var merged: [Entry] = []
        merged.reserveCapacity(a.count + b.count)
        var (i, j) = (0, 0)
        while i < a.count && j < b.count {
            if b[j].precedes(a[i]) {
                merged.append(b[j])
                j += 1
            } else {
                merged.append(a[i])
                i += 1
            }
        }
        merged += a[i...]
        merged += b[j...]
        runs.append(merged)
    }

    // MARK: Going through it

    func nextEntry() -> Entry? {
        if next == entries.count {
            entries = []
            next = 0
            return nil
        }
        defer { next += 1 }
        return entries[next]
    }

    /// The book that the folder is, for a file somewhere below it, and a stamp of it; none if it is no EPUB.
    var sidecarsOfEPUB: FileSidecars {
        if let epub { return epub }
        let made = FileSidecars(package: EPUB.package(of: path))
        epub = made
        return made
    }

    /// Returns the files beside one of the folder's files.
    func sidecars(of name: String) -> FileSidecars { beside.sidecars(of: name) }
}
