// SPDX-License-Identifier: Apache-2.0
import Media
import Text

/// Reads a SYLT (v2.2: SLT) frame: synchronized lyrics or a text transcription, as in ID3v2.3 and 2.4, without unsynchronization and
/// compression. Syllables and words are joined into lines.
final class SynchronisedLyrics {
    /// The number of entries in a step.
    private static let stepCount = 4096

    private let body: [UInt8]
    private let durationMilliseconds: Int?
    private let list: CueList
    private let scale: Double
    private var reader: ID3TextReader
    private var beginsLine = true
    private var endedWithSpace = false
    private var normalising: Normalising?

    /// - Parameter millisecondsPerFrame: the duration of an MPEG frame, for the rare tags that count in frames.
    /// - Throws: for other contents (chords, events …), unknown encodings and units.
    init(_ body: [UInt8], millisecondsPerFrame: Double? = nil, durationMilliseconds: Int?) throws(TranscriptError) {
        var reader = try SynchronisedLyrics.reader(body)
        guard body.count >= 6 else { throw TranscriptError(message: "SYLT: frame of \(body.count) bytes is cut short") }
        switch body[4] {
        case 1:
            guard let millisecondsPerFrame, millisecondsPerFrame > 0, millisecondsPerFrame < 1000 else {
                throw TranscriptError(message: "SYLT: times in MPEG frames, expected milliseconds")
            }
            scale = millisecondsPerFrame
        case 2: scale = 1
        default: throw TranscriptError(message: "SYLT: time stamp format \(body[4]), expected 1 or 2")
        }
        // Other, lyrics, or text transcription.
        guard body[5] <= 2 else { throw TranscriptError(message: "SYLT: content type \(body[5]) is not text") }
        reader.position = 6
        _ = reader.text()
        self.body = body
        self.reader = reader
        self.durationMilliseconds = durationMilliseconds
        list = CueList(reservingBytes: body.count)
        list.readBytes = body.count
    }

    /// Returns a reader for the body of a lyrics frame.
    static func reader(_ body: [UInt8]) throws(TranscriptError) -> ID3TextReader {
        guard body.count > 4 else {
            throw TranscriptError(message: "lyrics: frame of \(body.count) bytes is cut short")
        }
        guard let reader = ID3TextReader(body) else {
            throw TranscriptError(message: "lyrics: text encoding \(body[0]), expected 0 to 3")
        }
        return reader
    }

    /// Does some milliseconds of work. Returns nil to be called again.
    /// - Throws: if there is no text.
    func step() throws(TranscriptError) -> Transcript? {
        if let transcript = normalising?.step() {
            if transcript.isEmpty { throw TranscriptError(message: "SYLT: no text with a time") }
            return transcript
        }
        if normalising != nil { return nil }
        for _ in 0..<SynchronisedLyrics.stepCount {
            guard reader.position < body.count else { break }
            let text = reader.text()
            guard let time = reader.bigEndian32() else {
                reader.position = body.count
                break
            }
            try append(text, milliseconds: min(Double(time) * scale, Double(Cue.latestMilliseconds)))
        }
        if reader.position >= body.count {
            normalising = Normalising(list, joiningWords: true, durationMilliseconds: durationMilliseconds)
        }
        return nil
    }

    /// Adds an entry. A line feed at its start (as in the standard), or at the end of the entry before, begins a line.
    private func append(_ text: [UInt8], milliseconds: Double) throws(TranscriptError) {
        func isBreak(_ byte: UInt8?) -> Bool { byte == 10 || byte == 13 }
        list.text.begin()
        list.text.append(text, text.indices, markup: .none)
        try list.append(
            start: Int32(milliseconds), end: nil as Int32?, isParted: endedWithSpace || text.first?.isSpace ?? false,
            beginsLine: beginsLine || isBreak(text.first))
        beginsLine = text.count > 1 && isBreak(text.last)
        endedWithSpace = text.last?.isSpace ?? endedWithSpace
    }
}

extension Transcript {
    /// Reads a SYLT frame at once.
    static func parse(
        synchronisedLyricsFrame body: [UInt8], millisecondsPerFrame: Double? = nil, durationMilliseconds: Int? = nil
    ) throws(TranscriptError) -> Transcript {
        let lyrics = try SynchronisedLyrics(
            body, millisecondsPerFrame: millisecondsPerFrame, durationMilliseconds: durationMilliseconds)
        while true {
            if let transcript = try lyrics.step() { return transcript }
        }
    }
}
