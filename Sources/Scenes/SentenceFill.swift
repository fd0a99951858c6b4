// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Pixels
import Typography

/// The spoken part of a sentence: it grows along the lines, one after the other, as time goes on. In steps, so that few pictures show it.
struct SentenceFill: Equatable {
    /// In pixels of the lines as if they stood in one row.
    let reached: Int
    /// The place in the recording at which it grows, in milliseconds; nil if it does not.
    let next: Int?

    /// All of it from the start.
    static let whole = SentenceFill(reached: .max, next: nil)

    /// One step lasts no shorter, in milliseconds of the listener's time.
    private static let leastMilliseconds = 200

    /// A month: what lasts longer is a stranger's error.
    private static let longestMilliseconds: Int64 = 1 << 31

    private init(reached: Int, next: Int?) { (self.reached, self.next) = (reached, next) }

    /// - Parameters:
    ///   - elapsed: the place of the ear, in milliseconds.
    ///   - percent: the speed.
    ///   - leastStep: in pixels.
    init(_ text: TextLayout, of sentence: Segment, elapsed: Int, percent: Int, leastStep: Int) {
        let duration = Int64(max(0, sentence.endMilliseconds)) - Int64(max(0, sentence.startMilliseconds))
        guard (1...SentenceFill.longestMilliseconds).contains(duration) else {
            self = .whole
            return
        }
        let total = Int64(text.lines.reduce(0) { $0 + $1.pixelWidth })
        let heard = duration * 100 / Int64(max(1, percent)) / Int64(SentenceFill.leastMilliseconds)
        let steps = max(1, min(heard, total / Int64(max(1, leastStep))))
        let passed = min(max(0, Int64(elapsed) - Int64(max(0, sentence.startMilliseconds))), duration)
        let step = passed * steps / duration
        reached = step == steps ? .max : Int(total * step / steps)
        let grows = Int(clamping: ((step + 1) * duration + steps - 1) / steps)
        next = step == steps ? nil : sentence.startMilliseconds.addingSaturated(grows)
    }
}

/// Where the spoken part ends on each line.
struct FillEdge {
    let text: TextLayout
    /// Of the area, and of the room beside the letters, in pixels.
    let width: Int
    let margin: Int

    /// Returns the line on which it ends, and by how many pixels it has come there.
    func end(_ reached: Int) -> (line: Int, read: Int) {
        var left = reached
        for (index, line) in text.lines.enumerated() {
            if left < line.pixelWidth { return (index, left) }
            left -= line.pixelWidth
        }
        return (text.lines.count, 0)
    }

    /// Returns the columns of the area where a line is read. Their ends are multiples of four, as moving letters are drawn.
    func columns(of line: Int, _ reached: Int) -> Range<Int> {
        let (last, read) = end(reached)
        if line < last { return 0..<width }
        let none = line > last || read == 0
        if text.isRightToLeft { return (none ? width : (width - margin - read) & ~3)..<width }
        return 0..<(none ? 0 : (margin + read) & ~3)
    }

    /// A stretch of some lines in one ink.
    typealias Piece = (lines: Range<Int>, columns: Range<Int>, isRead: Bool)

    /// All of the text.
    func pieces(_ reached: Int) -> [Piece] {
        let (last, all) = (end(reached).line, 0..<width)
        if last >= text.lines.count { return [(0..<text.lines.count, all, true)] }
        let read = columns(of: last, reached)
        let ahead = text.isRightToLeft ? 0..<read.lowerBound : read.upperBound..<width
        return [
            (0..<last, all, true), (last..<last + 1, read, true), (last..<last + 1, ahead, false),
            (last + 1..<text.lines.count, all, false),
        ].filter { !$0.lines.isEmpty && !$0.columns.isEmpty }
    }

    /// The lines' stretches that are read by now and were not before.
    func grown(from old: Int, to new: Int) -> [Piece] {
        let last = min(end(new).line, text.lines.count - 1)
        return (min(end(old).line, last)..<last + 1).map { line in
            let (before, now) = (columns(of: line, old), columns(of: line, new))
            let columns =
                text.isRightToLeft
                ? now.lowerBound..<max(now.lowerBound, before.lowerBound)
                : min(before.upperBound, now.upperBound)..<now.upperBound
            return (line..<line + 1, columns, true)
        }.filter { !$0.columns.isEmpty }
    }
}
