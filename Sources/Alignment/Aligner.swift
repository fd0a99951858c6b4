// SPDX-License-Identifier: Apache-2.0
/// Finds where the sentences of a text are heard in a recording, from the features of the recording and of a synthesized reading of the
/// text.
///
/// Anchors come first: parts of 20 s, each searched in the audio around the place predicted by earlier ones. Consistent anchors are kept,
/// and the sentences between them are aligned exactly. Memory does not grow with the recording.
public struct Aligner {
    /// The text does not belong to the recording.
    public struct WrongText: Error {
        /// The number of parts of the text that were searched, and of those found in order.
        public var searched: Int
        public var found: Int
    }

    /// A sentence's place in the recording, in milliseconds.
    public struct Placed {
        public var sentence: Int
        public var start: Int
        public var end: Int
    }

    /// A part of the text found in the audio: frames of both.
    struct Anchor {
        var sentence: Int
        var text: Int
        var candidate: AnchorCandidate
    }

    /// The frames of a searched part: 20 s.
    private static let patternFrames = 1000
    /// The least distance of anchors in the text, in frames: 20 s.
    private static let anchorFrames = 1000
    /// The search range around an anchor's expected place, in frames: 2 minutes, and 15 minutes for the first.
    private static let nearFrames = 6_000
    private static let firstFrames = 45_000
    /// The least scores, in standard deviations, for a candidate to join the chain, and to lead the search.
    private static let leastScore: Float = 2.7
    /// The mean excess of scores over `leastScore` among all searched parts that proves the right text.
    private static let leastWorth: Float = 0.35
    private static let sureScore: Float = 3.8
    /// The frames of audio that a window extends beyond its anchors, which are not exact: 2 s.
    private static let margin = 100
    /// The most audio and text between two anchors to align, in frames: 140 s.
    private static let mostWindow = 7_000

    private let audio: FeatureStream
    private let text: FeatureStream
    /// The text frames of each sentence, in order.
    private let sentences: [Range<Int>]
    private var scale = FitScale(right: 0, wrong: 0)
    private var places: [SentencePlace?] = []

    public init(audio: FeatureStream, text: FeatureStream, sentences: [Range<Int>]) {
        self.audio = audio
        self.text = text
        self.sentences = sentences
        places = Array(repeating: nil, count: sentences.count)
    }

    /// - Parameter goOn: called with the completed part, in thousandths; false cancels.
    /// - Returns: the sentences that are heard, in order; nil if cancelled.
    public mutating func align(goOn: (Int) -> Bool) throws(WrongText) -> [Placed]? {
        guard let (found, searched) = findAnchors({ goOn($0 / 2) }) else { return nil }
        let anchors = Aligner.chain(found)
        // In a wrong text some parts match by chance, but none stands out, and few agree.
        let worth = anchors.reduce(Float(0)) { $0 + max(0, $1.candidate.score - Aligner.leastScore) }
        if anchors.isEmpty || worth < Aligner.leastWorth * Float(searched) {
            throw WrongText(searched: searched, found: anchors.count)
        }
        measureFit(anchors)
        var from = (sentence: 0, audio: 0)
        for (index, anchor) in anchors.enumerated() {
            if !goOn(500 + index * 500 / anchors.count) { return nil }
            let to = (sentence: anchor.sentence, audio: anchor.candidate.audio.lowerBound)
            // If a part is missing, an anchor may begin too early: the window continues there.
            let next = index + 1 < anchors.count ? anchors[index + 1].candidate.audio.lowerBound : audio.frameCount
            if !Aligner.isSteady(anchors, index), next - from.audio <= Aligner.mostWindow - 2 * Aligner.margin {
                continue
            }
            alignBetween(from, to)
            from = to
        }
        alignBetween(from, (sentence: sentences.count, audio: audio.frameCount))
        return placed()
    }

    /// Returns the mean score of parts of the text in the audio: a higher score means a better matching synthetic voice.
    public static func score(audio: FeatureStream, text: FeatureStream, stretches: [Range<Int>]) -> Float {
        var sum: Float = 0
        for stretch in stretches {
            var search = AnchorSearch(text, stretch)
            search.search(audio, 0..<audio.frameCount)
            sum += search.candidates.first?.score ?? 0
        }
        return sum / Float(max(1, stretches.count))
    }

    // MARK: Anchors

    private mutating func findAnchors(_ goOn: (Int) -> Bool) -> (found: [Anchor], searched: Int)? {
        var (found, searched): ([Anchor], Int) = ([], 0)
        var next = 0
        // The last certain place, and the search range around the next predicted one.
        var (lastText, lastAudio, radius) = (0, 0, Aligner.firstFrames)
        for (index, sentence) in sentences.enumerated() where sentence.lowerBound >= next {
            let end = min(text.frameCount, sentence.lowerBound + Aligner.patternFrames)
            if end - sentence.lowerBound < Aligner.patternFrames / 3 { break }
            next = sentence.lowerBound + Aligner.anchorFrames
            if !goOn(Int(Int64(sentence.lowerBound) * 1000 / Int64(text.frameCount))) { return nil }
            var search = AnchorSearch(text, sentence.lowerBound..<end)
            let expected = lastAudio + (sentence.lowerBound - lastText)
            searched += 1
            let range = expected - radius..<expected + radius + Aligner.patternFrames
            search.search(audio, range)
            if search.candidates.first.map({ $0.score < Aligner.sureScore }) ?? false {
                var backwards = AnchorSearch(backwards: search)
                backwards.search(audio, range)
                search.compare(with: backwards)
            }
            for candidate in search.candidates {
                found.append(Anchor(sentence: index, text: sentence.lowerBound, candidate: candidate))
            }
            if let best = search.candidates.first, best.score >= Aligner.sureScore {
                (lastText, lastAudio, radius) = (sentence.lowerBound, best.audio.lowerBound, Aligner.nearFrames)
            } else {
                radius = min(audio.frameCount, radius + Aligner.anchorFrames)
            }
        }
        return (found, searched)
    }

    /// Returns the chain of consistent candidates: each one follows the one before in text and audio, with the highest total score.
    static func chain(_ candidates: [Anchor]) -> [Anchor] {
        /// The number of earlier candidates to consider.
        let reach = 60
        var values: [Float] = []
        var befores: [Int] = []
        for (index, anchor) in candidates.enumerated() {
            let own = anchor.candidate.score - leastScore
            var (best, before) = (Float(0), -1)
            for earlier in max(0, index - reach)..<index {
                let other = candidates[earlier]
                let spoken = anchor.text - other.text
                let heard = anchor.candidate.audio.lowerBound - other.candidate.audio.lowerBound
                if spoken <= 0 || heard < 50 { continue }
                // Readers keep their pace; anything else is additional audio or text.
                let isSteady = heard > spoken * 2 / 3 && heard < spoken * 3 / 2
                let value = values[earlier] + (isSteady ? 0.4 : -1)
                if value > best { (best, before) = (value, earlier) }
            }
            values.append(best + own)
            befores.append(before)
        }
        guard var at = values.indices.max(by: { values[$0] < values[$1] }), values[at] > 0 else { return [] }
        var chain: [Anchor] = []
        while at >= 0 {
            chain.append(candidates[at])
            at = befores[at]
        }
        return chain.reversed()
    }

    /// Returns true if the pace before and after an anchor is similar.
    private static func isSteady(_ anchors: [Anchor], _ index: Int) -> Bool {
        guard index > 0, index + 1 < anchors.count else { return false }
        let (before, here, after) = (anchors[index - 1], anchors[index], anchors[index + 1])
        func pace(_ a: Anchor, _ b: Anchor) -> Float {
            Float(b.candidate.audio.lowerBound - a.candidate.audio.lowerBound) / Float(max(1, b.text - a.text))
        }
        let (first, second) = (pace(before, here), pace(here, after))
        return abs(first - second) < 0.08 * max(first, second)
    }

    // MARK: Windows

    /// Measures the costs of a fit at some anchors, and the best of the wrong places around them.
    private mutating func measureFit(_ anchors: [Anchor]) {
        let most = 12
        var (right, wrong, count): (Float, Float, Float) = (0, 0, 0)
        for index in 0..<min(most, anchors.count) {
            let anchor = anchors[index * anchors.count / min(most, anchors.count)]
            let end = min(text.frameCount, anchor.text + Aligner.patternFrames)
            var search = AnchorSearch(text, anchor.text..<end, step: WindowWarp.step)
            let place = anchor.candidate.audio
            search.search(audio, place.lowerBound - 1500..<place.upperBound + 1500)
            guard let best = search.candidates.first else { continue }
            right += best.cost
            wrong += search.wrongCost
            count += 1
        }
        scale = FitScale(right: right / max(1, count), wrong: max(right, wrong) / max(1, count))
    }

    private mutating func alignBetween(_ from: (sentence: Int, audio: Int), _ to: (sentence: Int, audio: Int)) {
        if to.sentence <= from.sentence { return }
        let start = max(0, from.audio - Aligner.margin)
        let end = min(audio.frameCount, to.audio + Aligner.margin)
        let spoken = sentences[to.sentence - 1].upperBound - sentences[from.sentence].lowerBound
        if end - start <= Aligner.mostWindow && spoken <= Aligner.mostWindow {
            return alignWindow(from.sentence..<to.sentence, start..<end)
        }
        // If they are too far apart, align only the parts near each of them.
        let half = Aligner.mostWindow / 2
        var head = from.sentence
        while head < to.sentence, sentences[head].upperBound - sentences[from.sentence].lowerBound <= half { head += 1 }
        var tail = to.sentence
        while tail > head, sentences[to.sentence - 1].upperBound - sentences[tail - 1].lowerBound <= half { tail -= 1 }
        let middle = start + (end - start) / 2
        if from.audio > 0 || from.sentence > 0 || end - start <= 2 * Aligner.mostWindow {
            alignWindow(from.sentence..<head, start..<min(middle, start + Aligner.mostWindow))
        }
        alignWindow(tail..<to.sentence, max(middle, end - Aligner.mostWindow)..<end)
    }

    private mutating func alignWindow(_ range: Range<Int>, _ frames: Range<Int>) {
        if range.isEmpty || frames.isEmpty { return }
        var window = WindowWarp(
            audio: audio.frames(frames, step: WindowWarp.step), energies: audio.energies(frames),
            silence: audio.silence, scale: scale)
        for index in range {
            window.append(
                sentence: text.frames(sentences[index], step: WindowWarp.step),
                energies: text.energies(sentences[index]), silence: text.silence)
        }
        for (index, place) in zip(range, window.align()) {
            guard let place else { continue }
            let (start, end) = (place.audio.lowerBound + frames.lowerBound, place.audio.upperBound + frames.lowerBound)
            places[index] = SentencePlace(audio: start..<end, cost: place.cost)
        }
    }

    // MARK: Results

    /// Returns the sentences that fit, with their starts moved to the beginning of speech.
    private func placed() -> [Placed] {
        var placed: [Placed] = []
        var last = 0
        for (index, place) in places.enumerated() {
            guard let place = place.flatMap({ fits($0) ? $0 : nil }) ?? between(index) else { continue }
            let start = max(last, onset(near: place.audio.lowerBound * SpeechFeatures.milliseconds))
            let end = max(start + 200, place.audio.upperBound * SpeechFeatures.milliseconds)
            if let before = placed.last, before.end > start { placed[placed.count - 1].end = start }
            placed.append(Placed(sentence: index, start: start, end: end))
            last = start
        }
        return placed
    }

    /// Returns the place of a single poorly fitting sentence between two that fit, if the gap is about as long as the sentence.
    private func between(_ index: Int) -> SentencePlace? {
        guard index > 0, index + 1 < places.count, let before = places[index - 1], let after = places[index + 1],
            fits(before), fits(after), before.audio.upperBound < after.audio.lowerBound
        else { return nil }
        let left = before.audio.upperBound..<after.audio.lowerBound
        let spoken = sentences[index].count
        if left.count < spoken * 2 / 3 || left.count > spoken * 3 / 2 + 100 { return nil }
        let start = audio.energies(left).firstIndex { $0 > audio.silence }.map { left.lowerBound + $0 / 2 }
        return start.map { SentencePlace(audio: $0..<max($0 + 1, left.upperBound), cost: 0) }
    }

    /// Returns true if a place fits. Short sentences vary more than long ones.
    private func fits(_ place: SentencePlace) -> Bool {
        let tolerance = 1.3 + 60 / Float(max(1, place.audio.count))
        return place.cost <= scale.wrong + (scale.wrong - scale.right) * tolerance
    }

    /// Returns the nearest end of a silence within 0.8 s; else the same time.
    private func onset(near milliseconds: Int) -> Int {
        let reach = 80
        let middle = milliseconds / 10
        // The silence is measured in half frames of 10 ms.
        let first = max(0, (middle - 2 * reach) / 2)
        let energies = audio.energies(first..<(middle + reach) / 2 + 2)
        var (best, quiet) = (Int.max, first == 0 ? 12 : 0)
        for (index, energy) in energies.enumerated() {
            let at = 2 * first + index
            if energy > audio.silence {
                if quiet >= 12, abs(at - middle) <= reach, abs(at - middle) < abs(best - middle) { best = at }
                quiet = 0
            } else {
                quiet += 1
            }
        }
        return best == Int.max ? milliseconds : 10 * best
    }
}
