/// What is said in an audio file and when: segments in order of time that do not overlap, with gaps where nothing is said.
///
/// A collection of `Segment`, which are made when asked for; the texts are kept in one block. A value that never changes: any thread may use it.
public struct Transcript: RandomAccessCollection, Sendable {
    private let text: [UInt8]
    private let cues: [Cue]
    /// The times are guessed from the lengths of the lines, as for lyrics without any.
    public let isEstimated: Bool

    /// Puts segments in order, as players do:
    /// - text is brought on one line, without control characters; a segment without text only ends what stands before it;
    /// - an end that is not after the start is where the next segment starts; for the last one it is the end of the audio or, where that is not known,
    ///   as long as the words take to say;
    /// - segments that start together become one;
    /// - where segments overlap, the one that started last is current; one that outlasts it by a second is current again;
    /// - times are held to 0 ms … 500 h.
    public init(normalising segments: [Segment], durationMilliseconds: Int? = nil) {
        var list = CueList(reservingBytes: 0)
        for segment in segments where list.text.bytes.count < CueList.mostBytes {
            let source = Array(segment.text.utf8)
            list.text.begin()
            list.text.append(source, source.indices, markup: .none)
            list.append(
                Cue(
                    start: segment.startMilliseconds, end: segment.endMilliseconds, text: list.text.current,
                    confidence: segment.confidence.map { $0.isNaN ? $0 : Swift.max(0, Swift.min($0, 1)) }))
        }
        self.init(list, durationMilliseconds: durationMilliseconds)
    }

    init(_ list: consuming CueList, durationMilliseconds: Int?, isEstimated: Bool = false) {
        list.normalise(durationMilliseconds: durationMilliseconds)
        text = list.text.bytes
        cues = list.cues
        self.isEstimated = isEstimated
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { cues.count }

    public subscript(index: Int) -> Segment {
        let cue = cues[index]
        return Segment(
            text: String(decoding: text[cue.text], as: UTF8.self), startMilliseconds: cue.start,
            endMilliseconds: cue.end, confidence: cue.confidence.isNaN ? nil : cue.confidence)
    }

    /// Which segment is current: the one with start ≤ `milliseconds` < end. Nil before the first, after the last and in gaps.
    public func index(at milliseconds: Int) -> Int? {
        let index = countStarted(by: milliseconds) - 1
        return index >= 0 && milliseconds < cues[index].end ? index : nil
    }

    /// The next time at which `index(at:)` gives something else, nil after the last segment: the display can sleep until then.
    public func nextChange(after milliseconds: Int) -> Int? {
        let next = countStarted(by: milliseconds)
        if next > 0, milliseconds < cues[next - 1].end { return cues[next - 1].end }
        return next < cues.count ? cues[next].start : nil
    }

    /// The current segment, nil in a gap, and those before and after it or the gap.
    public struct Neighbours: Equatable, Sendable {
        public var previous: Segment?
        public var current: Segment?
        public var next: Segment?
    }

    public func neighbours(at milliseconds: Int) -> Neighbours {
        let next = countStarted(by: milliseconds)
        let current = index(at: milliseconds)
        let previous = current.map { $0 - 1 } ?? next - 1
        return Neighbours(
            previous: previous >= 0 ? self[previous] : nil, current: current.map { self[$0] },
            next: next < cues.count ? self[next] : nil)
    }

    /// How many segments start at or before `milliseconds`: binary search.
    private func countStarted(by milliseconds: Int) -> Int {
        var low = 0
        var high = cues.count
        while low < high {
            let middle = (low + high) / 2
            if cues[middle].start <= milliseconds { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
