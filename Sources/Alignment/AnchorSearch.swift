// SPDX-License-Identifier: Apache-2.0
/// A possible place of a part of the spoken text.
struct AnchorCandidate {
    /// The range in the audio, in frames.
    var audio: Range<Int>
    /// The mean distance of a frame; the right place has the least.
    var cost: Float
    /// The distance of the cost below all other places, in their standard deviations.
    var score: Float
}

/// Searches a part of the spoken text in the audio by subsequence warping: it may begin and end anywhere, at half to twice its pace.
struct AnchorSearch {
    /// The number of 20 ms frames merged into one, which is fine enough for parts of 20 s.
    static let coarse = 4
    /// The length of a piece of longer audio, and the overlap of pieces, in frames: 15 minutes and 1 minute.
    private static let pieceFrames = 45_000
    private static let overlapFrames = 3_000
    /// The distance below which two places count as the same, in frames.
    private static let apart = 100
    private static let mostCandidates = 3

    /// The score for each thousandth by which a place costs less than the best place of the reversed sound, and the highest score. In five
    /// recordings in three languages right places cost 26 to 132 thousandths less, those of other texts -13 to 18.
    private static let scoreOfThousandth: Float = 0.077
    private static let mostScoreOfGap: Float = 6

    private let pattern: [SIMD16<Float>]
    private let step: Int
    private(set) var candidates: [AnchorCandidate] = []
    private var sum = 0.0
    private var squares = 0.0
    private var count = 0

    /// - Parameter range: the frames of the text to search for.
    init(_ text: FeatureStream, _ range: Range<Int>, step: Int = AnchorSearch.coarse) {
        pattern = text.frames(range, step: step)
        self.step = step
    }

    /// Makes a search for the reversed sound of another search. No recording contains that.
    init(backwards search: AnchorSearch) {
        pattern = search.pattern.reversed()
        step = search.step
    }

    /// Raises the scores of candidates that cost less than any place of the reversed sound. In a recording of a minute, the right place is
    /// too large a part of the whole to stand out.
    /// - Parameter backward: the reversed search in the same audio.
    mutating func compare(with backwards: AnchorSearch) {
        guard let wrong = backwards.candidates.first?.cost, wrong > 0 else { return }
        for index in candidates.indices {
            let thousandths = 1000 * (wrong - candidates[index].cost) / wrong
            let score = min(AnchorSearch.mostScoreOfGap, AnchorSearch.scoreOfThousandth * thousandths)
            candidates[index].score = max(candidates[index].score, score)
        }
    }

    /// - Parameter range: the frames of the audio to search in.
    mutating func search(_ audio: FeatureStream, _ range: Range<Int>) {
        var from = max(0, range.lowerBound)
        let end = min(audio.frameCount, range.upperBound)
        while from < end {
            let pieceEnd = min(end, from + AnchorSearch.pieceFrames)
            let frames = audio.frames(from..<pieceEnd, step: step)
            warp(frames, from)
            if pieceEnd == end { break }
            from = pieceEnd - AnchorSearch.overlapFrames
        }
        let mean = sum / Double(max(1, count))
        let deviation = max(1e-6, squares / Double(max(1, count)) - mean * mean).squareRoot()
        for index in candidates.indices {
            candidates[index].score = Float((mean - Double(candidates[index].cost)) / deviation)
        }
    }

    /// The cost of the best wrong place: two standard deviations below the mean.
    var wrongCost: Float {
        let mean = sum / Double(max(1, count))
        return Float(mean - 2 * max(1e-6, squares / Double(max(1, count)) - mean * mean).squareRoot())
    }

    private mutating func warp(_ audio: [SIMD16<Float>], _ offset: Int) {
        let (rows, columns) = (pattern.count, audio.count)
        if rows < 4 || columns < rows / 2 { return }
        // The last three rows of costs and of the starts of their paths, and the last two of distances.
        var costs: [Float] = Array(repeating: .infinity, count: 3 * columns)
        var starts: [Int32] = Array(repeating: 0, count: 3 * columns)
        var distances: [Float] = Array(repeating: 0, count: 2 * columns)
        costs.withUnsafeMutableBufferPointer { costs in
            starts.withUnsafeMutableBufferPointer { starts in
                distances.withUnsafeMutableBufferPointer { distances in
                    audio.withNumbers { audio in
                        pattern.withNumbers { pattern in
                            AnchorSearch.fill(
                                pattern, rows, audio, columns, costs.baseAddress!, starts.baseAddress!,
                                distances.baseAddress!)
                        }
                    }
                }
            }
        }
        let last = (rows - 1) % 3 * columns
        for column in rows / 2..<columns where costs[last + column] < .infinity {
            let cost = costs[last + column] / Float(rows)
            sum += Double(cost)
            squares += Double(cost) * Double(cost)
            count += 1
            let start = offset + Int(starts[last + column]) * step
            let end = offset + (column + 1) * step
            keep(AnchorCandidate(audio: start..<max(start + 1, end), cost: cost, score: 0))
        }
    }

    private mutating func keep(_ candidate: AnchorCandidate) {
        if let last = candidates.last, candidates.count == AnchorSearch.mostCandidates, last.cost <= candidate.cost {
            return
        }
        if let near = candidates.firstIndex(where: {
            abs($0.audio.lowerBound - candidate.audio.lowerBound) < AnchorSearch.apart
        }) {
            if candidates[near].cost <= candidate.cost { return }
            candidates.remove(at: near)
        }
        let place = candidates.firstIndex { $0.cost > candidate.cost } ?? candidates.count
        candidates.insert(candidate, at: place)
        if candidates.count > AnchorSearch.mostCandidates { candidates.removeLast() }
    }

    private static func fill(
        _ pattern: UnsafePointer<Float>, _ rows: Int, _ audio: UnsafePointer<Float>, _ columns: Int,
        _ costs: UnsafeMutablePointer<Float>, _ starts: UnsafeMutablePointer<Int32>,
        _ distances: UnsafeMutablePointer<Float>
    ) {
        var row = 0
        while row < rows {
            let frame = pattern + 16 * row
            let (now, before) = (row % 2 * columns, (row + 1) % 2 * columns)
            var column = 0
            while column < columns {
                distances[now + column] = distance(frame, audio + 16 * column)
                column += 1
            }
            let (here, above, beyond) = (row % 3 * columns, (row + 2) % 3 * columns, (row + 1) % 3 * columns)
            column = 0
            while column < columns {
                defer { column += 1 }
                let cost = distances[now + column]
                if row == 0 {
                    costs[here + column] = cost
                    starts[here + column] = Int32(truncatingIfNeeded: column)
                    continue
                }
                var (best, start) = (Float.infinity, Int32(0))
                if column >= 1 {
                    (best, start) = (costs[above + column - 1] + cost, starts[above + column - 1])
                    if row >= 2 {
                        let skewed = costs[beyond + column - 1] + distances[before + column] + cost
                        if skewed < best { (best, start) = (skewed, starts[beyond + column - 1]) }
                    }
                }
                if column >= 2 {
                    let skewed = costs[above + column - 2] + cost
                    if skewed < best { (best, start) = (skewed, starts[above + column - 2]) }
                }
                costs[here + column] = best
                starts[here + column] = start
            }
            row += 1
        }
    }
}
