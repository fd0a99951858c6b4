// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Pixels
import Text
import Typography

/// The listening time of the last days, one bar for each, today's in the accent color.
struct WeekChart {
    /// The seconds of each day, oldest first, today last.
    let seconds: [Int]
    /// Today's day of the week, counted from Sunday.
    let weekday: Int

    private static var title: String { translated("Heard this week") }

    /// Returns a day's letter.
    /// - Parameter day: 0 for Sunday.
    private static func letter(_ day: Int) -> String {
        switch day {
        case 0: translated("S", as: "Sunday")
        case 1: translated("M", as: "Monday")
        case 2: translated("T", as: "Tuesday")
        case 3: translated("W", as: "Wednesday")
        case 4: translated("T", as: "Thursday")
        case 5: translated("F", as: "Friday")
        default: translated("S", as: "Saturday")
        }
    }

    private var sum: Int { seconds.reduce(0) { $0.addingSaturated($1) } }

    static func words(_ seconds: Int) -> String {
        seconds == 0 ? translated("nothing yet") : Words.minutes(Int(clamping: Int64(seconds) * 1000))
    }

    func height(_ stage: Stage) -> Int {
        stage.lineHeight(.rowTitle) + stage.pixels(2 * Spacing.small + Metrics.chartHeight)
            + stage.lineHeight(.metricLabel)
    }

    func draw(_ picture: Picture, _ frame: PixelRect) {
        let (stage, theme) = (picture.stage, picture.theme)
        var room = frame
        var head = room.cutTop(stage.lineHeight(.rowTitle), gap: stage.pixels(Spacing.small))
        let total = stage.set(WeekChart.words(sum), .rowTitle, width: head.width / 2)
        picture.write(
            total, WeekChart.words(sum), in: head.cutRight(total.width, gap: stage.pixels(Spacing.small)),
            theme.secondaryText)
        picture.write(WeekChart.title, .rowTitle, in: head, theme.text)
        let days = room.cutBottom(stage.lineHeight(.metricLabel), gap: stage.pixels(Spacing.small))
        let most = max(1, seconds.max() ?? 1)
        let wide = stage.pixels(Metrics.chartBar)
        for (index, value) in seconds.enumerated() {
            let left = room.width * index / seconds.count
            let cell = PixelRect(
                x: room.x + left, y: room.y, width: room.width * (index + 1) / seconds.count - left, height: room.height
            )
            let isToday = index == seconds.count - 1
            // Every value above zero is visible.
            let high = value == 0 ? 0 : max(wide / 2, Int(Float(room.height) * Float(value) / Float(most)))
            let bar = cell.middle(width: min(wide, cell.width * 2 / 3))
            let radius = min(bar.width / 2, stage.pixels(Radius.chip))
            if high == 0 {
                picture.canvas.fill(bar.bottom(stage.scale.line(2)), with: theme.track)
            } else {
                picture.canvas.fill(
                    bar.bottom(high), radius: radius, with: isToday ? theme.accent : theme.secondaryText)
            }
            let letter = WeekChart.letter((weekday + 8 + index - seconds.count) % 7)
            var place = cell
            (place.y, place.height) = (days.y, days.height)
            picture.write(letter, .metricLabel, in: place, isToday ? theme.text : theme.secondaryText, align: .center)
        }
        let today = translated("today %1", WeekChart.words(seconds.last ?? 0))
        picture.add(frame, WeekChart.title, value: WeekChart.words(sum) + ", " + today)
    }
}
