// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// A large number in a color gradient, with its unit beneath.
struct GradientNumber {
    let value: String
    let label: String

    private func set(_ stage: Stage) -> TextLayout { stage.set(value, .metricValue, width: 4 * stage.width) }

    func width(_ stage: Stage) -> Int {
        max(set(stage).width, stage.set(label, .metricLabel, width: 4 * stage.width).width)
    }

    func height(_ stage: Stage) -> Int { stage.lineHeight(.metricValue) + stage.lineHeight(.metricLabel) }

    func draw(_ picture: Picture, _ frame: PixelRect) {
        let stage = picture.stage
        let number = stage.set(value, .metricValue, width: frame.width)
        picture.write(number, value, x: frame.x, y: frame.y, width: frame.width, picture.theme.numberGradient)
        picture.write(
            label, .metricLabel, in: frame.bottom(frame.height - number.height), picture.theme.secondaryText)
        picture.add(frame, label, value: value)
    }
}
