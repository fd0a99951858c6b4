// SPDX-License-Identifier: Apache-2.0
/// Gathers cues as they are found, in any order. A class, so that additions are made in place.
final class CueList {
    /// The result may exceed the file by so much.
    static let mostBytesBeyondFile = 8 << 20
    static let mostTextBytes = 8 << 20
    static let mostCues = 1 << 18
    /// The cost of a cue at most, with its share of `Normalising`.
    static let bytesOfCue = 72

    /// The cues' ranges lie in it.
    var text: PlainText
    private(set) var cues: [Cue] = []
    /// The number of bytes read so far.
    var readBytes = 0
    /// Of the cues with text, and those of them that are single words.
    private(set) var texts = 0
    private(set) var words = 0
    /// Some cue after the first begins a line, as entries of SYLT say.
    private(set) var hasLines = false
    private var hashed = 0..<0
    private var hash: UInt32 = 0

    init(reservingBytes count: Int = 0) {
        // Pages that are never touched cost nothing; growing would copy the text each time.
        text = PlainText(reservingBytes: min(count, CueList.mostTextBytes))
    }

    /// Memory that the cues and their text take.
    var madeBytes: Int { text.bytes.count + cues.count * CueList.bytesOfCue }

    /// Adds a cue for the text that was appended since `text.begin()`. Empty text marks the end of what stands before it and has no end
    /// itself.
    func append(
        start: some BinaryInteger, end: (some BinaryInteger)?, speaker: UInt16 = 0, isParted: Bool = false,
        beginsLine: Bool = false
    ) throws(TranscriptError) {
        let range = text.current
        let clamped = Cue.clamped(start)
        if range.isEmpty {
            // Millions of these would say no more than one.
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

    /// Adds the letter that came in two pieces to the cue before the second piece.
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

    /// Moves every stated time.
    func shift(by milliseconds: Int64) {
        guard milliseconds != 0 else { return }
        for index in cues.indices {
            cues[index].start = Cue.clamped(Int64(cues[index].start) + milliseconds)
            if cues[index].end != Cue.noEnd { cues[index].end = Cue.clamped(Int64(cues[index].end) + milliseconds) }
        }
    }

    /// Begins anew, for a file that turns out to mean something else.
    func removeAll() {
        text.removeAll()
        cues.removeAll()
        texts = 0
        words = 0
        hasLines = false
        hashed = 0..<0
    }

    /// Hands the cues over to be changed.
    func takeCues() -> [Cue] {
        let taken = cues
        cues = []
        return taken
    }
}
