/// Gathers cues as they are found, in any order, then puts them in order for `Transcript`.
struct CueList {
    /// The cues' ranges lie in it.
    var text: PlainText
    private(set) var cues: [Cue] = []

    /// More text than this is refused: what is kept of it would not fit the 32-bit ranges of `Cue`.
    static let mostBytes = 1 << 28

    init(reservingBytes count: Int) {
        text = PlainText(reservingBytes: count)
    }

    /// Adds a cue for text that `text.append` returned. Empty text marks the end of what stands before it and has no end itself.
    mutating func append(_ cue: Cue) {
        cues.append(cue)
    }

    mutating func extendLast(to end: Int) {
        guard let last = cues.indices.last else { return }
        cues[last].end = max(cues[last].end, end)
    }

    /// Moves every stated time.
    mutating func shift(by milliseconds: Int) {
        guard milliseconds != 0 else { return }
        for index in cues.indices {
            cues[index].start = Int(clamping: Int64(cues[index].start) + Int64(milliseconds))
            if cues[index].end != Cue.noEnd {
                cues[index].end = Int(clamping: Int64(cues[index].end) + Int64(milliseconds))
            }
        }
    }

    /// Ends, order and overlaps as described at `Transcript.init(normalising:)`.
    mutating func normalise(durationMilliseconds: Int?) {
        cues.removeAll { $0.start >= Cue.latestMilliseconds }
        // Simultaneous cues keep the order of the file.
        if let order = stableOrder(cues.map { $0.start }) { cues = order.map { cues[$0] } }
        settleEnds(durationMilliseconds: durationMilliseconds)
        mergeSimultaneous()
        resolveOverlaps()
    }

    /// An end that is missing, or not after the start, is where the next cue starts; for the last one the end of the audio, or as long as its
    /// words take to say.
    private mutating func settleEnds(durationMilliseconds: Int?) {
        var later: Int?
        var laterGroup: Int?
        for index in cues.indices.reversed() {
            let cue = cues[index]
            if let group = laterGroup, group > cue.start { later = group }
            laterGroup = cue.start
            if cue.end > cue.start { continue }
            if let later {
                cues[index].end = later
            } else if let durationMilliseconds, durationMilliseconds > cue.start {
                cues[index].end = durationMilliseconds
            } else {
                cues[index].end = cue.start + max(2000, min(cue.text.count, 1000) * 70)
            }
        }
    }

    /// Cues that start together are one, since a player shows both; cues without text have done their duty.
    private mutating func mergeSimultaneous() {
        var merged: [Cue] = []
        merged.reserveCapacity(cues.count)
        var index = 0
        while index < cues.count {
            let first = cues[index]
            var group = first.text.isEmpty ? [] : [first]
            index += 1
            while index < cues.count, cues[index].start == first.start {
                let cue = cues[index]
                if !cue.text.isEmpty, !isRepeated(cue, of: group) { group.append(cue) }
                index += 1
            }
            guard var result = group.first else { continue }
            if group.count > 1 {
                result.text = text.join(group.map { $0.text })
                result.confidence = 0
                for cue in group {
                    result.end = max(result.end, cue.end)
                    result.confidence += cue.confidence / Double(group.count)
                }
            }
            merged.append(result)
        }
        cues = merged
    }

    /// A line given twice is shown once.
    private func isRepeated(_ cue: Cue, of group: [Cue]) -> Bool {
        guard let last = group.last else { return false }
        return text.bytes[last.text] == text.bytes[cue.text]
    }

    /// Where cues overlap the one that started last is shown; an earlier one that outlasts it by a second or more is shown again.
    private mutating func resolveOverlaps() {
        let started = cues
        cues.removeAll(keepingCapacity: true)
        var running: [Cue] = []
        var now = Int.min
        // Shows what is running up to `limit`.
        func play(until limit: Int) {
            while let top = running.last {
                let start = max(now, top.start)
                let end = min(top.end, limit)
                let isResumed = start > top.start
                if end > start, !isResumed || end - start >= 1000 {
                    var piece = top
                    piece.start = max(start, 0)
                    piece.end = end
                    if end > 0 { cues.append(piece) }
                    now = end
                }
                if top.end > limit { return }
                running.removeLast()
            }
        }
        for cue in started {
            play(until: cue.start)
            now = cue.start
            running.append(cue)
        }
        play(until: Int.max)
    }
}

/// The indices of `keys` in ascending order of keys, equal ones as they stand; nil if they are in order already.
/// (The standard library's sort does not promise to be stable; and one instance of it serves the module.)
func stableOrder(_ keys: [Int]) -> [Int]? {
    var isSorted = true
    for index in keys.indices.dropFirst() where keys[index] < keys[index - 1] {
        isSorted = false
        break
    }
    if isSorted { return nil }
    var order = Array(keys.indices)
    order.sort { (keys[$0], $0) < (keys[$1], $1) }
    return order
}
