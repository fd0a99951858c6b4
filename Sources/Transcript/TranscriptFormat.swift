/// The formats of transcript files.
public enum TranscriptFormat: Equatable, Sendable {
    /// SubRip, `.srt`.
    case srt
    /// W3C WebVTT, `.vtt`.
    case webVTT
    /// Lyrics with time stamps, `.lrc`, enhanced or not.
    case lrc
    /// One of the JSON transcripts. They are read elsewhere, row by row; see `TimedText`.
    case json

    /// By the name's extension in any case; nil for any other file.
    public init?(fileName: String) {
        guard let dot = fileName.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        switch asciiLowerCase(fileName[dot...]) {
        case ".srt": self = .srt
        case ".vtt": self = .webVTT
        case ".lrc": self = .lrc
        case ".json": self = .json
        default: return nil
        }
    }

    /// By what stands in it, the name deciding only what the content leaves open; nil where nothing is recognised.
    public static func detect(_ bytes: [UInt8], fileName: String? = nil) -> TranscriptFormat? {
        detect(decoded: TextDecoding.utf8(from: bytes), named: fileName.flatMap { TranscriptFormat(fileName: $0) })
    }

    static func detect(decoded bytes: [UInt8], named: TranscriptFormat?) -> TranscriptFormat? {
        var start = ByteScanner(bytes, bytes.indices)
        while start.peek().isSpace { start.position += 1 }
        if bytes[start.position...].starts(with: "WEBVTT".utf8) { return .webVTT }
        if start.take("{") { return .json }
        if start.take("[") {
            while start.peek().isSpace { start.position += 1 }
            if start.peek() == UInt8(ascii: "{") { return .json }
        }
        for line in Lines(bytes) {
            if CueFile.timing(bytes, line) != nil { return named == .webVTT ? .webVTT : .srt }
            var scanner = ByteScanner(bytes, line)
            if Lyrics.stamp(&scanner) != nil { return .lrc }
        }
        return named
    }
}

extension Transcript {
    /// Reads a subtitle file leniently, as players do.
    ///
    /// - Parameters:
    ///   - format: nil to go by the content.
    ///   - durationMilliseconds: of the audio, if known: where the last segment ends if the file does not say.
    /// - Throws: where the file holds nothing that can be shown, or is JSON.
    public static func parse(
        _ bytes: [UInt8], format: TranscriptFormat? = nil, durationMilliseconds: Int? = nil
    ) throws(TranscriptError) -> Transcript {
        try parse(decoded: try decode(bytes), format: format, durationMilliseconds: durationMilliseconds)
    }

    /// The same, going by the content first and the file's name second.
    public static func parse(
        _ bytes: [UInt8], fileName: String, durationMilliseconds: Int? = nil
    ) throws(TranscriptError) -> Transcript {
        let bytes = try decode(bytes)
        let format = TranscriptFormat.detect(decoded: bytes, named: TranscriptFormat(fileName: fileName))
        return try parse(decoded: bytes, format: format, durationMilliseconds: durationMilliseconds)
    }

    static func parse(
        decoded bytes: [UInt8], format: TranscriptFormat?, durationMilliseconds: Int?
    ) throws(TranscriptError) -> Transcript {
        var duration = durationMilliseconds
        var list: CueList
        switch format ?? TranscriptFormat.detect(decoded: bytes, named: nil) {
        case .srt: list = try CueFile.parse(bytes, blankLineEndsCue: false)
        case .webVTT: list = try CueFile.parse(bytes, blankLineEndsCue: true)
        case .lrc: list = try Lyrics.parse(bytes, durationMilliseconds: &duration)
        case .json: throw TranscriptError(message: "JSON, expected SubRip, WebVTT or LRC")
        case nil:
            throw TranscriptError(
                message: "not a transcript: expected times such as 00:01:02,500 --> 00:01:04,000 or [01:02.50]")
        }
        let transcript = Transcript(list, durationMilliseconds: duration)
        if transcript.isEmpty { throw TranscriptError(message: "no text to show: every cue is empty") }
        return transcript
    }

    static func decode(_ bytes: [UInt8]) throws(TranscriptError) -> [UInt8] {
        if bytes.count > CueList.mostBytes {
            throw TranscriptError(message: "too large for a transcript: \(bytes.count) bytes")
        }
        return TextDecoding.utf8(from: bytes)
    }
}
