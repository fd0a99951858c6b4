// SPDX-License-Identifier: Apache-2.0
/// The costs of a matching and of a wrong frame in this recording, measured at its anchors.
struct FitScale {
    /// The mean distance of frames at the right place.
    var right: Float
    /// The mean distance at the best wrong places.
    var wrong: Float

    /// The cost of a silent frame between words.
    var pause: Float { right * 0.6 }
}

/// The place of a sentence, in frames of the audio.
struct SentencePlace {
    var audio: Range<Int>
    /// The mean distance of its frames.
    var cost: Float
}

/// Aligns some sentences with a window of audio by dynamic time warping, which may skip sentences and audio. Skipped audio between
/// sentences costs as much as a frame at a wrong place.
struct WindowWarp {
    /// The number of 20 ms frames merged into one.
    static let step = 2
    /// The most cells of a window (text frames times audio frames), of half a byte each.
    static let mostCells = 13 << 20

    private enum From: UInt8 {
        case diagonal, long, steep, pauseHere, pauseOver, boundary
    }
    private enum Boundary: UInt8 {
        case wait, ended, skipped
    }

    private let audio: [SIMD16<Float>]
    private let isSilent: [Bool]
    private let scale: FitScale
    /// The frames of all sentences in order, and the start of each.
    private var text: [SIMD16<Float>] = []
    private var isTextSilent: [Bool] = []
    private var firsts: [Int] = []

    init(audio: [SIMD16<Float>], energies: [UInt8], silence: UInt8, scale: FitScale) {
        self.audio = audio
        self.scale = scale
        isSilent = WindowWarp.silences(energies, silence, count: audio.count)
    }

    private static func silences(_ energies: [UInt8], _ silence: UInt8, count: Int) -> [Bool] {
        var isSilent: [Bool] = Array(repeating: true, count: count)
        for index in energies.indices where energies[index] > silence {
            let frame = index / (2 * step)
            if frame < count { isSilent[frame] = false }
        }
        return isSilent
    }

    mutating func append(sentence: [SIMD16<Float>], energies: [UInt8], silence: UInt8) {
        firsts.append(text.count)
        text += sentence
        isTextSilent += WindowWarp.silences(energies, silence, count: sentence.count)
    }

    /// Returns a place for each sentence, in 20 ms frames from the start of the window; nil if it is not heard.
    func align() -> [SentencePlace?] {
        let (rows, columns, count) = (text.count, audio.count, firsts.count)
        var places: [SentencePlace?] = Array(repeating: nil, count: count)
        if rows == 0 || columns < 4 || rows > WindowWarp.mostCells / columns { return places }
        var from: [UInt8] = Array(repeating: 0, count: rows * ((columns + 1) / 2))
        var boundaries: [UInt8] = Array(repeating: Boundary.wait.rawValue, count: (count + 1) * columns)
        // The costs of the last three columns, and of the boundaries before each sentence and after the last.
        let room = UnsafeMutablePointer<Float>.allocate(capacity: 5 * rows)
        room.initialize(repeating: .infinity, count: 5 * rows)
        defer { room.deallocate() }
        var (now, before, beyond) = (room, room + rows, room + 2 * rows)
        var (distances, distancesBefore) = (room + 3 * rows, room + 4 * rows)
        var waits: [Float] = Array(repeating: .infinity, count: count + 1)
        var isFirst = [Bool](repeating: false, count: rows)
        var isSecond = [Bool](repeating: false, count: rows)
        var sentenceOf = [Int32](repeating: 0, count: rows)
        for (sentence, first) in firsts.enumerated() where first < rows {
            isFirst[first] = true
            if first + 1 < rows { isSecond[first + 1] = true }
            for row in first..<last(sentence) { sentenceOf[row] = Int32(truncatingIfNeeded: sentence) }
        }
        waits[0] = 0
        for sentence in 0..<count { waits[sentence + 1] = waits[sentence] + skipCost(sentence) }
        for column in 0..<columns {
            (beyond, before, now) = (before, now, beyond)
            (distances, distancesBefore) = (distancesBefore, distances)
            let silent = isSilent[column]
            audio.withNumbers { audio in
                text.withNumbers { text in
                    var row = 0
                    while row < rows {
                        distances[row] = distance(text + 16 * row, audio + 16 * column)
                        row += 1
                    }
                }
            }
            var row = 0
            while row < rows {
                defer { row += 1 }
                let cost = distances[row]
                var best = Float.infinity
                var way = From.boundary
                if isFirst[row] {
                    // Readers pause between sentences, however short.
                    let isAfterPause = column == 0 || isSilent[column - 1]
                    best = waits[Int(sentenceOf[row])] + cost + (isAfterPause ? 0 : scale.right * 6)
                } else {
                    let diagonal = before[row - 1] + cost
                    if diagonal < best { (best, way) = (diagonal, .diagonal) }
                    let long = beyond[row - 1] + cost + distancesBefore[row]
                    if long < best { (best, way) = (long, .long) }
                    if !isSecond[row] {
                        let steep = before[row - 2] + cost * 1.2
                        if steep < best { (best, way) = (steep, .steep) }
                    }
                    if isTextSilent[row] {
                        let over = now[row - 1] + scale.pause * 0.3
                        if over < best { (best, way) = (over, .pauseOver) }
                    }
                }
                if silent {
                    let stays = before[row] + scale.pause
                    if stays < best { (best, way) = (stays, .pauseHere) }
                }
                now[row] = best
                from[row * ((columns + 1) / 2) + column / 2] |= way.rawValue << UInt8(column % 2 * 4)
            }
            let passing = silent ? scale.pause : scale.wrong
            for sentence in 0...count {
                var best = waits[sentence] + passing
                var way = Boundary.wait
                if sentence > 0 {
                    let end = last(sentence - 1)
                    if end > firsts[sentence - 1], now[end - 1] < best { (best, way) = (now[end - 1], .ended) }
                    let skipped = waits[sentence - 1] + skipCost(sentence - 1)
                    if skipped < best { (best, way) = (skipped, .skipped) }
                }
                waits[sentence] = best
                boundaries[sentence * columns + column] = way.rawValue
            }
        }
        trace(from, boundaries, &places)
        return places
    }

    private func between(_ row: Int, _ column: Int) -> Float {
        audio.withNumbers { audio in text.withNumbers { distance($0 + 16 * row, audio + 16 * column) } }
    }

    private func last(_ sentence: Int) -> Int { sentence + 1 < firsts.count ? firsts[sentence + 1] : text.count }

    /// Returns the cost of skipping a sentence: that of half a wrong second, and a little for its length.
    private func skipCost(_ sentence: Int) -> Float {
        scale.wrong * (12 + 0.05 * Float(last(sentence) - firsts[sentence]))
    }

    /// Follows the cheapest path backward.
    private func trace(_ from: [UInt8], _ boundaries: [UInt8], _ places: inout [SentencePlace?]) {
        let columns = audio.count
        var (sentence, column) = (firsts.count, columns - 1)
        while column >= 0 && sentence > 0 {
            switch Boundary(rawValue: boundaries[sentence * columns + column]) {
            case .wait, nil: column -= 1
            case .skipped: sentence -= 1
            case .ended:
                let (end, first) = (column + 1, firsts[sentence - 1])
                var row = last(sentence - 1) - 1
                var (cost, count): (Float, Int) = (0, 0)
                way: while column >= 0 && row >= first {
                    switch From(rawValue: from[row * ((columns + 1) / 2) + column / 2] >> UInt8(column % 2 * 4) & 0xF) {
                    case .boundary, nil:
                        cost += between(row, column)
                        count += 1
                        column -= 1
                        break way
                    case .diagonal:
                        cost += between(row, column)
                        count += 1
                        (row, column) = (row - 1, column - 1)
                    case .long:
                        cost += between(row, column) + between(row, max(0, column - 1))
                        count += 2
                        (row, column) = (row - 1, column - 2)
                    case .steep:
                        cost += between(row, column)
                        count += 1
                        (row, column) = (row - 2, column - 1)
                    case .pauseHere: column -= 1
                    case .pauseOver: row -= 1
                    }
                }
                let start = max(0, column + 1)
                places[sentence - 1] = SentencePlace(
                    audio: start * WindowWarp.step..<max(start + 1, end) * WindowWarp.step,
                    cost: cost / Float(max(1, count)))
                sentence -= 1
            }
        }
    }
}
