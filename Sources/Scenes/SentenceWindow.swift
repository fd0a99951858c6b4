// SPDX-License-Identifier: Apache-2.0
import Model

/// Sentences of a transcript that follow each other, by their index in all of it: those around the one that is spoken, and those that a hand
/// went on to.
struct SentenceWindow {
    private(set) var first = 0
    private(set) var sentences: [Segment] = []

    /// More are not kept.
    static let most = 400

    init(_ sentences: [Segment] = [], first: Int = 0) {
        (self.sentences, self.first) = (sentences, max(0, first))
    }

    /// Those that the speaker told of.
    init(_ state: SpeakerStatus) { self.init(state.segments, first: state.firstSegment) }

    var range: Range<Int> { first..<first + sentences.count }

    subscript(index: Int) -> Segment { sentences[index - first] }

    /// Takes in what overlaps these or stands next to them, and lets go of what is furthest from `place`. Returns whether it is new; others
    /// are not added.
    mutating func add(_ other: SentenceWindow, near place: Int) -> Bool {
        let (old, new) = (range, other.range)
        if new.isEmpty || new.lowerBound >= old.lowerBound && new.upperBound <= old.upperBound { return false }
        if new.lowerBound > old.upperBound || new.upperBound < old.lowerBound { return false }
        if new.lowerBound < old.lowerBound {
            sentences.insert(contentsOf: other.sentences[..<(old.lowerBound - new.lowerBound)], at: 0)
            first = new.lowerBound
        }
        if new.upperBound > old.upperBound {
            sentences.append(contentsOf: other.sentences[(old.upperBound - new.lowerBound)...])
        }
        let tooMany = sentences.count - SentenceWindow.most
        if tooMany > 0 {
            let fromStart = min(tooMany, max(0, place - SentenceWindow.most / 2 - first))
            sentences.removeFirst(fromStart)
            first += fromStart
            sentences.removeLast(tooMany - fromStart)
        }
        return true
    }
}
