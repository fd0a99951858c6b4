// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// A finger on the progress: the position it has reached, and the sentence spoken there.
struct Scrub {
    private let bar: PixelRect
    private let duration: Int
    private var x: Int
    private var sentence = ""
    /// True if it must be redrawn.
    private(set) var isDirty = true

    init(bar: PixelRect, x: Int, duration: Int) {
        self.bar = bar
        self.x = x
        self.duration = duration
    }

    mutating func move(_ by: Int) {
        x += by
        isDirty = true
    }

    mutating func show(_ sentence: String) {
        isDirty = isDirty || sentence != self.sentence
        self.sentence = sentence
    }

    /// The finger's position, in milliseconds.
    var place: Int {
        let part = Float(x - bar.x) / Float(max(1, bar.width - 1))
        return Int(Float(duration) * min(1, max(0, part)))
    }

    private var words: String { sentence.isEmpty ? Words.time(place) : Words.time(place) + "  " + sentence }

    private static let lines = 2

    func frame(_ stage: Stage, above bar: PixelRect) -> PixelRect {
        let margin = stage.pixels(Spacing.small)
        let width = min(stage.width - 2 * margin, max(bar.width, stage.pixels(Metrics.menuWidth)))
        let height = Scrub.lines * stage.lineHeight(.rowDetail) + 2 * margin
        let x = min(max(margin, bar.midX - width / 2), stage.width - margin - width)
        return PixelRect(x: x, y: max(0, bar.y - height), width: width, height: height)
    }

    mutating func draw(_ picture: Picture, in frame: PixelRect) {
        isDirty = false
        let stage = picture.stage
        let theme = stage.theme
        let margin = stage.pixels(Spacing.small)
        picture.canvas.fill(frame, radius: stage.pixels(Radius.chip), with: theme.solidPill)
        let set = stage.set(words, .rowDetail, width: frame.width - 2 * margin, lines: Scrub.lines)
        picture.write(
            set, words, x: frame.x + margin, y: frame.y + (frame.height - set.height) / 2,
            width: frame.width - 2 * margin, theme.solidPillText, on: theme.solidPill)
    }
}
