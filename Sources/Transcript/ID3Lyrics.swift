/// Transcripts inside ID3v2 tags: frame bodies as in the ID3v2.3 and 2.4 standards, sections SYLT and USLT, after unsynchronisation and compression are undone.
extension Transcript {
    /// A SYLT (v2.2: SLT) frame: synchronised lyrics or a text transcription. Entries that are syllables or words are joined into lines.
    ///
    /// - Parameter millisecondsPerFrame: of the MPEG audio, for the rare frames that count in these.
    /// - Throws: for other contents (chords, events …), unknown encodings and units, or no text.
    public static func parse(
        synchronisedLyricsFrame body: [UInt8], millisecondsPerFrame: Double? = nil, durationMilliseconds: Int? = nil
    ) throws(TranscriptError) -> Transcript {
        var reader = try ID3TextReader(body)
        guard body.count >= 6 else { throw TranscriptError(message: "SYLT: frame of \(body.count) bytes is cut short") }
        var scale = 1.0
        switch body[4] {
        case 1:
            guard let millisecondsPerFrame, millisecondsPerFrame > 0, millisecondsPerFrame < 1000 else {
                throw TranscriptError(message: "SYLT: times in MPEG frames, expected milliseconds")
            }
            scale = millisecondsPerFrame
        case 2: break
        default: throw TranscriptError(message: "SYLT: time stamp format \(body[4]), expected 1 or 2")
        }
        // Other, lyrics, text transcription.
        guard body[5] <= 2 else { throw TranscriptError(message: "SYLT: content type \(body[5]) is not text") }
        reader.position = 6
        _ = reader.text()
        var entries: [TimedText] = []
        while reader.position < body.count {
            let text = reader.text()
            guard let time = reader.bigEndian32() else { break }
            let milliseconds = Int(Swift.min(Double(time) * scale, Double(Cue.latestMilliseconds)))
            entries.append(TimedText(text: String(decoding: text, as: UTF8.self), startMilliseconds: milliseconds))
        }
        let transcript = Transcript(
            normalising: lines(of: entries) ?? joiningWords(entries), durationMilliseconds: durationMilliseconds)
        if transcript.isEmpty { throw TranscriptError(message: "SYLT: no text with a time") }
        return transcript
    }

    /// A USLT (v2.2: ULT) frame: lyrics without times, unless the text is itself one of the timed formats.
    public static func parse(
        unsynchronisedLyricsFrame body: [UInt8], durationMilliseconds: Int?
    ) throws(TranscriptError) -> Transcript {
        var reader = try ID3TextReader(body)
        reader.position = 4
        _ = reader.text()
        return try parse(untimedText: reader.rest(), durationMilliseconds: durationMilliseconds)
    }

    /// The lines that line feeds at the start of entries make of them (as the standard has it), or at the end; nil where there are none.
    private static func lines(of entries: [TimedText]) -> [Segment]? {
        let lineFeed = UInt8(ascii: "\n")
        var lines: [Segment] = []
        var isBroken = true
        var hasBreaks = false
        for entry in entries {
            let text = entry.text
            if text.utf8.first == lineFeed || text.utf8.first == 13 {
                isBroken = true
                if !lines.isEmpty { hasBreaks = true }
            }
            if isBroken || lines.isEmpty {
                lines.append(
                    Segment(text: "", startMilliseconds: entry.startMilliseconds, endMilliseconds: Cue.noEnd))
            }
            lines[lines.count - 1].text += text
            isBroken = text.utf8.count > 1 && (text.utf8.last == lineFeed || text.utf8.last == 13)
            if isBroken { hasBreaks = true }
        }
        return hasBreaks ? lines : nil
    }
}

/// Terminated texts in a frame's encoding, and numbers.
private struct ID3TextReader {
    private enum Encoding { case latin1, utf16, utf16BigEndian, utf8 }

    private let body: [UInt8]
    private let encoding: Encoding
    /// A byte order mark counts for the texts after it that have none.
    private var isLittleEndian = true
    var position = 0

    init(_ body: [UInt8]) throws(TranscriptError) {
        guard body.count > 4 else {
            throw TranscriptError(message: "lyrics: frame of \(body.count) bytes is cut short")
        }
        switch body[0] {
        case 0: encoding = .latin1
        case 1: encoding = .utf16
        case 2: encoding = .utf16BigEndian
        case 3: encoding = .utf8
        default: throw TranscriptError(message: "lyrics: text encoding \(body[0]), expected 0 to 3")
        }
        self.body = body
    }

    /// The text up to its terminator or the end of the frame, and past it.
    mutating func text() -> [UInt8] {
        let start = min(position, body.count)
        var end = start
        if encoding == .utf16 || encoding == .utf16BigEndian {
            while end + 1 < body.count, body[end] != 0 || body[end + 1] != 0 { end += 2 }
            position = end + 2
        } else {
            while end < body.count, body[end] != 0 { end += 1 }
            position = end + 1
        }
        return decoded(start..<end)
    }

    /// All that is left; terminators in it are dropped later, like other controls.
    mutating func rest() -> [UInt8] {
        let start = min(position, body.count)
        position = body.count
        return decoded(start..<body.count)
    }

    mutating func bigEndian32() -> UInt32? {
        guard position + 4 <= body.count else { return nil }
        var value: UInt32 = 0
        for byte in body[position..<position + 4] { value = value << 8 | UInt32(byte) }
        position += 4
        return value
    }

    private mutating func decoded(_ range: Range<Int>) -> [UInt8] {
        switch encoding {
        // Many writers put other encodings where Latin-1 is stated; UTF-8 is told by its form.
        case .latin1, .utf8: return TextDecoding.utf8(fromSingleBytes: body, range)
        case .utf16BigEndian: return TextDecoding.utf16(body, range, littleEndian: false)
        case .utf16:
            var range = range
            if range.count >= 2 {
                let mark = (body[range.lowerBound], body[range.lowerBound + 1])
                if mark == (0xFF, 0xFE) || mark == (0xFE, 0xFF) {
                    isLittleEndian = mark.0 == 0xFF
                    range = range.lowerBound + 2..<range.upperBound
                }
            }
            return TextDecoding.utf16(body, range, littleEndian: isLittleEndian)
        }
    }
}
