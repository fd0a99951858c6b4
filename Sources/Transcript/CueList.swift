// SPDX-License-Identifier: Apache-2.0
/// Collects cues in any order. A class, so that additions are made in place.
final class CueList {
    /// The most memory beyond the size of the file.
    static let mostBytesBeyondFile = 8 << 20
    static let mostTextBytes = 8 << 20
    static let mostCues = 1 << 18
    /// The most memory for a cue, with its share of `Normalising`.
    static let bytesOfCue = 72

    /// The text, which contains the cues' ranges.
    var text: PlainText
    private(set) var cues: [Cue] = []
    /// The number of bytes read so far.
    var readBytes = 0
    /// The number of cues with text, and of those with a single word.
    private(set) var texts = 0
    private(set) var words = 0
    /// True if a cue after the first begins a line, as in SYLT.
    private(set) var hasLines = false
    private var hashed = 0..<0
    private var hash: UInt32 = 0

    init(reservingBytes count: Int = 0) {
        // Untouched pages cost nothing; growing would copy the text each time.
        text = PlainText(reservingBytes: min(count, CueList.mostTextBytes))
    }

    /// The memory of the cues and their text.
    var madeBytes: Int { text.bytes.count + cues.count * CueList.bytesOfCue }

    /// Adds a cue for the text appended since `text.begin()`. An empty text ends the cue before it, and has no end itself.
    func append(
        start: some BinaryInteger, end: (some BinaryInteger)?, speaker: UInt16 = 0, isParted: Bool = false,
        beginsLine: Bool = false
    ) throws(TranscriptError) {
        let range = text.current
        let clamped = Cue.clamped(start)
        if range.isEmpty {
            // Many of these would mean no more than one.
            if let last = cues.last, last.text.isEmpty, last.start == clamped { return }
        } else {
            texts += 1
            if Words.isWord(text.bytes, range) { words += 1 }
        }
        if beginsLine, !cues.isEmpty { hasLines = true }
        if range != hashed {
            hashed = range
            hash = text.hash(of: range)
        }
        cues.append(
            Cue(
                start: clamped, end: end.map { Cue.clamped($0) } ?? Cue.noEnd, text: range, hash: hash,
                speaker: speaker, isParted: isParted, beginsLine: beginsLine))
        if cues.count > CueList.mostCues || text.bytes.count > CueList.mostTextBytes
            || madeBytes > CueList.mostBytesBeyondFile + readBytes
        {
            throw TranscriptError(
                message: "too much for a transcript: \(cues.count) times and \(text.bytes.count) bytes of text")
        }
    }

    /// Adds a character that came in two pieces to the cue before the second piece.
    func complete(with letter: [UInt8]) {
        guard let last = cues.last, last.text.upperBound == text.bytes.count,
            last.text.count + letter.count < PlainText.mostBytes
        else { return }
        if last.text.isEmpty { texts += 1 } else if Words.isWord(text.bytes, last.text) { words -= 1 }
        text.complete(with: letter)
        let range = last.text.lowerBound..<text.bytes.count
        if Words.isWord(text.bytes, range) { words += 1 }
        cues[cues.count - 1] = Cue(
            start: last.start, end: last.end, text: range, hash: text.hash(of: range), speaker: last.speaker,
            isParted: last.isParted, beginsLine: last.beginsLine)
    }

    func extendLast(to end: Int32) {
        guard let last = cues.indices.last else { return }
        cues[last].end = max(cues[last].end, end)
    }

    /// Moves all times.
    func shift(by milliseconds: Int64) {
        guard milliseconds != 0 else { return }
        for index in cues.indices {
            cues[index].start = Cue.clamped(Int64(cues[index].start) + milliseconds)
            if cues[index].end != Cue.noEnd { cues[index].end = Cue.clamped(Int64(cues[index].end) + milliseconds) }
        }
    }

    /// Removes everything, for a file that must be read differently.
    func removeAll() {
        text.removeAll()
        cues.removeAll()
        texts = 0
        words = 0
        hasLines = false
        hashed = 0..<0
    }

    /// Hands the cues over.
    func takeCues() -> [Cue] {
        let taken = cues
        cues = []
        return taken
    }
}
