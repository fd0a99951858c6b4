// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import Text

/// Chapters from a cue sheet: each `TRACK` with its `TITLE`, from its `INDEX 01` on, in minutes, seconds and frames of a 75th of a second
/// (CDRWIN's format).
struct CueSheet {
    private var list = ChapterList()
    /// The sheet's tags before its first track. Its title is the album's; in a sheet for one file it is that file's. In a sheet for several
    /// files, the title of a file's only track is the file's.
    private(set) var tags = TagList()

    /// - Parameters:
    ///   - bytes: the whole sheet in any encoding.
    ///   - audioName: the audio file. In a sheet for several files only this file's part counts. A sheet for one file counts completely,
    ///     since it was often made for another format.
    ///   - isShared: true if the sheet has another name than the file, and counts only if it names the file.
    init(_ bytes: [UInt8], audioName: String, isShared: Bool = false) {
        let text = TextDecoding.utf8(from: bytes)
        let files = CueSheet.count(files: text)
        var isOurs = !isShared
        var isNamed = false
        var tracks = 0
        var onlyTitle = ""
        var title: [UInt8] = []
        var isInTrack = false
        var hasTrack = false
        CueSheet.visitLines(text) { word, rest in
            switch word {
            case "FILE":
                let isSame = CueSheet.isSame(CueSheet.quoted(rest), audioName)
                isNamed = isNamed || isSame
                isOurs = isSame || files < 2 && !isShared
            case "TRACK":
                if isOurs { tracks += 1 }
                hasTrack = true
                isInTrack = true
                title = []
            case "TITLE" where hasTrack:
                if isInTrack { title = Array(CueSheet.quoted(rest)) }
                if isInTrack && isOurs { onlyTitle = CueSheet.text(rest) }
            case "TITLE":
                let text = CueSheet.text(rest)
                if files < 2 { tags.append(.title, text) }
                tags.append(.album, text)
            case "PERFORMER" where !hasTrack: tags.append(.artist, CueSheet.text(rest))
            case "INDEX":
                guard isOurs, isInTrack, let start = CueSheet.start(rest) else { return }
                list.add(start, title)
                isInTrack = false
            default: break
            }
        }
        if isShared && tracks < 2 { list = ChapterList() }
        if isShared && !isNamed { tags = TagList() } else if files > 1 && tracks == 1 { tags.append(.title, onlyTitle) }
    }

    var chapters: [Chapter] { list.sorted() }

    private static func count(files text: [UInt8]) -> Int {
        var count = 0
        visitLines(text) { word, _ in if word == "FILE" { count += 1 } }
        return count
    }

    /// Calls `body` with the upper-case command of each line and the rest of the line.
    private static func visitLines(_ text: [UInt8], _ body: (String, ArraySlice<UInt8>) -> Void) {
        var at = 0
        while at < text.count {
            var end = at
            while end < text.count && text[end] != 0x0A && text[end] != 0x0D { end += 1 }
            let line = text[at..<end].drop { $0.isSpace }
            at = end + 1
            let word = line.prefix(10).prefix { $0.isLetter }
            if word.count < 4 || word.count > 9 { continue }
            let upper = String(decoding: word.map { $0 & ~0x20 }, as: UTF8.self)
            body(upper, line[word.endIndex...].drop { $0.isSpace })
        }
    }

    /// Returns the text from the first to the last quote, so that inner quotes do no harm. Without quotes, returns everything up to the
    /// file type.
    private static func quoted(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let quote = UInt8(ascii: "\"")
        if rest.first == quote, let last = rest.lastIndex(of: quote), last > rest.startIndex {
            return rest[rest.index(after: rest.startIndex)..<last]
        }
        return rest
    }

    private static func text(_ rest: ArraySlice<UInt8>) -> String {
        String(decoding: TagTexts.tidy(Array(quoted(rest))), as: UTF8.self)
    }

    /// Compares the names alone, without case and extension. A file type without quotes may follow.
    private static func isSame(_ path: ArraySlice<UInt8>, _ audioName: String) -> Bool {
        let slash = path.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        let name = path[(slash.map { path.index(after: $0) } ?? path.startIndex)...]
        func folded(_ byte: UInt8) -> UInt8 { byte.isLetter ? byte | 0x20 : byte }
        let wanted = audioName.pathStem.utf8.map(folded)
        let said = name.map(folded)
        guard said.starts(with: wanted) else { return false }
        var rest = said.dropFirst(wanted.count)
        if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst().drop { $0.isLetter || $0.isDigit } }
        return rest.isEmpty || rest.first == 0x20
    }

    /// Returns the milliseconds of "01 12:34:56"; nil for another index.
    private static func start(_ rest: ArraySlice<UInt8>) -> Int? {
        var numbers: [Int64] = []
        for part in rest.split(maxSplits: 5, whereSeparator: { $0 == UInt8(ascii: ":") || $0.isSpace }) {
            guard let number = Int64(digits: part, most: 6) else { break }
            numbers.append(number)
        }
        guard numbers.count >= 4, numbers[0] == 1, numbers[2] < 60, numbers[3] < 75 else { return nil }
        return Int(exactly: (numbers[1] * 60 + numbers[2]) * 1000 + numbers[3] * 1000 / 75)
    }
}
