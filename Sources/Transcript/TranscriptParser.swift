// SPDX-License-Identifier: Apache-2.0
import Text

/// Parses a transcript of any format: it takes bytes as they come, then makes the transcript in steps, so that no caller waits long. The
/// size of the result is limited; see `CueList`.
final class TranscriptParser {
    private let list: CueList
    private let named: TranscriptFormat?
    private let knownDuration: Int?
    private var format: TranscriptFormat?
    private var reader: (any FormatReader)?
    private var utf16: UTF16Decoder?
    private var isBegun = false
    private var normalising: Normalising?

    /// The memory of the findings so far, as far as it grows with the file.
    var madeBytes: Int { list.madeBytes }

    /// - Parameters:
    ///   - format: the format; nil to decide by the content, then by `named`.
    ///   - bytesInFile: the size of the file, if known.
    init(
        format: TranscriptFormat? = nil, named: TranscriptFormat? = nil, bytesInFile: Int = 0,
        durationMilliseconds: Int?
    ) {
        list = CueList(reservingBytes: bytesInFile)
        self.format = format
        self.named = named
        knownDuration = durationMilliseconds
    }

    /// Takes the next piece of the file. The first one decides about encoding and format, so it should have some kilobytes, or everything.
    func take(_ piece: [UInt8]) throws(TranscriptError) {
        list.readBytes += piece.count
        var bytes = piece
        if !isBegun {
            isBegun = true
            utf16 = UTF16Decoder(begin: &bytes)
        }
        if utf16 != nil { bytes = utf16?.take(bytes) ?? [] }
        if reader == nil { reader = try makeReader(for: bytes) }
        try reader?.take(bytes)
    }

    /// Ends the file. Returns true if it must be passed to `take` again from its start.
    func finish() throws(TranscriptError) -> Bool {
        if reader == nil { try take([]) }
        guard let reader else { return false }
        if try reader.finish() {
            isBegun = false
            list.readBytes = 0
            return true
        }
        normalising = Normalising(
            list, joiningWords: format == .json, durationMilliseconds: reader.durationMilliseconds ?? knownDuration)
        return false
    }

    /// Does some milliseconds of work, after `finish`. Returns nil to be called again.
    func step() throws(TranscriptError) -> Transcript? {
        guard let transcript = normalising?.step() else { return nil }
        if transcript.isEmpty {
            throw TranscriptError(
                message: format == .json
                    ? "no text with times in it: expected whisper.cpp's transcription[], Whisper's or Podcasting 2.0's segments[]"
                    : "no text to show: every cue is empty")
        }
        return transcript
    }

    private func makeReader(for bytes: [UInt8]) throws(TranscriptError) -> any FormatReader {
        guard let format = format ?? TranscriptFormat.detect(decoded: bytes, named: named) else {
            throw TranscriptError(
                message: "not a transcript: expected times such as 00:01:02,500 --> 00:01:04,000 or [01:02.50]")
        }
        self.format = format
        return format.reader(list, durationMilliseconds: knownDuration)
    }
}

extension Transcript {
    /// The size of a piece that takes about a millisecond.
    static let pieceBytes = 1 << 15

    /// Parses a transcript file leniently, as players do, at once.
    ///
    /// - Parameters:
    ///   - format: the format; nil to decide by the content, then by the file's name.
    ///   - durationMilliseconds: the length of the audio, if known: the end of the last segment if the file does not state it.
    /// - Throws: if the file has nothing to show.
    public static func parse(
        _ bytes: [UInt8], format: TranscriptFormat? = nil, fileName: String? = nil, durationMilliseconds: Int? = nil
    ) throws(TranscriptError) -> Transcript {
        let parser = TranscriptParser(
            format: format, named: fileName.flatMap { TranscriptFormat(fileName: $0) }, bytesInFile: bytes.count,
            durationMilliseconds: durationMilliseconds)
        repeat {
            var offset = 0
            while offset < bytes.count {
                let end = Swift.min(offset + pieceBytes, bytes.count)
                try parser.take(Array(bytes[offset..<end]))
                offset = end
            }
        } while try parser.finish()
        while true {
            if let transcript = try parser.step() { return transcript }
        }
    }
}
