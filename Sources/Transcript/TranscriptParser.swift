// SPDX-License-Identifier: Apache-2.0
import Text

/// Reads one transcript of any format: it takes bytes as they come, then makes the transcript in steps, so that no caller waits for all of
/// it. The result is bounded; see `CueList`.
final class TranscriptParser {
    private let list: CueList
    private let named: TranscriptFormat?
    private let knownDuration: Int?
    private var format: TranscriptFormat?
    private var reader: (any FormatReader)?
    private var utf16: UTF16Decoder?
    private var isBegun = false
    private var normalising: Normalising?

    /// Memory that what was made so far takes, as far as it grows with the file.
    var madeBytes: Int { list.madeBytes }

    /// - Parameters:
    ///   - format: nil to go by the content first and by `named` second.
    ///   - bytesInFile: as far as known.
    init(
        format: TranscriptFormat? = nil, named: TranscriptFormat? = nil, bytesInFile: Int = 0,
        durationMilliseconds: Int?
    ) {
        list = CueList(reservingBytes: bytesInFile)
        self.format = format
        self.named = named
        knownDuration = durationMilliseconds
    }

    /// The next piece of the file. The first one decides on encoding and format: it should be some kilobytes, or all.
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

    /// The file is over. True: it has to be read again from its start, through `take` as before.
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

    /// Some milliseconds of work, after `finish`. Nil: call again.
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
    /// Pieces of this size take a millisecond or so to read.
    static let pieceBytes = 1 << 15

    /// Reads a transcript file leniently, as players do, all at once.
    ///
    /// - Parameters:
    ///   - format: nil to go by the content first and by the file's name second.
    ///   - durationMilliseconds: of the audio, if known: the end of the last segment, if the file does not say.
    /// - Throws: if the file holds nothing that can be shown.
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
