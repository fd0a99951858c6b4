// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Pixels
import Typography

/// The spoken part of a sentence. It grows line by line as time passes, in steps, so that few pictures are needed.
struct SentenceFill: Equatable {
    /// The length of the spoken part in pixels, with all lines in one row.
    let reached: Int
    /// The position at which it grows next, in milliseconds; nil if it does not.
    let next: Int?

    /// A sentence that is filled from the start.
    static let whole = SentenceFill(reached: .max, next: nil)

    /// The shortest step, in milliseconds of the listener's time.
    private static let leastMilliseconds = 200

    /// The longest believable sentence, in milliseconds: about a month. Longer ones are errors in the file.
    private static let longestMilliseconds: Int64 = 1 << 31

    private init(reached: Int, next: Int?) { (self.reached, self.next) = (reached, next) }

    /// - Parameters:
    ///   - elapsed: the playback position, in milliseconds.
    ///   - percent: the speed, in percent.
    ///   - leastStep: the shortest step, in pixels.
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

/// The end of the spoken part on each line.
struct FillEdge {
    let text: TextLayout
    /// The widths of the area and of the room beside the letters, in pixels.
    let width: Int
    let margin: Int

    /// Returns the line with the end of the spoken part, and its length on that line in pixels.
    func end(_ reached: Int) -> (line: Int, read: Int) {
        var left = reached
        for (index, line) in text.lines.enumerated() {
            if left < line.pixelWidth { return (index, left) }
            left -= line.pixelWidth
        }
        return (text.lines.count, 0)
    }

    /// Returns the columns of a line that are spoken. Their ends are multiples of four, as moving letters are drawn.
    func columns(of line: Int, _ reached: Int) -> Range<Int> {
        let (last, read) = end(reached)
        if line < last { return 0..<width }
        let none = line > last || read == 0
        if text.isRightToLeft { return (none ? width : (width - margin - read) & ~3)..<width }
        return 0..<(none ? 0 : (margin + read) & ~3)
    }

    /// A part of some lines in one ink.
    typealias Piece = (lines: Range<Int>, columns: Range<Int>, isRead: Bool)

    /// Returns the pieces of the whole text.
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

    /// Returns the pieces that are newly spoken.
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
