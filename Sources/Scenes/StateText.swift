/// A state as lines of `name: value`, as the console of the speaker writes them. Names that are not known are passed over, so that an older
/// screen understands a newer speaker.
extension ScreenState {
    public init(lines text: String) {
        self.init()
        for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: true) {
            guard let (name, value) = ScreenState.parts(line) else { continue }
            take(Array(name.utf8), value)
        }
    }

    /// The same of lines that are taken apart already.
    public init(fields: [(name: String, value: String)]) {
        self.init()
        for field in fields { take(Array(field.name.utf8), field.value) }
    }

    /// A line's name and value; nil for one that has no colon.
    static func parts(_ line: Substring.UTF8View) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: 0x3A) else { return nil }
        var value = line[line.index(after: colon)...]
        if value.first == 0x20 { value = value.dropFirst() }
        if value.last == 0x0D { value = value.dropLast() }
        return (String(Substring(line[..<colon])), String(Substring(value)))
    }

    private mutating func take(_ name: [UInt8], _ value: String) {
        func isNamed(_ word: StaticString) -> Bool {
            name.count == word.utf8CodeUnitCount && name.indices.allSatisfy { name[$0] == word.utf8Start[$0] }
        }
        // There are many of these.
        if isNamed("segment") {
            takeSegment(value)
        } else if isNamed("segments") {
            sentenceCount = Int(value)
        } else if isNamed("state") {
            playback = value == "play" ? .playing : value == "pause" ? .paused : .stopped
        } else if isNamed("title") {
            title = value
        } else if isNamed("artist") {
            artist = value
        } else if isNamed("book") {
            book = value
        } else if isNamed("chapter") {
            chapter = value
        } else if isNamed("chapter_number") {
            chapterNumber = Int(value) ?? 0
        } else if isNamed("chapter_count") {
            chapterCount = Int(value) ?? 0
        } else if isNamed("favourite") {
            isFavourite = value == "1"
        } else if isNamed("elapsed") {
            elapsedMilliseconds = ScreenState.thousandths(value) ?? 0
        } else if isNamed("duration") {
            durationMilliseconds = ScreenState.thousandths(value)
        } else if isNamed("speed") {
            speedPercent = (ScreenState.thousandths(value) ?? 1000) / 10
        } else if isNamed("volume") {
            volumePercent = Int(value)
        } else if isNamed("sleep") {
            sleep = SleepState(told: value)
        } else if isNamed("trouble") {
            trouble = value
        } else if isNamed("artwork") {
            artworkPath = value
        } else if isNamed("file") {
            file = value
        } else if isNamed("picture") {
            hasPicture = value == "1"
        } else if isNamed("clock") {
            let parts = value.utf8.split(separator: 0x3A).map { Int(Substring($0)) ?? 0 }
            if parts.count == 2, (0...23).contains(parts[0]), (0...59).contains(parts[1]) {
                minuteOfDay = parts[0] * 60 + parts[1]
            }
        } else if isNamed("date") {
            takeDate(value)
        }
    }

    /// `INDEX START-END TEXT`, the times in seconds.
    private mutating func takeSegment(_ value: String) {
        let parts = value.utf8.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: true)
        guard parts.count == 3 else { return }
        let times = parts[1].split(separator: 0x2D)
        guard times.count == 2, let start = ScreenState.thousandths(String(Substring(times[0]))),
            let end = ScreenState.thousandths(String(Substring(times[1])))
        else { return }
        if sentences.isEmpty { firstSentence = Int(Substring(parts[0])) ?? 0 }
        sentences.append(
            Sentence(startMilliseconds: start, endMilliseconds: end, text: String(Substring(parts[2]))))
    }

    /// "83.12" is 83120; nil for what is no number, or too large a one.
    static func thousandths(_ text: String) -> Int? {
        var value = 0
        var places: Int?
        for byte in text.utf8 {
            if byte == 0x2E && places == nil {
                places = 0
            } else if byte >= 0x30 && byte <= 0x39 && value < 1 << 50 {
                if let known = places {
                    if known == 3 { continue }
                    places = known + 1
                }
                value = value * 10 + Int(byte - 0x30)
            } else {
                return nil
            }
        }
        for _ in (places ?? 0)..<3 { value *= 10 }
        return text.isEmpty ? nil : value
    }

    /// `YYYY-MM-DD`.
    private mutating func takeDate(_ value: String) {
        let parts = value.utf8.split(separator: 0x2D).map { Int(Substring($0)) ?? 0 }
        guard parts.count == 3, (1...12).contains(parts[1]), (1...31).contains(parts[2]) else { return }
        month = parts[1]
        day = parts[2]
    }
}
