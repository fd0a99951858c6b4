// SPDX-License-Identifier: Apache-2.0
import Text

/// Reads SubRip and WebVTT leniently. A line with an arrow between two times starts a cue; the following lines are its text.
final class CueFile: LineReader {
    /// True for WebVTT, where comments, styles and identifiers follow a blank line. In SubRip, blank lines may occur within texts as well.
    private let blankLineEndsCue: Bool
    private let list: CueList
    private var open: (start: Int32, end: Int32)?
    /// The text lines of the open cue, and their end if the number just read is the next cue's counter.
    private var lines: [UInt8] = []
    private var endBeforeNumber: Int?
    private var isNumberApart = false
    private var wasBlank = false
    private var takesText = false
    private var lineNumber = 0
    private var unreadable: Int?
    /// The place of the last cue's last line in the list's text, and that cue's end.
    private var lastLine = 0..<0
    private var lastEnd = Cue.noEnd
    /// The place of the last cue's text, and its repeated line above.
    private var lastText = 0..<0
    private var lastTop = 0..<0

    init(_ list: CueList, blankLineEndsCue: Bool) {
        self.list = list
        self.blankLineEndsCue = blankLineEndsCue
    }

    var durationMilliseconds: Int? { nil }

    func take(_ bytes: [UInt8], _ line: Range<Int>) throws(TranscriptError) {
        lineNumber += 1
        if let timing = CueFile.timing(bytes, line) {
            try appendOpen(upTo: endBeforeNumber ?? lines.count)
            open = timing
            lines.removeAll(keepingCapacity: true)
            endBeforeNumber = nil
            takesText = true
            wasBlank = false
            return
        }
        if blankLineEndsCue ? line.isEmpty : isBlank(bytes, line) {
            if blankLineEndsCue { takesText = false }
            if !isNumberApart { endBeforeNumber = nil }
            wasBlank = true
            return
        }
        if unreadable == nil, open == nil, hasArrow(bytes, line) { unreadable = lineNumber }
        if takesText {
            endBeforeNumber = isNumber(bytes, line) ? lines.count : nil
            isNumberApart = wasBlank
            // Longer texts are cut anyway.
            if lines.count < LineFeeder.mostLineBytes {
                lines += bytes[line]
                lines.append(UInt8(ascii: "\n"))
            }
        }
        wasBlank = false
    }

    func complete(with letter: [UInt8]) {
        if lines.isEmpty {
            list.complete(with: letter)
        } else {
            lines.insert(contentsOf: letter, at: lines.count - 1)
        }
    }

    func finish() throws(TranscriptError) -> Bool {
        guard open != nil else {
            if let unreadable {
                throw TranscriptError(
                    message: "line \(unreadable): cannot read the times, expected 00:01:02,500 --> 00:01:04,000")
            }
            throw TranscriptError(
                message: "no cue in \(lineNumber) lines, expected times such as 00:01:02,500 --> 00:01:04,000")
        }
        // The file may be cut after a counter.
        try appendOpen(upTo: isNumberApart ? endBeforeNumber ?? lines.count : lines.count)
        return false
    }

    /// Adds the open cue. Rolling captions (from speech recognition) repeat the line above the new one, which is dropped. Captions that
    /// mark one word after the other (Whisper's `--highlight_words`) repeat the whole cue, and are merged.
    private func appendOpen(upTo end: Int) throws(TranscriptError) {
        guard let open else { return }
        list.text.begin()
        let follows =
            lastEnd != Cue.noEnd && Int64(open.start) >= Int64(lastEnd) - 100
            && Int64(open.start) <= Int64(lastEnd) + 100
        var line = 0..<0
        var isRepeated = false
        for source in Lines(lines, in: 0..<min(end, lines.count)) {
            let before = list.text.bytes.count
            let added = list.text.append(lines, source, markup: .cue)
            if added.isEmpty { continue }
            line = added
            if follows, list.text.current == added, list.text.bytes[lastLine] == list.text.bytes[added] {
                list.text.truncate(to: before)
                isRepeated = true
            }
        }
        let text = list.text.current
        if follows, !text.isEmpty, !isRepeated, isLast(text) {
            list.text.truncate(to: text.lowerBound)
            list.extendLast(to: open.end)
        } else if isRepeated, text.isEmpty {
            list.extendLast(to: open.end)
        } else {
            lastTop = isRepeated ? lastLine : 0..<0
            lastText = text
            try list.append(start: open.start, end: open.end == Cue.noEnd ? nil : open.end)
            lastLine = line
        }
        lastEnd = open.end
    }

    /// Returns true if the last cue has the same text.
    private func isLast(_ text: Range<Int>) -> Bool {
        let bytes = list.text.bytes
        if text.count == lastText.count { return bytes[text] == bytes[lastText] }
        return !lastTop.isEmpty && text.count == lastTop.count + 1 + lastText.count
            && bytes[text].starts(with: bytes[lastTop]) && bytes[text].suffix(lastText.count) == bytes[lastText]
    }

    /// Returns the times of `start --> end`, with `Cue.noEnd` for an unreadable end; nil for other lines. Ignores the rest (settings,
    /// coordinates).
    static func timing(_ bytes: [UInt8], _ line: Range<Int>) -> (start: Int32, end: Int32)? {
        var scanner = ByteScanner(bytes, line)
        guard let start = scanner.time() else { return nil }
        scanner.skipSpaces()
        guard scanner.take("-") else { return nil }
        while scanner.take("-") || scanner.take(" ") {}
        guard scanner.take(">") else { return nil }
        return (start, scanner.time() ?? Cue.noEnd)
    }

    private func hasArrow(_ bytes: [UInt8], _ line: Range<Int>) -> Bool {
        for index in line.dropLast() where bytes[index] == UInt8(ascii: "-") && bytes[index + 1] == UInt8(ascii: ">") {
            return true
        }
        return false
    }

    private func isBlank(_ bytes: [UInt8], _ line: Range<Int>) -> Bool {
        !bytes[line].contains { !$0.isSpace }
    }

    private func isNumber(_ bytes: [UInt8], _ line: Range<Int>) -> Bool {
        var scanner = ByteScanner(bytes, line)
        scanner.skipSpaces()
        guard scanner.number() != nil else { return false }
        scanner.skipSpaces()
        return scanner.position == scanner.end
    }
}
