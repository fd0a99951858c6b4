// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// A fraction as a ring, with the number in its middle and the name beneath.
struct MetricRing {
    let label: String
    let part: Float

    private var words: String { "\(Int((min(1, max(0, part)) * 100).rounded())) %" }

    /// Returns the ring's side. The words within it follow the listener's text size.
    private func side(_ stage: Stage) -> Int {
        let inner = stage.set(words, .metricPill, width: stage.width).width + 2 * stage.pixels(Metrics.metricRingWidth)
        return max(stage.pixels(Metrics.metricRing), inner + stage.pixels(Spacing.medium))
    }

    func width(_ stage: Stage) -> Int {
        max(side(stage), stage.set(label, .metricLabel, width: 4 * stage.width).width)
    }

    func height(_ stage: Stage) -> Int {
        side(stage) + stage.pixels(Spacing.mini) + stage.lineHeight(.metricLabel)
    }

    func draw(_ picture: Picture, _ frame: PixelRect) {
        let stage = picture.stage
        let side = min(frame.width, self.side(stage))
        var room = frame
        let ring = room.cutTop(side, gap: stage.pixels(Spacing.mini)).middle(width: side)
        Ring(part: min(part, Metrics.almostWhole)).draw(picture, in: ring, width: Metrics.metricRingWidth)
        picture.write(words, .metricPill, in: ring, picture.theme.text, align: .center)
        picture.write(label, .metricLabel, in: room, picture.theme.secondaryText, align: .center)
        picture.add(frame, label, value: words)
    }
}
