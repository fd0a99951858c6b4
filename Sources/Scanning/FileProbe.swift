// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Posix

/// A file without audio, or an unreadable one.
struct ProbeError: Error {
    let message: String
    /// True if the file is no audio, and stays none until it changes.
    let isFinal: Bool
}

/// Probes one file for the library. Worker; reads some 60 KB of a file of any length.
final class FileProbe {
    /// The last requested picture: the files of a folder share one.
    private var lastCover: (path: String, stamp: Int64, cover: Cover?)?
    /// The talking book of the last folder; `book` is nil if its index names none.
    private var lastBook: (path: String, stamp: Int64, book: TalkingBook?)?
    /// The book being read.
    private var reading: (path: String, book: TalkingBookReading)?

    /// Reads the talking book of a file, if it has one, some milliseconds at a time.
    /// - Returns: true once a probe is possible.
    func prepare(_ file: FoundFile, _ problems: inout [String]) -> Bool {
        guard let path = file.sidecars.book else { return true }
        if let lastBook, lastBook.stamp == file.sidecars.bookStamp, lastBook.path.utf8.elementsEqual(path.utf8) {
            return true
        }
        if Fuse.refuses(path) {
            lastBook = (path, file.sidecars.bookStamp, nil)
            return true
        }
        let mark = Fuse.begin(path)
        defer { Fuse.end(mark) }
        let isBegun = reading?.path.utf8.elementsEqual(path.utf8) ?? false
        let book = isBegun ? reading!.book : TalkingBookReading(path: path)
        reading = (path, book)
        if !book.step() { return false }
        problems += book.problems
        lastBook = (path, file.sidecars.bookStamp, book.book)
        reading = nil
        return true
    }

    /// - Parameter problems: gets the faults of the files beside it; the file counts all the same.
    func probe(_ file: FoundFile, _ problems: inout [String]) throws(ProbeError) -> Probe {
        if Fuse.refuses(file.path) {
            throw ProbeError(
                message: "\(file.path): has ended the speaker, and is passed over until it changes", isFinal: true)
        }
        let book = file.sidecars.book == nil ? nil : lastBook?.book
        if let book, let protection = book.protection {
            throw ProbeError(message: "\(file.sidecars.book ?? "") \(protection)", isFinal: true)
        }
        let mark = Fuse.begin(file.path)
        defer { Fuse.end(mark) }
        let source: FileSource
        do throws(SourceError) { source = try FileSource(path: file.path) } catch {
            throw ProbeError(message: error.cause.message, isFinal: false)
        }
        let found: MediaProbe
        do throws(MediaError) { found = try MediaProbe(source) } catch {
            switch error {
            case .source(let error): throw ProbeError(message: error.cause.message, isFinal: false)
            case .noAudio, .damaged: throw ProbeError(message: "\(file.path): no audio found in it", isFinal: true)
            case .unsupported(let what):
                throw ProbeError(message: "\(file.path): is \(what), which cannot be played", isFinal: true)
            case .noLibrary(let library):
                throw ProbeError(message: "\(file.path): \(library.message)", isFinal: false)
            }
        }
        let content = found.content(of: source)
        let identity = ContentIdentity(audioStart: found.audio.start, audioEnd: found.audio.end) { offset, buffer in
            (try? content.read(into: buffer, at: offset)) ?? -1
        }
        guard let identity else {
            throw ProbeError(message: "read \(file.path): cannot be read to its end", isFinal: false)
        }
        var tags = found.tags.list
        let place = book?.place(of: file.path.pathName)
        var chapters: [Chapter] = []
        if let book, let place {
            chapters = book.parts[place].chapters.clamped(to: found.durationMilliseconds)
            tags = book.tags(of: place, own: tags)
        }
        if chapters.isEmpty { chapters = self.chapters(of: file, found, &tags, &problems) }
        tags.append(.format, "\(found.sampleRate):16:\(found.channels)")
        let cover = found.tags.cover
        let picture = file.sidecars.picture ?? book?.cover
        var probe = Probe(
            identity: identity, path: file.path, fileBytes: file.bytes, fileModifiedSeconds: file.modifiedSeconds,
            tags: tags, durationMilliseconds: found.durationMilliseconds,
            artwork: cover != nil ? "embedded" : picture,
            cover: cover ?? picture.flatMap { self.cover($0, file.sidecars.stamp) }, chapters: chapters,
            sidecarStamp: file.sidecars.stamp)
        if let book, let place { probe.pages = book.parts[place].pages.clamped(to: found.durationMilliseconds) }
        probe.loudness = found.tags.gains.loudness
        return probe
    }

    private func cover(_ path: String, _ stamp: Int64) -> Cover? {
        if let last = lastCover, last.stamp == stamp, last.path.utf8.elementsEqual(path.utf8) {
            return last.cover
        }
        let cover = Cover(file: path)
        lastCover = (path, stamp, cover)
        return cover
    }

    /// Returns the file's chapters. A list beside the file takes precedence over the inner one.
    /// - Parameter tags: gets the sheet's facts about the whole, if the file has none.
    private func chapters(
        of file: FoundFile, _ found: MediaProbe, _ tags: inout TagList, _ problems: inout [String]
    ) -> [Chapter] {
        guard let path = file.sidecars.chapters else {
            if found.tags.chapters.isEmpty, let path = file.sidecars.madeChapters,
                let made = try? SidecarChapters(path, audioName: file.path.pathName)
            {
                return within(found, made.chapters, path, &problems)
            }
            return within(found, found.tags.chapters, file.path, &problems)
        }
        do throws(PosixError) {
            let beside = try SidecarChapters(
                path, audioName: file.path.pathName, isShared: file.sidecars.isShared)
            for (tag, value) in beside.tags.all where tags[tag] == nil { tags.append(tag, value) }
            if !beside.chapters.isEmpty { return within(found, beside.chapters, path, &problems) }
            if !file.sidecars.isShared { problems.append("\(path): no chapters found in it") }
        } catch { problems.append(error.message) }
        return within(found, found.tags.chapters, file.path, &problems)
    }

    /// Returns the chapters without those beyond the audio's end, as far as its length is known.
    private func within(
        _ found: MediaProbe, _ chapters: [Chapter], _ path: String, _ problems: inout [String]
    ) -> [Chapter] {
        let inside = chapters.within(found.durationMilliseconds)
        if inside.count < chapters.count {
            problems.append(
                "\(path): \(chapters.count - inside.count) of \(chapters.count) chapters begin behind the end of the audio and are left out"
            )
        }
        return inside
    }
}
