// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// The hourly values of a counter as small bars, with their sum beneath.
struct Sparkline {
    let label: String
    /// The values, oldest hour first, the current hour last.
    let values: [Int]
    /// The sum of all values, in words.
    let words: String

    private var text: String { label + ": " + words }

    func width(_ stage: Stage) -> Int {
        max(
            values.count * stage.pixels(Metrics.sparkStep),
            stage.set(text, .metricLabel, width: 4 * stage.width).width)
    }

    func height(_ stage: Stage) -> Int {
        stage.pixels(Metrics.sparkHeight + Spacing.mini) + stage.lineHeight(.metricLabel)
    }

    func draw(_ picture: Picture, _ frame: PixelRect) {
        let (stage, theme) = (picture.stage, picture.theme)
        var room = frame
        let bars = room.cutTop(stage.pixels(Metrics.sparkHeight), gap: stage.pixels(Spacing.mini))
        let step = min(stage.pixels(Metrics.sparkStep), bars.width / max(1, values.count))
        let most = max(1, values.max() ?? 1)
        let least = stage.scale.line(2)
        for (index, value) in values.enumerated() {
            // Every value above zero is visible.
            let high = max(value == 0 ? least : 2 * least, Int(Float(bars.height) * Float(value) / Float(most)))
            let bar = PixelRect(
                x: bars.x + index * step, y: bars.maxY - high, width: max(1, step - stage.scale.line(1)), height: high)
            let isNow = index == values.count - 1
            picture.canvas.fill(
                bar, with: value == 0 ? theme.track : isNow ? theme.accent : theme.secondaryText)
        }
        picture.write(text, .metricLabel, in: room, theme.secondaryText)
        picture.add(frame, label, value: words)
    }
}
