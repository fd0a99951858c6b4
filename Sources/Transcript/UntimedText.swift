extension Transcript {
    /// Lyrics without times, as libmpg123 gives them or as they stand in a file, UTF-8. A text that holds times after all (LRC is often put there) is read as what it is.
    /// Otherwise its sentences are spread over the audio by their length, which comes close for speech at an even pace: `isEstimated` says so.
    ///
    /// - Throws: where there is no text, or no time in it and `durationMilliseconds` is not known.
    public static func parse(
        untimedText text: [UInt8], durationMilliseconds: Int?
    ) throws(TranscriptError) -> Transcript {
        let bytes = try decode(text)
        let format = TranscriptFormat.detect(decoded: bytes, named: nil)
        if let format, format != .json {
            return try parse(decoded: bytes, format: format, durationMilliseconds: durationMilliseconds)
        }
        guard let durationMilliseconds, durationMilliseconds > 0 else {
            throw TranscriptError(message: "lyrics without times, and the length of the audio is not known")
        }
        var list = CueList(reservingBytes: bytes.count)
        var ranges: [Range<Int>] = []
        for sentence in sentences(bytes) {
            list.text.begin()
            list.text.append(bytes, sentence, markup: .none)
            if !list.text.current.isEmpty { ranges.append(list.text.current) }
        }
        guard let last = ranges.last else { throw TranscriptError(message: "lyrics without text") }
        func time(_ offset: Int) -> Int {
            Int(clamping: Int64(durationMilliseconds) * Int64(offset) / Int64(last.upperBound))
        }
        for range in ranges {
            list.append(Cue(start: time(range.lowerBound), end: time(range.upperBound), text: range))
        }
        return Transcript(list, durationMilliseconds: durationMilliseconds, isEstimated: true)
    }

    /// Lines, and in long lines the sentences.
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
