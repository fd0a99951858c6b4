/// SubRip and WebVTT, read the lenient way. A line with an arrow between two times starts a cue; what follows is its text.
struct CueFile {
    private let bytes: [UInt8]
    private var list: CueList
    /// Where the last line of the cue before stands in the list's text, and when that cue ends.
    private var lastLine = 0..<0
    private var lastEnd = Cue.noEnd

    /// - Parameter blankLineEndsCue: WebVTT, where comments, styles and identifiers follow a blank line. In SubRip files blank lines stand within
    ///   texts as well as between cues.
    static func parse(_ bytes: [UInt8], blankLineEndsCue: Bool) throws(TranscriptError) -> CueList {
        var file = CueFile(bytes: bytes, list: CueList(reservingBytes: bytes.count))
        try file.parse(blankLineEndsCue: blankLineEndsCue)
        return file.list
    }

    private init(bytes: [UInt8], list: CueList) {
        self.bytes = bytes
        self.list = list
    }

    private mutating func parse(blankLineEndsCue: Bool) throws(TranscriptError) {
        var open: (start: Int, end: Int)?
        var text = 0..<0
        /// Where the text ends if the number just read is the next cue's counter and not text.
        var textEndBeforeNumber: Int?
        var isNumberApart = false
        var wasBlank = false
        var takesText = false
        var lineNumber = 0
        var unreadable: Int?
        for line in Lines(bytes) {
            lineNumber += 1
            if let timing = CueFile.timing(bytes, line) {
                if let open { append(text.lowerBound..<(textEndBeforeNumber ?? text.upperBound), open.start, open.end) }
                open = timing
                text = line.upperBound..<line.upperBound
                textEndBeforeNumber = nil
                takesText = true
                wasBlank = false
                continue
            }
            if blankLineEndsCue ? line.isEmpty : isBlank(line) {
                if blankLineEndsCue { takesText = false }
                if !isNumberApart { textEndBeforeNumber = nil }
                wasBlank = true
                continue
            }
            if unreadable == nil, open == nil, hasArrow(line) { unreadable = lineNumber }
            if takesText {
                textEndBeforeNumber = isNumber(line) ? text.upperBound : nil
                isNumberApart = wasBlank
                text = text.lowerBound..<line.upperBound
            }
            wasBlank = false
        }
        guard let open else {
            if let unreadable {
                throw TranscriptError(
                    message: "line \(unreadable): cannot read the times, expected 00:01:02,500 --> 00:01:04,000")
            }
            throw TranscriptError(
                message: "no cue in \(lineNumber) lines, expected times such as 00:01:02,500 --> 00:01:04,000")
        }
        // A file cut after a counter.
        let end = isNumberApart ? textEndBeforeNumber : nil
        append(text.lowerBound..<(end ?? text.upperBound), open.start, open.end)
    }

    /// Adds a cue. Captions that roll (as made by speech recognition) repeat the line above the new one: it is left out.
    private mutating func append(_ range: Range<Int>, _ start: Int, _ end: Int) {
        list.text.begin()
        let follows = lastEnd != Cue.noEnd && start >= lastEnd - 100 && start <= lastEnd + 100
        var line = 0..<0
        var isRepeated = false
        for source in Lines(bytes, in: range) {
            let before = list.text.bytes.count
            let added = list.text.append(bytes, source, markup: .cue)
            if added.isEmpty { continue }
            line = added
            if follows, list.text.current == added, list.text.bytes[lastLine] == list.text.bytes[added] {
                list.text.truncate(to: before)
                isRepeated = true
            }
        }
        if isRepeated, list.text.current.isEmpty {
            list.extendLast(to: end)
        } else {
            list.append(Cue(start: start, end: end, text: list.text.current))
            lastLine = line
        }
        lastEnd = end
    }

    /// `start --> end`, the end `Cue.noEnd` where it cannot be read; nil for any other line. What follows (settings, coordinates) is passed over.
    static func timing(_ bytes: [UInt8], _ line: Range<Int>) -> (start: Int, end: Int)? {
        var scanner = ByteScanner(bytes, line)
        guard let start = scanner.time() else { return nil }
        scanner.skipSpaces()
        guard scanner.take("-") else { return nil }
        while scanner.take("-") || scanner.take(" ") {}
        guard scanner.take(">") else { return nil }
        return (start, scanner.time() ?? Cue.noEnd)
    }

    private func hasArrow(_ line: Range<Int>) -> Bool {
        for index in line.dropLast() where bytes[index] == UInt8(ascii: "-") && bytes[index + 1] == UInt8(ascii: ">") {
            return true
        }
        return false
    }

    private func isBlank(_ line: Range<Int>) -> Bool {
        !bytes[line].contains { !$0.isSpace }
    }

    private func isNumber(_ line: Range<Int>) -> Bool {
        var scanner = ByteScanner(bytes, line)
        scanner.skipSpaces()
        guard scanner.number() != nil else { return false }
        scanner.skipSpaces()
        return scanner.position == scanner.end
    }
}
