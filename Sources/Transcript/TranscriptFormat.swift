// SPDX-License-Identifier: Apache-2.0
import Posix
import Text

/// The formats of transcript files, the best first: of several files beside the audio the best one is read. A format is a case here, with
/// its extension, its mark and its reader.
public enum TranscriptFormat: Int, CaseIterable, Sendable {
    /// W3C WebVTT, `.vtt`.
    case webVTT
    /// SubRip, `.srt`.
    case srt
    /// Lyrics with time stamps, `.lrc`, enhanced or not.
    case lrc
    /// One of the JSON transcripts; see `TranscriptJSON`.
    case json

    /// Returns the format of the name's extension in any case; nil for other files.
    public init?(fileName: String) {
        guard let dot = fileName.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        switch String(fileName[dot...]).lowerCase {
        case ".vtt": self = .webVTT
        case ".srt": self = .srt
        case ".lrc": self = .lrc
        case ".json": self = .json
        default: return nil
        }
    }

    /// Returns the format by the beginning of a file; the name decides only if the content does not. Nil for an unknown format.
    /// - Parameter bytes: the beginning, not in UTF-16, and without a byte order mark.
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

    /// Makes the reader of a file, which adds its findings to `list`.
    /// - Parameter durationMilliseconds: the length of the audio, if known.
    func reader(_ list: CueList, durationMilliseconds: Int?) -> any FormatReader {
        switch self {
        case .webVTT: LineFeeder(CueFile(list, blankLineEndsCue: true))
        case .srt: LineFeeder(CueFile(list, blankLineEndsCue: false))
        case .lrc: LineFeeder(Lyrics(list, durationMilliseconds: durationMilliseconds))
        case .json: TranscriptJSON(list)
        }
    }
}
