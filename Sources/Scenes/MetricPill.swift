// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Text
import Typography

/// A measure with its value, in a capsule with a color that rates the value.
struct MetricPill {
    /// The rating of a value.
    enum Worth: Equatable { case low, medium, high }

    let label: String
    /// The value; nil if unknown.
    let value: Int?
    let range: ClosedRange<Int>
    /// Its spoken and written form: the value with its unit.
    var words: String?
    /// True if lower values are better.
    var isReversed = false

    /// The rating, by thirds of the range.
    var worth: Worth? {
        guard let value else { return nil }
        let span = max(1, range.upperBound - range.lowerBound)
        let part = Float(min(range.upperBound, max(range.lowerBound, value)) - range.lowerBound) / Float(span)
        let good = isReversed ? 1 - part : part
        return good < 1 / 3 ? .low : good < 2 / 3 ? .medium : .high
    }

    private var text: String { label + " " + (words ?? value.map { "\($0)" } ?? "–") }

    func width(_ stage: Stage) -> Int {
        stage.set(text, .metricPill, width: 4 * stage.width).width + 2 * stage.pixels(Spacing.related)
    }

    static func height(_ stage: Stage) -> Int {
        max(stage.pixels(Metrics.metricPillHeight), stage.lineHeight(.metricPill) + 2 * stage.pixels(Spacing.mini))
    }

    private func color(_ theme: Theme) -> Color {
        switch worth {
        case .low: theme.metricLow
        case .medium: theme.metricMedium
        case .high: theme.metricHigh
        case nil: theme.secondaryText
        }
    }

    func draw(_ picture: Picture, _ frame: PixelRect) {
        let color = color(picture.theme)
        picture.canvas.fill(frame, radius: frame.height / 2, with: color.opacity(picture.theme.tagCover))
        picture.write(
            text, .metricPill, in: frame.inset(x: picture.stage.pixels(Spacing.small), y: 0), color, align: .center)
        var spoken =
            words ?? value.map { translated("%1 out of %2", "\($0)", "\(range.upperBound)") } ?? translated("not known")
        if let worth {
            spoken +=
                ", "
                + (worth == .low ? translated("low") : worth == .medium ? translated("medium") : translated("good"))
        }
        picture.add(frame, label, value: spoken)
    }
}
