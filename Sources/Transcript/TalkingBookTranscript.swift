// SPDX-License-Identifier: Apache-2.0
import Core
import Expat
import Media
import Posix

/// Makes the transcript of one audio file of a talking book, in steps. Each `par` of its SMIL files is a segment, with the words of the
/// element that it names in the book's text. Without a text the segments are empty, and only mark the starts of phrases.
final class TalkingBookTranscript {
    private static let pieceBytes = 1 << 15
    /// The largest text file: a thousand pages with markup.
    private static let mostTextFileBytes: Int64 = 64 << 20
    private static let mostTextFiles = 100

    private(set) var transcript: Transcript?
    private(set) var warnings: [String] = []

    private enum Phase { case phrases, texts, putting, settling, over }
    private let durationMilliseconds: Int?
    private let index: String
    private let reading: TalkingBookReading
    private var phase = Phase.phrases
    /// The text files as the book names them, and the phrases with words in each.
    private var textFiles: [(name: String, wanted: [String: Int])] = []
    private var files: BookFiles?
    private let readsWords: Bool
    /// The words of each phrase.
    private var words: [[UInt8]] = []
    private var file: FileSource?
    private var offset: Int64 = 0
    private var reader: BookTextReader?
    private var stream: XMLStream?
    private var normalising: Normalising?

    /// - Parameters:
    ///   - index: the path of the book's index.
    ///   - readsWords: false if only the skippable parts are needed.
    init(index: String, audioName: String, durationMilliseconds: Int?, readsWords: Bool = true) {
        self.readsWords = readsWords
        self.index = index
        self.durationMilliseconds = durationMilliseconds
        reading = TalkingBookReading(path: index, audioName: audioName)
    }

    /// Returns true when done.
    func step() -> Bool {
        switch phase {
        case .phrases: if reading.step() { sortOut() }
        case .texts: readTexts()
        case .putting: put()
        case .settling:
            if let made = normalising?.step() {
                transcript = made.isEmpty ? nil : made
                transcript?.skippable = skippable
                phase = .over
            }
        case .over: break
        }
        return phase == .over
    }

    private func sortOut() {
        // The book's faults were reported when it was found.
        if reading.phrases.isEmpty || !readsWords {
            phase = .over
            return
        }
        words = [[UInt8]](repeating: [], count: reading.phrases.count)
        var places: [String: Int] = [:]
        for (phrase, text) in reading.phrases.lazy.map({ $0.text }).enumerated() {
            // The index of DAISY 2.02 has only headings: their words would stand for everything read below them.
            guard let text, !text.id.isEmpty, !TalkingBook.isIndex(text.file) else { continue }
            let key = text.file.lowerCase
            if places[key] == nil {
                if textFiles.count == TalkingBookTranscript.mostTextFiles { continue }
                places[key] = textFiles.count
                textFiles.append((text.file, [:]))
            }
            if let place = places[key], textFiles[place].wanted[text.id] == nil {
                textFiles[place].wanted[text.id] = phrase
            }
        }
        textFiles.reverse()
        phase = .texts
    }

    // MARK: Words

    private func readTexts() {
        guard let file, let stream else { return openText() }
        var isOver = false
        do throws(SourceError) {
            let piece = try file.bytes(at: offset, count: TalkingBookTranscript.pieceBytes)
            offset += Int64(piece.count)
            isOver = piece.isEmpty || offset > TalkingBookTranscript.mostTextFileBytes
            do throws(XMLError) { try stream.take(piece, isLast: piece.isEmpty) } catch {
                if reader?.refusal == nil { warnings.append("transcript \(index): \(error.message)") }
                isOver = true
            }
        } catch {
            warnings.append(error.cause.message)
            isOver = true
        }
        if !isOver { return }
        for (phrase, text) in reader?.texts ?? [] { words[phrase] = text }
        (self.file, self.stream, reader) = (nil, nil, nil)
    }

    private func openText() {
        guard let next = textFiles.popLast() else {
            phase = .putting
            return
        }
        if files == nil { files = try? BookFiles(index: index) }
        guard let path = files?.path(of: next.name) else {
            warnings.append("transcript \(index): the text is not there: \(next.name)")
            return
        }
        let made = BookTextReader(wanted: next.wanted)
        do throws(SourceError) { file = try FileSource(path: path) } catch {
            warnings.append(error.cause.message)
            return
        }
        do throws(XMLError) { stream = try XMLStream(made) } catch {
            warnings.append("transcript \(index): \(error.message)")
            file = nil
            return
        }
        reader = made
        offset = 0
    }

    // MARK: Segments

    private func put() {
        files = nil
        if words.allSatisfy({ $0.isEmpty }) {
            transcript = steps()
            transcript?.skippable = skippable
            phase = .over
            return
        }
        let list = CueList()
        list.readBytes = words.reduce(0) { $0 + $1.count }
        do throws(TranscriptError) {
            for (phrase, text) in zip(reading.phrases, words) where !text.isEmpty {
                list.text.begin()
                list.text.append(text, text.indices, markup: .none)
                if list.text.current.isEmpty { continue }
                try list.append(start: phrase.startMilliseconds, end: phrase.endMilliseconds)
            }
        } catch { warnings.append("transcript \(index): \(error.message)") }
        words = []
        normalising = Normalising(list, joiningWords: false, durationMilliseconds: durationMilliseconds)
        phase = .settling
    }

    /// The skippable phrases, with adjacent ones joined. A phrase without an end lasts until the next one.
    var skippable: [(milliseconds: Range<Int>, parts: SkippableParts)] {
        let most = min(durationMilliseconds ?? .max, Int(Cue.latestMilliseconds))
        var found: [(milliseconds: Range<Int>, parts: SkippableParts)] = []
        for (place, phrase) in reading.phrases.enumerated() where !phrase.parts.isEmpty {
            let next = place + 1 < reading.phrases.count ? reading.phrases[place + 1].startMilliseconds : most
            let (start, end) = (max(0, phrase.startMilliseconds), min(phrase.endMilliseconds ?? next, most))
            if start < end { found.append((start..<end, phrase.parts)) }
        }
        found.sort { $0.milliseconds.lowerBound < $1.milliseconds.lowerBound }
        var joined: [(milliseconds: Range<Int>, parts: SkippableParts)] = []
        for stretch in found {
            let start = max(stretch.milliseconds.lowerBound, joined.last?.milliseconds.upperBound ?? 0)
            if start >= stretch.milliseconds.upperBound { continue }
            if let last = joined.last, last.parts == stretch.parts, last.milliseconds.upperBound == start {
                joined[joined.count - 1].milliseconds = last.milliseconds.lowerBound..<stretch.milliseconds.upperBound
            } else {
                joined.append((start..<stretch.milliseconds.upperBound, stretch.parts))
            }
        }
        return joined
    }

    /// Returns segments without words, each from its start to that of the next.
    private func steps() -> Transcript? {
        let most = Int(Cue.latestMilliseconds)
        let end = min(durationMilliseconds ?? most, most)
        var starts = reading.phrases.map { $0.startMilliseconds }.filter { $0 >= 0 && $0 < end }
        starts.sort()
        var groups: [CueGroup] = []
        for (place, start) in starts.enumerated() {
            let next = place + 1 < starts.count ? starts[place + 1] : end
            if next <= start { continue }
            groups.append(CueGroup(start: Cue.clamped(start), end: Cue.clamped(next), first: 0, count: 0))
        }
        return groups.isEmpty ? nil : Transcript(text: [], cues: [], groups: groups)
    }
}

/// Extracts the words of some elements from a text (DTBook, XHTML). A nested wanted element keeps its own words.
final class BookTextReader: XMLReader {
    private static let mostBytes = 8 << 20
    private static let mostElementBytes = 8192

    private(set) var texts: [(phrase: Int, text: [UInt8])] = []
    private var wanted: [String: Int]
    private var depth = 0
    private var open: [(depth: Int, text: Int)] = []
    private var bytes = 0

    /// - Parameter wanted: the phrase of each id.
    init(wanted: [String: Int]) { self.wanted = wanted }

    /// Stops the reader once everything wanted was found.
    var refusal: String? {
        if bytes > BookTextReader.mostBytes { return "too much text" }
        return wanted.isEmpty && open.isEmpty ? "" : nil
    }

    func begin(_ name: UnsafeBufferPointer<UInt8>, _ attribute: (StaticString) -> [UInt8]?) {
        depth += 1
        if let id = attribute("id"), let phrase = wanted.removeValue(forKey: String(decoding: id, as: UTF8.self)) {
            open.append((depth, texts.count))
            texts.append((phrase, []))
        }
    }

    func end() {
        if open.last?.depth == depth { open.removeLast() }
        depth -= 1
    }

    func text(_ text: UnsafeBufferPointer<UInt8>) {
        guard let place = open.last?.text, texts[place].text.count < BookTextReader.mostElementBytes else { return }
        bytes += text.count
        texts[place].text += text
    }
}
