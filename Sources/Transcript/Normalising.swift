// SPDX-License-Identifier: Apache-2.0
/// Turns cues into segments, in steps, as players do:
/// - a segment without text only ends the one before it;
/// - an end that is not after the start becomes the start of the next segment; for the last one it is the end of the audio or, if unknown,
///   follows from the length of its words;
/// - segments that start together become one;
/// - if segments overlap, the one that started last is current; one that outlasts it by a second is current again;
/// - times are limited to 0 ms … 500 h.
struct Normalising {
    private enum Phase { case sort, group, settleEnds, merge, over }

    /// The number of cues or groups in a step.
    private static let stepCount = 8192

    private let text: [UInt8]
    private var cues: [Cue]
    private let durationMilliseconds: Int?
    private var phase = Phase.sort
    private var sort = CueSort()
    private var grouping: Grouping
    private var groups: [CueGroup] = []
    /// The next cue or group to process, and the index for the next cue to keep.
    private var index = 0
    private var kept = 0
    private var overlaps = Overlaps()

    init(_ list: CueList, joiningWords: Bool, durationMilliseconds: Int?) {
        let joinsWords = joiningWords && Words.areWords(list)
        text = list.text.takeBytes()
        cues = list.takeCues()
        self.durationMilliseconds = durationMilliseconds
        grouping =
            list.hasLines
            ? .lines : joinsWords ? .words(Words(areSpaced: cues.dropFirst().contains { $0.isParted })) : .single
    }

    private enum Grouping {
        /// Each cue is a group.
        case single
        /// Lines that begin at marked cues.
        case lines
        case words(Words)
    }

    /// Does some milliseconds of work. Returns the transcript when done, nil before.
    mutating func step() -> Transcript? {
        switch phase {
        case .sort:
            if sort.step(&cues) { return nil }
            sort = CueSort()
            while let last = cues.last, last.start >= Cue.latestMilliseconds { cues.removeLast() }
            phase = .group
        case .group:
            group()
            if index == cues.count {
                index = 0
                phase = .settleEnds
            }
        case .settleEnds:
            settleEnds()
            phase = .merge
        case .merge:
            merge()
            if index == groups.count {
                overlaps.finish()
                groups = []
                cues.removeLast(cues.count - kept)
                phase = .over
            }
        case .over: break
        }
        return phase == .over ? Transcript(text: text, cues: cues, groups: overlaps.shown) : nil
    }

    // MARK: Grouping

    private mutating func group() {
        let end = min(index + Normalising.stepCount, cues.count)
        switch grouping {
        case .single:
            for index in index..<end { begin(index) }
        case .lines:
            for index in index..<end {
                if cues[index].beginsLine || groups.isEmpty {
                    begin(index)
                    groups[groups.count - 1].end = Cue.noEnd
                } else {
                    cues[index].isGlued = !cues[index].isParted
                    groups[groups.count - 1].count += 1
                }
            }
        case .words(var words):
            grouping = .single
            for index in index..<end {
                switch words.place(cues[index], text) {
                case .nowhere: continue
                case .newSentence: begin(index)
                case .sentence(let isGlued):
                    cues[index].isGlued = isGlued
                    // Cues without text between them are dropped from the text later.
                    let group = groups.count - 1
                    groups[group].count = UInt32(index + 1) - groups[group].first
                    groups[group].end = max(groups[group].end, cues[index].end)
                }
            }
            grouping = .words(words)
        }
        index = end
    }

    private mutating func begin(_ index: Int) {
        groups.append(CueGroup(start: cues[index].start, end: cues[index].end, first: UInt32(index), count: 1))
    }

    // MARK: Ends

    /// Sets missing ends, and those not after the start, to the start of the next group. For the last one it is the end of the audio, or
    /// follows from the length of its words.
    private mutating func settleEnds() {
        var later: Int32?
        var laterGroup: Int32?
        for index in groups.indices.reversed() {
            let group = groups[index]
            if let start = laterGroup, start > group.start { later = start }
            laterGroup = group.start
            if group.end > group.start { continue }
            if let later {
                groups[index].end = later
            } else if let durationMilliseconds, durationMilliseconds > group.start {
                groups[index].end = Cue.clamped(durationMilliseconds)
            } else {
                let bytes = group.cues.reduce(0) { $0 + cues[$1].text.count }
                groups[index].end = Cue.clamped(Int64(group.start) + Int64(max(2000, min(bytes, 1000) * 70)))
            }
        }
    }

    // MARK: Merging

    /// Merges groups that start together, since a player shows both. Groups without text are no longer needed.
    private mutating func merge() {
        let limit = min(index + Normalising.stepCount, groups.count)
        while index < limit {
            let start = groups[index].start
            var merged = CueGroup(start: start, end: Cue.noEnd, first: UInt32(kept), count: 0)
            var last = 0..<0
            while index < groups.count, groups[index].start == start {
                let before = kept
                if keep(groups[index].cues, unlike: last) {
                    last = before..<kept
                    merged.end = max(merged.end, groups[index].end)
                }
                index += 1
            }
            merged.count = UInt32(kept) - merged.first
            if merged.count > 0 { overlaps.take(merged) }
        }
    }

    /// Moves the cues of a group behind the kept ones. Returns false if they have no text, or the same text as before: a repeated line is
    /// shown once.
    private mutating func keep(_ range: Range<Int>, unlike last: Range<Int>) -> Bool {
        let start = kept
        for index in range where !cues[index].text.isEmpty {
            cues[kept] = cues[index]
            kept += 1
        }
        if kept == start { return false }
        cues[start].isGlued = false
        if last.count == kept - start,
            zip(last, start..<kept).allSatisfy({
                cues[$0].hash == cues[$1].hash && cues[$0].text.count == cues[$1].text.count
            })
        {
            kept = start
            return false
        }
        return true
    }
}

/// Resolves overlaps: the group that started last is shown, and an earlier one that outlasts it by at least a second is shown again.
struct Overlaps {
    private(set) var shown: [CueGroup] = []
    private var running: [CueGroup] = []
    private var now = Int32.min

    /// Takes groups in order of their different starts.
    mutating func take(_ group: CueGroup) {
        play(until: group.start)
        now = group.start
        running.append(group)
    }

    mutating func finish() { play(until: .max) }

    /// Shows the running groups up to `limit`.
    private mutating func play(until limit: Int32) {
        while let top = running.last {
            let start = max(now, top.start)
            let end = min(top.end, limit)
            let isResumed = start > top.start
            // 64 bits, since times before the start of the audio make the difference larger than any time.
            if end > start, !isResumed || Int64(end) - Int64(start) >= 1000 {
                var piece = top
                piece.start = max(start, 0)
                piece.end = end
                if end > 0 { shown.append(piece) }
                now = end
            }
            if top.end > limit { return }
            running.removeLast()
        }
    }
}
