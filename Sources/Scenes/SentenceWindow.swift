// SPDX-License-Identifier: Apache-2.0
import Model

/// Consecutive sentences of a transcript, by their index in the whole: those around the spoken one, and those that a hand scrolled to.
struct SentenceWindow {
    private(set) var first = 0
    private(set) var sentences: [Segment] = []

    /// The most sentences kept.
    static let most = 400

    init(_ sentences: [Segment] = [], first: Int = 0) {
        (self.sentences, self.first) = (sentences, max(0, first))
    }

    /// The sentences of the speaker's state.
    init(_ state: SpeakerStatus) { self.init(state.segments, first: state.firstSegment) }

    var range: Range<Int> { first..<first + sentences.count }

    subscript(index: Int) -> Segment { sentences[index - first] }

    /// Adds sentences that overlap these or adjoin them, and drops the ones furthest from `place`. Returns true if they were new; others
    /// are ignored.
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
