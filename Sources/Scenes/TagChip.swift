// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// A word about something, colored by its rating.
struct TagChip {
    enum Impact: Equatable { case helped, hindered, neutral }

    let title: String
    var impact = Impact.neutral

    func width(_ stage: Stage) -> Int {
        stage.set(title, .smallChip, width: stage.width).width + 2 * stage.pixels(Spacing.small)
    }

    static func height(_ stage: Stage) -> Int { stage.lineHeight(.smallChip) + 2 * stage.pixels(Spacing.micro) }

    func draw(_ picture: Picture, _ frame: PixelRect) {
        let stage = picture.stage
        let theme = picture.theme
        let color: Color =
            switch impact {
            case .helped: theme.metricHigh
            case .hindered: theme.metricLow
            case .neutral: theme.secondaryText
            }
        let radius = min(stage.pixels(Radius.chip), frame.height / 2)
        picture.canvas.fill(frame, radius: radius, with: color.opacity(theme.tagCover))
        picture.write(title, .smallChip, in: frame.inset(x: stage.pixels(Spacing.mini), y: 0), color, align: .center)
    }
}
