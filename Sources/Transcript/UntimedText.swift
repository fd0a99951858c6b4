// SPDX-License-Identifier: Apache-2.0
import Core
import Media
import Text

extension Transcript {
    /// Parses the text of a USLT (v2.2: ULT) frame: lyrics without times, unless the text itself is in a timed format.
    static func parse(
        unsynchronisedLyricsFrame body: [UInt8], durationMilliseconds: Int?
    ) throws(TranscriptError) -> Transcript {
        var reader = try SynchronisedLyrics.reader(body)
        reader.position = 4
        _ = reader.text()
        return try parse(untimedText: reader.rest(), durationMilliseconds: durationMilliseconds)
    }

    /// Parses lyrics without times, at most some megabytes. A text with times (often LRC) is read in its own format. Otherwise its
    /// sentences are spread over the audio by their length, which fits speech at an even pace.
    ///
    /// - Throws: if there is no text, or neither times in it nor a known `durationMilliseconds`.
    static func parse(
        untimedText text: [UInt8], durationMilliseconds: Int?
    ) throws(TranscriptError) -> Transcript {
        let bytes = TextDecoding.utf8(from: text)
        let format = TranscriptFormat.detect(decoded: bytes, named: nil)
        if let format, format != .json {
            return try parse(bytes, format: format, durationMilliseconds: durationMilliseconds)
        }
        guard let durationMilliseconds, durationMilliseconds > 0 else {
            throw TranscriptError(message: "lyrics without times, and the length of the audio is not known")
        }
        let list = CueList(reservingBytes: bytes.count)
        list.readBytes = bytes.count
        let sentences = sentences(bytes)
        // Each sentence has its share of the plain text, which is known once all are converted.
        var plain = PlainText(reservingBytes: 0)
        var total: Int64 = 0
        for sentence in sentences {
            plain.removeAll()
            plain.append(bytes, sentence, markup: .none)
            total += Int64(plain.bytes.count)
        }
        if total == 0 { throw TranscriptError(message: "lyrics without text") }
        func time(_ offset: Int) -> Int64 {
            Int64(durationMilliseconds).scaledSaturated(by: Int64(offset), over: total)
        }
        for sentence in sentences {
            list.text.begin()
            list.text.append(bytes, sentence, markup: .none)
            let range = list.text.current
            if !range.isEmpty { try list.append(start: time(range.lowerBound), end: time(range.upperBound)) }
        }
        return Transcript(list, durationMilliseconds: durationMilliseconds)
    }

    /// Splits a text into lines, and long lines into sentences.
    private static func sentences(_ bytes: [UInt8]) -> [Range<Int>] {
        var sentences: [Range<Int>] = []
        for line in Lines(bytes) {
            var start = line.lowerBound
            for index in line where bytes[index] == UInt8(ascii: " ") && index - start >= 40 {
                guard Words.endsSentence(bytes[start..<index]) else { continue }
                sentences.append(start..<index)
                start = index
            }
            sentences.append(start..<line.upperBound)
        }
        return sentences
    }
}
