// SPDX-License-Identifier: Apache-2.0
import Core
import Expat
import Posix

/// Reads a talking book's files, in steps: its index, its NCX if it has one, and its SMIL files in reading order. Any one thread.
///
/// It reads damaged books as far as possible. Names are compared as in `BookFiles`.
public final class TalkingBookReading {
    /// One phrase: a `par`'s part of the requested audio file.
    public struct Phrase: Sendable {
        public var startMilliseconds: Int
        /// The end; nil for the file's end.
        public var endMilliseconds: Int?
        /// The file and the element with its words; nil without them.
        public let text: (file: String, id: String)?
        /// The skippable parts that contain it.
        public let parts: SkippableParts
    }

    private static let pieceBytes = 1 << 15
    /// The most small files to read in a step.
    private static let filesInStep = 8
    /// The largest file: a book with its text in the index has a megabyte.
    private static let mostFileBytes: Int64 = 16 << 20
    /// The limit of all files together.
    private static let mostBytes: Int64 = 128 << 20
    /// The size from which a file is searched for a name before it is read.
    private static let mostSearchedBytes: Int64 = 1 << 20
    private static let mostPhrases = 200_000
    private static let mostMissing = 5

    /// The book; nil until everything is read, or if nothing in the index is heard.
    public private(set) var book: TalkingBook?
    /// The phrases of the requested audio file, in the order of the SMIL files.
    public private(set) var phrases: [Phrase] = []
    /// The problems, one line each, with the path.
    public private(set) var problems: [String] = []

    private enum Phase { case folder, index, contents, smil, over }
    private let path: String
    /// The audio file with the requested phrases; nil to read the book.
    private let audioName: String?
    private var phase = Phase.folder
    private var files: BookFiles?
    private var index = BookIndex()
    private var indexReader: (any BookIndexReader)?
    private var package: PackageReader?
    /// The first mark of each SMIL file, and after each mark the next of the same file; -1 after the last.
    private var firstMarks: [String: Int] = [:]
    private var nextMarks: [Int] = []
    private var nextSMIL = 0
    private var smil: SMILReader?

    // The present file.
    private var file: FileSource?
    private var filePath = ""
    private var stream: XMLStream?
    private var offset: Int64 = 0
    private var bytesLeft = TalkingBookReading.mostBytes
    /// The walk through an index that is not XML.
    private var walk: MarkupWalk?

    private var made = TalkingBook()
    private var parts: [String: Int] = [:]
    private var lists: [(chapters: ChapterList, pages: ChapterList)] = []
    /// The marks after which nothing was heard yet.
    private var loose: [Int] = []
    private var missing: [String] = []
    private var missingCount = 0

    /// - Parameters:
    ///   - path: the path of its index; see `TalkingBook.index`.
    ///   - audioName: the file for which phrases are read, instead of the book.
    public init(path: String, audioName: String? = nil) {
        self.path = path
        self.audioName = audioName
    }

    /// Does some milliseconds of work, or some disk accesses. Returns true when done.
    public func step() -> Bool {
        let end = bytesLeft - Int64(TalkingBookReading.pieceBytes)
        for _ in 0..<TalkingBookReading.filesInStep where bytesLeft > end {
            switch phase {
            case .folder: lookAround()
            case .index, .contents, .smil: goOn()
            case .over: break
            }
        }
        return phase == .over
    }

    private func lookAround() {
        let files: BookFiles
        do throws(SourceError) { files = try BookFiles(index: path) } catch {
            problems.append(error.cause.message)
            phase = .over
            return
        }
        self.files = files
        // The authorization object of PDTB.
        if files.names.contains(where: { $0.pathExtension == "ao" }) { return protect() }
        if EPUB.isPackage(path) {
            if let protection = EPUB.protection(path) { return protect(protection) }
            let reader = PackageReader()
            (package, indexReader) = (reader, reader)
        } else {
            indexReader = NCCReader()
        }
        phase = .index
    }

    // MARK: Files

    private func goOn() {
        if file == nil && !open() { return }
        guard let file else { return }
        if let reader = indexReader, walk != nil {
            if walk?.step(reader, bytes: TalkingBookReading.pieceBytes) == true { didRead() }
            return
        }
        var isOver = false
        do throws(SourceError) {
            let piece = try file.bytes(at: offset, count: TalkingBookReading.pieceBytes)
            offset += Int64(piece.count)
            bytesLeft -= Int64(piece.count)
            let isLast = piece.count < TalkingBookReading.pieceBytes
            let isTooLong = offset > TalkingBookReading.mostFileBytes || bytesLeft < 0
            isOver = isLast || isTooLong
            if isTooLong { say("\(filePath): too long for a part of a talking book") }
            do throws(XMLError) { try stream?.take(piece, isLast: isLast) } catch {
                if beginWalk(file) { return }
                // The reader has enough.
                if !error.message.isEmpty { say("\(filePath): \(error.message)") }
                isOver = true
            }
        } catch {
            say(error.cause.message)
            isOver = true
        }
        if isOver { didRead() }
    }

    /// Opens the next file, or records that it is missing. Returns true if one is open.
    private func open() -> Bool {
        let reader: any XMLReader
        switch phase {
        case .index:
            guard let indexReader else { return end() }
            reader = indexReader
            filePath = path
        case .contents:
            guard let package, let found = files?.path(of: package.contents) else { return beginSMIL() }
            let contents: any BookIndexReader =
                package.isNav ? NavReader(package.index) : NCXReader(package.index, isForTests: audioName != nil)
            (indexReader, reader) = (contents, contents)
            filePath = found
        case .smil:
            guard nextSMIL < index.spine.count else { return end() }
            let named = index.spine[nextSMIL].lowerCase
            nextSMIL += 1
            guard let found = files?.path(of: named) else {
                if !index.facts.isOneOfSeveral { miss(index.spine[nextSMIL - 1]) }
                return false
            }
            filePath = found
            if isWithoutAudio(filePath) { return false }
            var wanted: [String: Int] = [:]
            if audioName == nil { forEachMark(of: named) { wanted[index.marks[$0].link.id] = -1 } }
            let made = SMILReader(
                wanted: wanted, areTexts: index.isOfTexts, tests: audioName.map { _ in index.tests },
                marked: audioName == nil ? [:] : index.marked, name: named)
            (smil, reader) = (made, made)
        case .folder, .over: return false
        }
        do throws(SourceError) { file = try FileSource(path: filePath) } catch {
            say(error.cause.message)
            didRead()
            return false
        }
        do throws(XMLError) { stream = try XMLStream(reader) } catch {
            say("\(path): \(error.message)")
            return end()
        }
        offset = 0
        return true
    }

    /// Returns true if a file certainly does not name the requested audio. Most files of a book are skipped this way.
    private func isWithoutAudio(_ path: String) -> Bool {
        guard let audioName, let source = try? FileSource(path: path), let length = source.byteCount,
            length <= TalkingBookReading.mostSearchedBytes,
            let bytes = try? source.bytes(at: 0, count: Int(length))
        else { return false }
        let wanted = Array(audioName.utf8).map { $0.lowerCase }
        guard let first = wanted.first, wanted.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "&") }) else {
            return false
        }
        // The name may be escaped.
        if bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "&") || $0 == 0 }) { return false }
        bytesLeft -= length
        var at = 0
        while at + wanted.count <= bytes.count {
            if bytes[at].lowerCase == first,
                zip(bytes[at..<at + wanted.count], wanted).allSatisfy({ $0.lowerCase == $1 })
            {
                return false
            }
            at += 1
        }
        return true
    }

    /// Reads an index that is not XML once more, as a browser would.
    private func beginWalk(_ file: FileSource) -> Bool {
        guard phase == .index, package == nil, let length = file.byteCount,
            length <= TalkingBookReading.mostFileBytes, let bytes = try? file.bytes(at: 0, count: Int(length))
        else { return false }
        indexReader = NCCReader()
        walk = MarkupWalk(bytes)
        return true
    }

    private func didRead() {
        (file, stream, walk) = (nil, nil, nil)
        if bytesLeft < 0 { nextSMIL = index.spine.count }
        switch phase {
        case .index, .contents:
            index = indexReader?.index ?? index
            if index.isEncrypted { return protect() }
            // An EPUB's contents are irrelevant for the phrases of one file.
            let isTold = audioName != nil && package?.isNav == true
            if phase == .index, package != nil, !isTold, !index.spine.isEmpty {
                phase = .contents
            } else {
                _ = beginSMIL()
            }
        case .smil:
            if let smil { take(smil) }
            smil = nil
        case .folder, .over: break
        }
    }

    private func beginSMIL() -> Bool {
        indexReader = nil
        phase = .smil
        nextMarks = [Int](repeating: -1, count: index.marks.count)
        for place in index.marks.indices.reversed() {
            let key = index.marks[place].link.file.lowerCase
            nextMarks[place] = firstMarks[key] ?? -1
            firstMarks[key] = place
        }
        made.facts = index.facts
        made.cover = files?.path(of: index.cover)
        return false
    }

    // MARK: What was read

    private func take(_ smil: SMILReader) {
        if smil.isEncrypted { return protect() }
        if let audioName { return take(smil.clips, of: audioName.lowerCase) }
        let heardIn = smil.clips.map { part(of: $0.file) }
        /// The first audible clip at or after each.
        var heard = [Int?](repeating: nil, count: heardIn.count)
        for clip in heardIn.indices.reversed() {
            heard[clip] = heardIn[clip] != nil ? clip : clip + 1 < heard.count ? heard[clip + 1] : nil
        }
        let before = loose
        loose = []
        // Add these last, so that a heading without sound does not hide the one that begins there.
        defer {
            if let first = heard.first.flatMap({ $0 }) {
                for mark in before { add(mark, heardIn[first], smil.clips[first].startMilliseconds) }
            } else {
                loose = before + loose
            }
        }
        forEachMark(of: index.spine[nextSMIL - 1].lowerCase) { mark in
            let (id, level) = (index.marks[mark].link.id, index.marks[mark].level)
            var place = id.isEmpty ? 0 : smil.anchors[id] ?? -1
            // The element itself is not read, but something in it or after it may be.
            if place < 0 && index.isOfTexts && level > 0 { place = 0 }
            guard place >= 0, place < heard.count, let clip = heard[place] else { return loose.append(mark) }
            add(mark, heardIn[clip], smil.clips[clip].startMilliseconds)
        }
    }

    /// Visits the marks in their order.
    private func forEachMark(of file: String, _ body: (Int) -> Void) {
        var mark = firstMarks[file] ?? -1
        while mark >= 0 {
            body(mark)
            mark = nextMarks[mark]
        }
    }

    private func add(_ mark: Int, _ part: Int?, _ milliseconds: Int) {
        guard let part else { return }
        let mark = index.marks[mark]
        if mark.level == 0 {
            lists[part].pages.add(milliseconds, mark.title)
        } else {
            lists[part].chapters.add(milliseconds, mark.title, level: mark.level)
        }
    }

    /// Returns the index of a file; nil if it does not exist.
    private func part(of file: String) -> Int? {
        let key = file.lowerCase
        if let known = parts[key] { return known < 0 ? nil : known }
        guard let name = files?.name(of: file) else {
            if parts.count < BookIndex.mostFiles * 2 { parts[key] = -1 }
            miss(file)
            return nil
        }
        guard made.parts.count < BookIndex.mostFiles else { return nil }
        parts[key] = made.parts.count
        made.parts.append(TalkingBook.Part(name: name))
        lists.append((ChapterList(), ChapterList()))
        return made.parts.count - 1
    }

    private func take(_ clips: [BookClip], of wanted: String) {
        var isOpen = false
        for clip in clips {
            if clip.isFirst { isOpen = false }
            if !clip.file.lowerCase.utf8.elementsEqual(wanted.utf8) { continue }
            let end = clip.endMilliseconds.flatMap { $0 > clip.startMilliseconds ? $0 : nil }
            if isOpen, let last = phrases.indices.last {
                // A phrase may consist of several pieces.
                phrases[last].startMilliseconds = min(phrases[last].startMilliseconds, clip.startMilliseconds)
                phrases[last].endMilliseconds = end.flatMap { end in phrases[last].endMilliseconds.map { max($0, end) }
                }
            } else if phrases.count < TalkingBookReading.mostPhrases {
                phrases.append(
                    Phrase(
                        startMilliseconds: clip.startMilliseconds, endMilliseconds: end,
                        text: clip.text.map { ($0.file, $0.id) }, parts: clip.parts))
                isOpen = true
            }
        }
    }

    private func miss(_ file: String) {
        if audioName != nil { return }
        missingCount += 1
        if missing.count < TalkingBookReading.mostMissing { missing.append(file) }
    }

    private func say(_ problem: String) {
        if problems.count < TalkingBookReading.mostMissing { problems.append(problem) }
    }

    private func protect(
        _ words: String =
            "is a protected talking book (PDTB): it is encrypted, and only a player that was given its key can read it"
    ) {
        made.protection = words
        book = made
        phase = .over
    }

    private func end() -> Bool {
        phase = .over
        (file, stream, smil, indexReader) = (nil, nil, nil, nil)
        if audioName != nil || made.parts.isEmpty { return false }
        var running = ""
        for place in made.parts.indices {
            let chapters = lists[place].chapters.sorted()
            made.parts[place].chapters = chapters
            made.parts[place].pages = lists[place].pages.sorted()
            let goesOn = !running.isEmpty && chapters.first?.startMilliseconds ?? .max > TalkingBookReading.lateHeading
            made.parts[place].title = goesOn ? running : chapters.first?.title ?? running
            running = chapters.last?.title ?? running
        }
        addOthers()
        if missingCount > 0 {
            let rest = missingCount > missing.count ? ", …" : ""
            problems.append(
                "\(path): names \(missingCount) \(missingCount == 1 ? "file that is" : "files that are") not there: "
                    + missing.joined(separator: ", ") + rest)
        }
        book = made
        return false
    }

    /// The milliseconds after which a first heading counts as late. The file is then named after the heading before it.
    private static let lateHeading = 10_000

    /// Appends audio that the book does not name, so that its own numbering does not confuse the order.
    private func addOthers() {
        for path in files?.names ?? [] where MediaFormats.isAudio(suffix: path.pathExtension) {
            let name = path.pathName
            if parts[name.lowerCase] == nil { made.parts.append(TalkingBook.Part(name: name)) }
        }
    }
}
