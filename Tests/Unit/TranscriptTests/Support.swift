// SPDX-License-Identifier: Apache-2.0
import Model
import TestSupport
import Testing
import Text

@testable import Transcript

func parse(_ text: String, _ format: TranscriptFormat? = nil, duration: Int? = nil) throws -> Transcript {
    try Transcript.parse(Array(text.utf8), format: format, durationMilliseconds: duration)
}

/// A piece of a transcript as a JSON file has it: a sentence, a caption or a single word.
struct TimedText {
    var text: String
    var startMilliseconds: Int
    var endMilliseconds: Int?
    var speaker: UInt16 = 0
}

/// As `TranscriptJSON` does it.
func joiningWords(_ pieces: [TimedText]) -> Transcript {
    let list = CueList()
    for piece in pieces {
        let source = Array(piece.text.utf8)
        list.text.begin()
        list.text.append(source, source.indices, markup: .none)
        try! list.append(
            start: piece.startMilliseconds, end: piece.endMilliseconds, speaker: piece.speaker,
            isParted: source.first?.isSpace ?? false)
    }
    return Transcript(list, joiningWords: true, durationMilliseconds: nil)
}

extension Transcript {
    /// Segments as they stand, put in order.
    init(normalising segments: [Segment], durationMilliseconds: Int? = nil) {
        let list = CueList()
        for segment in segments {
            let source = Array(segment.text.utf8)
            list.text.begin()
            list.text.append(source, source.indices, markup: .none)
            try! list.append(start: segment.startMilliseconds, end: segment.endMilliseconds)
        }
        self.init(list, durationMilliseconds: durationMilliseconds)
    }
}

/// Returns `start-end text` for each segment, to be shown by a failed test.
func lines(_ transcript: Transcript) -> [String] {
    transcript.map { "\($0.startMilliseconds)-\($0.endMilliseconds) \($0.text)" }
}

func message(_ body: () throws -> Transcript) -> String? {
    do { _ = try body() } catch { return (error as? TranscriptError)?.message }
    return nil
}

/// The promises of every transcript, from any source.
func checkInvariants(_ transcript: Transcript, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation) {
    var lastEnd = 0
    for segment in transcript {
        let isOrdered =
            segment.startMilliseconds >= lastEnd && segment.startMilliseconds < segment.endMilliseconds
            && segment.endMilliseconds <= 1_800_000_000
        if !isOrdered || !isPlain(segment.text) {
            Issue.record("broken: \(segment) after \(lastEnd); \(comment)", sourceLocation: sourceLocation)
            return
        }
        lastEnd = segment.endMilliseconds
    }
}

/// Not empty, one line, words parted by single spaces, no control characters.
func isPlain(_ text: String) -> Bool {
    if text.isEmpty || text.hasPrefix(" ") || text.hasSuffix(" ") || text.contains("  ") { return false }
    return text.unicodeScalars.allSatisfy {
        $0.properties.generalCategory != .control && ($0 == " " || !$0.properties.isWhitespace)
    }
}

extension SeededGenerator {
    /// Words in several scripts, with digits and punctuation, none of which is markup.
    mutating func text(words: ClosedRange<Int> = 1...9) -> String {
        let vocabulary = [
            "the", "lamp", "stood", "near", "Ünder", "café", "naïve", "42", "Жук", "猫", "fish & chips", "“quoted”",
            "it’s",
            "👩‍🚀", "no.", "3<4", "a", "well…", "100%", "{sic}", "[laughs]", "-", "C:\\dir", "نور", "tick-tock", "x>y",
        ]
        return (0..<Int.random(in: words, using: &self)).map { _ in vocabulary.randomElement(using: &self)! }
            .joined(separator: " ")
    }

    /// In order, with gaps and without.
    mutating func segments(count: Int, unit: Int = 1) -> [Segment] {
        var time = Int.random(in: 0...5000, using: &self) / unit * unit
        return (0..<count).map { index in
            if Bool.random(using: &self) { time += Int.random(in: 1...4000, using: &self) / unit * unit }
            let end = time + max(unit, Int.random(in: 1...6000, using: &self) / unit * unit)
            defer { time = end }
            // Numbered, so that no two neighbours are alike: those would be taken for rolling captions.
            return Segment(text: "\(text()) n\(index)", startMilliseconds: time, endMilliseconds: end)
        }
    }
}
