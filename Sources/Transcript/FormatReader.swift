// SPDX-License-Identifier: Apache-2.0
import Text

/// Reads one format piece by piece, and adds its findings to a `CueList`.
protocol FormatReader: AnyObject {
    /// Takes the next bytes of the file. UTF-16 was converted to UTF-8; other encodings are still undecided.
    func take(_ bytes: [UInt8]) throws(TranscriptError)

    /// Ends the file. Returns true if it must be read again from its start, since its end changed the meaning of its beginning.
    func finish() throws(TranscriptError) -> Bool

    /// The length of the audio, if the file states it.
    var durationMilliseconds: Int? { get }
}

/// Reads a line-based format.
protocol LineReader: AnyObject {
    /// - Parameter line: the line's range in `bytes`, which is valid UTF-8.
    func take(_ bytes: [UInt8], _ line: Range<Int>) throws(TranscriptError)
    /// - Parameter letter: a character of the line before, which the file splits in two.
    func complete(with letter: [UInt8])
    func finish() throws(TranscriptError) -> Bool
    var durationMilliseconds: Int? { get }
}

/// Splits a file into lines. A line longer than any line of a transcript is an error, so that a file without line breaks is never in memory
/// as a whole.
final class LineFeeder: FormatReader {
    static let mostLineBytes = 1 << 16

    private let reader: any LineReader
    /// The rest of the bytes before, followed by the new ones.
    private var bytes: [UInt8] = []
    private var lineNumber = 0
    private var decoder = PieceDecoder()

    init(_ reader: any LineReader) {
        self.reader = reader
    }

    var durationMilliseconds: Int? { reader.durationMilliseconds }

    func take(_ new: [UInt8]) throws(TranscriptError) {
        bytes += new
        try takeLines(isLast: false)
    }

    func finish() throws(TranscriptError) -> Bool {
        try takeLines(isLast: true)
        bytes = []
        lineNumber = 0
        decoder = PieceDecoder()
        return try reader.finish()
    }

    private func takeLines(isLast: Bool) throws(TranscriptError) {
        var lines = Lines(bytes)
        var taken = 0
        while let line = lines.next() {
            // The last line may continue, and a CR may be half of a line break.
            if !isLast, line.upperBound + 2 >= bytes.count { break }
            lineNumber += 1
            taken = lines.position
            if line.count > LineFeeder.mostLineBytes { throw tooLong(lineNumber) }
            if decoder.isWhole(bytes, line) {
                try reader.take(bytes, line)
            } else {
                let decoded = decoder.decode(bytes, line)
                if !decoded.letter.isEmpty { reader.complete(with: decoded.letter) }
                // Ignore a line with nothing else.
                if !decoded.text.isEmpty { try reader.take(decoded.text, decoded.text.indices) }
            }
        }
        if taken > 0 { bytes.removeSubrange(0..<min(taken, bytes.count)) }
        if bytes.count > LineFeeder.mostLineBytes + 2 { throw tooLong(lineNumber + 1) }
    }

    private func tooLong(_ line: Int) -> TranscriptError {
        TranscriptError(message: "line \(line): longer than \(LineFeeder.mostLineBytes) bytes, which no transcript has")
    }
}
