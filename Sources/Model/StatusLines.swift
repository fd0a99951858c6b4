import Core

public struct StatusLine {
    public var name: String
    public var value: String
    /// A file's name, which may have anything in it.
    public var isPath = false
}

/// How a speaker tells a screen, line by line, what is so. Each line is named once, for who writes it and for who reads it: a fact that is
/// to reach a panel is a line in `pass`.
struct StatusLines {
    fileprivate var written: [StatusLine] = []
    fileprivate var isWriting: Bool { read == nil }
    /// The one that is read; nil where they are written.
    private let read: (name: String, value: String)?

    fileprivate init(reading line: (name: String, value: String)? = nil) { read = line }

    /// - Parameters:
    ///   - known: nil for what is not told.
    ///   - take: called with the value of the line that has this name.
    fileprivate mutating func line(
        _ name: String, _ known: @autoclosure () -> String?, isPath: Bool = false, _ take: (String) -> Void
    ) {
        if let read {
            if read.name == name { take(read.value) }
        } else if let value = known() {
            written.append(StatusLine(name: name, value: value, isPath: isPath))
        }
    }

    /// - Parameter isTold: where the text is empty, too.
    fileprivate mutating func text(_ name: String, _ text: inout String, isPath: Bool = false, isTold: Bool = false) {
        line(name, text.isEmpty && !isTold ? nil : text, isPath: isPath) { text = $0 }
    }

    /// Of 0 is not told.
    fileprivate mutating func number(_ name: String, _ number: inout Int) {
        line(name, number == 0 ? nil : "\(number)") { number = Int($0) ?? 0 }
    }

    fileprivate mutating func flag(_ name: String, _ flag: inout Bool) {
        line(name, flag ? "1" : "0") { flag = $0 == "1" }
    }
}

extension SpeakerStatus {
    private mutating func pass(_ lines: inout StatusLines) {
        lines.line("state", state.word) { state = State(word: $0) }
        lines.line("trouble", trouble?.words) { trouble = Trouble(words: $0) }
        lines.line("volume", volumePercent.map { "\($0)" }) { volumePercent = Int($0) }
        lines.line("speed", speed.text) { speed = Speed(text: $0) ?? .own }
        lines.line("sleep", sleepWord) { takeSleep($0) }
        lines.text("file", &file, isPath: true)
        if file.isEmpty && lines.isWriting { return }
        lines.text("title", &title, isTold: true)
        lines.text("artist", &artist)
        lines.text("book", &book)
        lines.number("chapter_number", &chapterNumber)
        lines.number("chapter_count", &chapterCount)
        lines.text("chapter", &chapter)
        lines.flag("favourite", &isFavourite)
        lines.flag("picture", &hasPicture)
        lines.line("elapsed", Seconds.text(positionMilliseconds)) {
            positionMilliseconds = Seconds.milliseconds($0) ?? 0
        }
        lines.line("duration", durationMilliseconds.map(Seconds.text)) {
            durationMilliseconds = Seconds.milliseconds($0)
        }
    }

    /// What a screen is told, but for the segments.
    public var lines: [StatusLine] {
        var (status, lines) = (self, StatusLines())
        status.pass(&lines)
        return lines.written
    }

    /// Takes in a line of an answer. Names that are not known are passed over, so that an older screen understands a newer speaker.
    public mutating func take(_ name: String, _ value: String) {
        // There are many of these.
        if name == "segment" {
            guard let told = Segment.read(value) else { return }
            if segments.isEmpty { firstSegment = told.index }
            segments.append(told.segment)
        } else if name == "segments" {
            segmentCount = Int(value)
        } else {
            var lines = StatusLines(reading: (name, value))
            pass(&lines)
        }
    }

    /// For how long it still plays, in seconds, or with what it ends; nil where it does not end.
    public var sleepWord: String? {
        sleepMilliseconds.map(Seconds.text) ?? (sleep == .off ? nil : sleep.word)
    }

    private mutating func takeSleep(_ word: String) {
        sleepMilliseconds = Seconds.milliseconds(word)
        sleep = sleepMilliseconds == nil ? Sleep(word: word) ?? .off : .minutes(sleepMinutes)
    }

    /// Until all is silent, the minute under way too; 0 where they are not counted.
    public var sleepMinutes: Int { sleepMilliseconds.map { (min(max(0, $0), 1 << 40) + 59_999) / 60_000 } ?? 0 }
}

extension Segment {
    /// `INDEX START-END TEXT`, the times in seconds.
    public func told(index: Int) -> String {
        "\(index) " + Seconds.text(startMilliseconds) + "-" + Seconds.text(endMilliseconds) + " " + text
    }

    static func read(_ value: String) -> (index: Int, segment: Segment)? {
        let parts = value.utf8.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: true)
        guard parts.count == 3 else { return nil }
        let times = parts[1].split(separator: 0x2D)
        guard times.count == 2, let start = Seconds.milliseconds(String(Substring(times[0]))),
            let end = Seconds.milliseconds(String(Substring(times[1])))
        else { return nil }
        return (
            Int(Substring(parts[0])) ?? 0,
            Segment(text: String(Substring(parts[2])), startMilliseconds: start, endMilliseconds: end)
        )
    }
}
