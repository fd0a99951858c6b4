// SPDX-License-Identifier: Apache-2.0
import Core
import Media
import Posix

/// The files beside an audio file that belong to it.
struct FileSidecars {
    /// The path of a picture.
    var picture: String?
    /// The path of a list of chapters.
    var chapters: String?
    /// The path of the list of chapters that the speaker made from the text.
    var madeChapters: String?
    /// True if the list is the folder's only cue sheet, which may be about other files.
    var isShared = false
    /// The path of the index of the file's talking book.
    var book: String?
    /// A number that changes with any file of that book.
    var bookStamp: Int64 = 0
    /// A number that changes with any of these files; 0 for none.
    var stamp: Int64 = 0
}

extension FileSidecars {
    /// Returns the book of an unpacked EPUB, with a stamp of all its files.
    init(package: String?) {
        guard let package, let files = try? BookFiles(index: package) else { return }
        var hash = StableHash()
        files.stamp(&hash)
        book = package
        bookStamp = Int64(bitPattern: hash.value | 1)
        stamp = bookStamp
    }

    /// Adds the book of the file.
    mutating func add(book other: FileSidecars) {
        if other.book == nil { return }
        (book, bookStamp) = (other.book, other.bookStamp)
        mix(UInt64(bitPattern: other.bookStamp))
    }

    /// Adds the list of chapters that the speaker made.
    mutating func add(madeChapters path: String) {
        guard let status = try? FileStatus(path: path) else { return }
        madeChapters = path
        var hash = StableHash()
        hash.add(status.bytes)
        hash.add(status.modifiedSeconds)
        mix(hash.value)
    }

    private mutating func mix(_ other: UInt64) {
        stamp = Int64(bitPattern: (UInt64(bitPattern: stamp) ^ other) &* 0x100_0000_01B3 | 1)
    }
}

/// The pictures and lists of chapters in a folder, by the names of their audio files, ignoring case. It asks the disk only for those in
/// use, once each. Worker.
final class SidecarFolder {
    private struct Beside {
        /// The name in lower case.
        let key: [UInt8]
        let name: String
        /// A number that changes with the file; 0 for an unreadable one. nil until asked for.
        var stamp: UInt64?
    }

    private static let chaptersEnd = ".chapters.json"
    private static let chaptersAlone = "chapters.json"
    /// The limit of files: a folder with more is no library's, and the rest is ignored.
    private static let most = 20_000

    private let path: String
    /// The files, ordered by key once all are known.
    private var besides: [Beside] = []
    private var audioFiles = 0
    private var cueSheets = 0
    private var cueSheet: Int?
    private var folderPicture: (rank: Int, place: Int)?
    private var folderPicturePath: String?
    /// The talking book's index file, by its position in `besides`, and a stamp of all the book's files.
    private var book: (place: Int, stamp: UInt64)?
    private var hasBook = false

    init(_ path: String) { self.path = path }

    func take(_ name: String, isAudio: Bool) {
        if isAudio {
            audioFiles += 1
            return
        }
        let pathExtension = name.pathExtension
        let isCue = pathExtension == "cue"
        let isPiece = TalkingBook.isPiece(name)
        if isPiece && TalkingBook.isIndex(name) { hasBook = true }
        guard isCue || isPiece || FolderPicture.isPicture(pathExtension) || pathExtension == "json",
            besides.count < SidecarFolder.most
        else { return }
        let key = FolderPicture.lower(name)
        if pathExtension == "json" && !SidecarFolder.isChapters(key) { return }
        if isCue { cueSheets += 1 }
        besides.append(Beside(key: key, name: name))
    }

    private static func isChapters(_ key: [UInt8]) -> Bool {
        key.elementsEqual(chaptersAlone.utf8)
            || key.count > chaptersEnd.utf8.count && key.suffix(chaptersEnd.utf8.count).elementsEqual(chaptersEnd.utf8)
    }

    func finish() {
        if !hasBook { besides.removeAll { TalkingBook.isPiece($0.name) } }
        besides.sort { $0.key == $1.key ? false : $0.key.lexicographicallyPrecedes($1.key) }
        cueSheet = besides.firstIndex { $0.name.pathExtension == "cue" }
        for (place, beside) in besides.enumerated() {
            guard let rank = FolderPicture.rank(beside.key), rank < folderPicture?.rank ?? .max else { continue }
            folderPicture = (rank, place)
        }
    }

    func sidecars(of name: String) -> FileSidecars {
        var sidecars = FileSidecars()
        if besides.isEmpty { return sidecars }
        let stem = FolderPicture.lower(name.pathStem)
        var stamp: UInt64 = 0
        if let place = [".jpg", ".jpeg", ".png"].lazy.compactMap({ self.place(of: stem, $0) }).first {
            if use(place, &stamp) { sidecars.picture = path(of: place) }
        }
        if sidecars.picture == nil, let place = folderPicture?.place {
            if use(place, &stamp) {
                let picture = folderPicturePath ?? path(of: place)
                folderPicturePath = picture
                sidecars.picture = picture
            }
        }
        for place in chapterPlaces(stem, name) where sidecars.chapters == nil {
            if use(place, &stamp) { sidecars.chapters = path(of: place) }
        }
        if sidecars.chapters == nil, audioFiles > 1, cueSheets == 1, let place = cueSheet {
            if use(place, &stamp) { sidecars.chapters = path(of: place) }
            sidecars.isShared = true
        }
        if hasBook, let (place, own) = bookPlace() {
            sidecars.book = path(of: place)
            sidecars.bookStamp = Int64(bitPattern: own)
            stamp = (stamp ^ own) &* 0x100_0000_01B3 | 1
        }
        sidecars.stamp = Int64(bitPattern: stamp)
        return sidecars
    }

    /// Returns the talking book of the folder. Its files count as a whole, and are checked once: its index may be copied before the rest.
    private func bookPlace() -> (place: Int, stamp: UInt64)? {
        if let book { return book }
        let index = TalkingBook.index(in: besides.lazy.map { $0.name })
        guard let index, let place = besides.firstIndex(where: { $0.name.utf8.elementsEqual(index.utf8) }) else {
            hasBook = false
            return nil
        }
        var all: UInt64 = 0
        for piece in besides.indices where TalkingBook.isPiece(besides[piece].name) { _ = use(piece, &all) }
        book = (place, all)
        return book
    }

    /// Returns the positions of possible lists of chapters, the best first.
    private func chapterPlaces(_ stem: [UInt8], _ name: String) -> [Int] {
        var places: [Int?] = [place(of: stem, SidecarFolder.chaptersEnd)]
        if audioFiles == 1 { places.append(place(of: [], SidecarFolder.chaptersAlone)) }
        places.append(place(of: stem, ".cue"))
        places.append(place(of: FolderPicture.lower(name), ".cue"))
        if audioFiles == 1 && cueSheets == 1 {
            places.append(cueSheet)
        }
        return places.compactMap { $0 }
    }

    private func path(of place: Int) -> String { path.appending(name: besides[place].name) }

    /// Mixes a file's stamp into the stamp; false if the file is unreadable.
    private func use(_ place: Int, _ stamp: inout UInt64) -> Bool {
        let own = besides[place].stamp ?? self.stamp(of: place)
        besides[place].stamp = own
        if own == 0 { return false }
        stamp = (stamp ^ own) &* 0x100_0000_01B3 | 1
        return true
    }

    /// Returns a stamp of name, length and time.
    private func stamp(of place: Int) -> UInt64 {
        let beside = besides[place]
        guard let status = try? FileStatus(path: path(of: place)), status.isRegularFile else {
            return 0
        }
        var hash = StableHash()
        hash.add(beside.name)
        hash.add(status.bytes)
        hash.add(status.modifiedSeconds)
        return hash.value | 1
    }

    /// Returns the place of the file with this name in lower case, in two parts; nil for none.
    private func place(of stem: [UInt8], _ end: String) -> Int? {
        let key = stem + end.utf8
        var (low, high) = (0, besides.count)
        while low < high {
            let middle = (low + high) / 2
            if besides[middle].key.lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
        }
        return low < besides.count && besides[low].key == key ? low : nil
    }
}
