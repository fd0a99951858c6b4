// SPDX-License-Identifier: Apache-2.0
import Media
import Posix

/// Finds and reads the transcript of an audio file, in steps: files beside it first, best first, then embedded lyrics, then the words that
/// the speaker has aligned itself. An unusable one gives a warning, and the next is tried. Any one thread.
public final class TranscriptReading {
    /// The largest file: a book of 40 hours with all of whisper.cpp's details for every syllable.
    private static let mostBytes: Int64 = 64 << 20

    /// The transcript; nil if there is no usable one.
    public private(set) var transcript: Transcript?
    /// The warnings, one line each.
    public private(set) var warnings: [String] = []

    private enum Phase { case folder, sidecars, reading, settling, book, embedded, made, over }

    private let audioPath: String
    private let durationMilliseconds: Int?
    /// The aligned words; nil once they were tried.
    private var made: MadeWords?
    private var phase = Phase.folder
    /// The names of the files beside it that are still to be tried, the best last.
    private var names: [String] = []
    /// The present file.
    private var path = ""
    private var file: FileSource?
    private var offset: Int64 = 0
    private var parser: TranscriptParser?
    private var embedded: EmbeddedLyrics?
    /// The index of the talking book in the folder.
    private var bookPath: String?
    private var book: TalkingBookTranscript?

    /// - Parameter made: the speaker's aligned words; nil if it makes none.
    public init(audioPath: String, durationMilliseconds: Int?, made: MadeWords? = nil) {
        self.made = made
        self.audioPath = audioPath
        self.durationMilliseconds = durationMilliseconds
    }

    /// Does some milliseconds of work, or one disk access. Returns true when done. To cancel, do not call it again.
    public func step() -> Bool {
        if phase == .embedded && Fuse.refuses(audioPath) { phase = .made }
        let mark = Fuse.begin(audioPath)
        defer { Fuse.end(mark) }
        do throws(TranscriptError) {
            switch phase {
            case .folder: lookAround()
            case .sidecars: open()
            case .reading: try read()
            case .settling: try settle()
            case .book: readBook()
            case .embedded: readEmbedded()
            case .made: openMade()
            case .over: break
            }
        } catch {
            warn(error.message)
        }
        // A transcript beside the book does not tell the skippable parts.
        if transcript != nil { phase = bookPath == nil ? .over : .book }
        return phase == .over
    }

    private func lookAround() {
        let all = (try? Files.names(inFolder: audioPath.pathFolder)) ?? []
        let alike = Sidecars.namesAlike(audioPath.pathName, in: all)
        names = Sidecars(folder: alike).names(for: audioPath.pathName).reversed()
        bookPath = TalkingBook.index(ofAudio: audioPath, beside: all)
        phase = .sidecars
    }

    private func open() {
        guard let name = names.popLast() else {
            phase = bookPath == nil ? .embedded : .book
            return
        }
        open(audioPath.pathFolder + "/" + name, TranscriptFormat(fileName: name))
    }

    private func open(_ path: String, _ format: TranscriptFormat?) {
        self.path = path
        do throws(SourceError) {
            let opened = try FileSource(path: path)
            let bytes = opened.byteCount ?? 0
            if bytes > TranscriptReading.mostBytes {
                warn("too large for a transcript: \(bytes) bytes")
                return
            }
            file = opened
            parser = TranscriptParser(
                named: format, bytesInFile: Int(bytes),
                durationMilliseconds: durationMilliseconds)
            offset = 0
            phase = .reading
        } catch {
            warnings.append(error.cause.message)
        }
    }

    private func read() throws(TranscriptError) {
        let piece: [UInt8]
        do throws(SourceError) { piece = try file?.bytes(at: offset, count: Transcript.pieceBytes) ?? [] } catch {
            throw TranscriptError(message: error.cause.message)
        }
        offset += Int64(piece.count)
        if offset > TranscriptReading.mostBytes { throw TranscriptError(message: "too large for a transcript") }
        if !piece.isEmpty {
            try parser?.take(piece)
        } else if try parser?.finish() == true {
            offset = 0
        } else {
            file = nil
            phase = .settling
        }
    }

    private func settle() throws(TranscriptError) { transcript = try parser?.step() }

    /// Records a warning and moves to the next file.
    private func warn(_ message: String) {
        warnings.append("transcript \(path): \(message)")
        file = nil
        parser = nil
        phase = .sidecars
    }

    private func readBook() {
        let reading =
            book
            ?? TalkingBookTranscript(
                index: bookPath ?? "", audioName: audioPath.pathName, durationMilliseconds: durationMilliseconds,
                readsWords: transcript == nil)
        book = reading
        if !reading.step() { return }
        warnings += reading.warnings
        if transcript == nil { transcript = reading.transcript } else { transcript?.skippable = reading.skippable }
        (book, bookPath) = (nil, nil)
        phase = .embedded
    }

    private func readEmbedded() {
        if embedded == nil {
            guard let file = try? FileSource(path: audioPath) else {
                phase = .made
                return
            }
            embedded = EmbeddedLyrics(file, durationMilliseconds: durationMilliseconds)
        }
        if embedded?.step() == true {
            transcript = embedded?.transcript
            phase = .made
        }
    }

    private func openMade() {
        phase = .over
        guard let path = made.take()?.path(for: audioPath), Files.exists(path) else { return }
        open(path, .webVTT)
    }
}
