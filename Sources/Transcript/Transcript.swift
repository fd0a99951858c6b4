// SPDX-License-Identifier: Apache-2.0
import Core
import Model

/// The spoken words of an audio file with times: non-overlapping segments in order of time, with gaps in silence.
///
/// A collection of `Segment`, which are made on request; the texts are in one block. It is immutable, so any thread may use it.
public struct Transcript: RandomAccessCollection, Sendable {
    private let text: [UInt8]
    private let cues: [Cue]
    private let groups: [CueGroup]
    /// The skippable parts of a talking book, in order of time and without overlaps.
    public var skippable: [(milliseconds: Range<Int>, parts: SkippableParts)] = []

    /// Normalizes the findings, all steps at once.
    init(_ list: CueList, joiningWords: Bool = false, durationMilliseconds: Int?) {
        var normalising = Normalising(list, joiningWords: joiningWords, durationMilliseconds: durationMilliseconds)
        while true {
            if let transcript = normalising.step() {
                self = transcript
                return
            }
        }
    }

    /// - Parameters:
    ///   - cues: the cues, with ranges in `text`.
    ///   - groups: the groups in order, each with a start before its end.
    init(text: [UInt8], cues: [Cue], groups: [CueGroup]) {
        self.text = text
        self.cues = cues
        self.groups = groups
    }

    /// False if only the starts of phrases are known, and every segment's text is empty.
    public var hasWords: Bool { !text.isEmpty }

    /// The memory that it takes.
    var storedBytes: Int {
        text.count + cues.count * MemoryLayout<Cue>.stride + groups.count * MemoryLayout<CueGroup>.stride
            + skippable.count * 24
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { groups.count }

    public subscript(index: Int) -> Segment {
        let group = groups[index]
        var bytes: [UInt8] = []
        for cue in cues[group.cues] {
            // Many texts at one time may together be longer than the limit.
            if bytes.count < PlainText.mostBytes {
                if !bytes.isEmpty, !cue.isGlued { bytes.append(UInt8(ascii: " ")) }
                bytes += text[cue.text]
            }
        }
        return Segment(
            text: String(decoding: bytes, as: UTF8.self), startMilliseconds: Int(group.start),
            endMilliseconds: Int(group.end))
    }

    /// Returns the index of the current segment: the one with start ≤ `milliseconds` < end. Nil before the first, after the last, and in
    /// gaps.
    public func index(at milliseconds: Int) -> Int? {
        let index = countStarted(by: milliseconds) - 1
        return index >= 0 && milliseconds < groups[index].end ? index : nil
    }

    /// Returns the start of the next segment, nil after the last: a screen can sleep until then.
    public func nextStart(after milliseconds: Int) -> Int? {
        let next = countStarted(by: milliseconds)
        return next < groups.count ? Int(groups[next].start) : nil
    }

    /// Returns the index of the segment that is current or was last; nil before the first.
    public func lastIndex(startingBy milliseconds: Int) -> Int? {
        let count = countStarted(by: milliseconds)
        return count > 0 ? count - 1 : nil
    }

    /// Returns the segments around a position: up to `count` before it, the current one, and up to `count` after it.
    public func neighbours(at milliseconds: Int, count: Int) -> Range<Int> {
        let next = countStarted(by: milliseconds)
        let place = index(at: milliseconds) ?? next
        let count = Swift.max(0, Swift.min(count, groups.count))
        return Swift.max(0, place - count)..<Swift.min(groups.count, next + count)
    }

    /// Returns the number of segments that start at or before `milliseconds`, by binary search.
    private func countStarted(by milliseconds: Int) -> Int {
        var low = 0
        var high = groups.count
        while low < high {
            let middle = (low + high) / 2
            if groups[middle].start <= milliseconds { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
