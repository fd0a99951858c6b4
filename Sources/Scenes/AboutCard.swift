import Design
import Model
import Pixels
import Typography

/// What the speaker holds and has done, in numbers.
public struct SpeakerCounters: Equatable, Sendable {
    public var recordings = 0
    public var books = 0
    /// Of all recordings.
    public var totalSeconds = 0
    public var playedSeconds = 0
    public var uptimeSeconds = 0

    public init() {}

    /// As `stats` tells them, whether from a speaker or from a state file. Nil where there are none.
    public init?(lines text: String) {
        var isEmpty = true
        for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: true) {
            guard let (name, value) = SpeakerStatus.parts(line), let number = Int(value) else { continue }
            switch name {
            case "songs": recordings = number
            case "albums": books = number
            case "db_playtime": totalSeconds = number
            case "playtime": playedSeconds = number
            case "uptime": uptimeSeconds = number
            default: continue
            }
            isEmpty = false
        }
        if isEmpty { return nil }
    }
}

/// The speaker's counters, on a card of glass: large numbers, how much was heard as a ring, and how it is as capsules.
struct AboutCard {
    let counters: SpeakerCounters

    private var numbers: [GradientNumber] {
        [
            GradientNumber(
                value: "\(counters.recordings)", label: counters.recordings == 1 ? "recording" : "recordings"),
            GradientNumber(value: "\(counters.books)", label: counters.books == 1 ? "book" : "books"),
            GradientNumber(value: "\(counters.totalSeconds / 3600)", label: "hours to hear"),
        ]
    }

    private var ring: MetricRing {
        let total = max(1, counters.totalSeconds)
        return MetricRing(label: "heard", part: min(1, Float(counters.playedSeconds) / Float(total)))
    }

    /// The longer without a break the better: ten days are as good as it gets.
    private var pills: [MetricPill] {
        let hours = counters.uptimeSeconds / 3600
        let up = hours < 48 ? "\(hours) h" : "\(hours / 24) days"
        return [MetricPill(label: "Running for", value: min(240, hours), range: 0...240, words: up)]
    }

    private struct Item {
        let frame: PixelRect
        let draw: (Picture, PixelRect) -> Void
    }

    /// From left to right as long as there is room, and on the next line from there.
    private func items(_ stage: Stage, x: Int, y: Int, width: Int) -> (items: [Item], height: Int) {
        let (across, down) = (stage.pixels(Spacing.large), stage.pixels(Spacing.medium))
        var items: [Item] = []
        var (left, top, line) = (x, y, 0)
        func place(_ wide: Int, _ high: Int, _ draw: @escaping (Picture, PixelRect) -> Void) {
            let wide = min(wide, width)
            if left > x && left + wide > x + width { (left, top, line) = (x, top + line + down, 0) }
            items.append(Item(frame: PixelRect(x: left, y: top, width: wide, height: high), draw: draw))
            left += wide + across
            line = max(line, high)
        }
        place(ring.width(stage), ring.height(stage)) { ring.draw($0, $1) }
        for number in numbers {
            place(number.width(stage), max(number.height(stage), stage.pixels(Metrics.metricRing))) { picture, frame in
                let height = number.height(stage)
                number.draw(
                    picture,
                    PixelRect(x: frame.x, y: frame.midY - height / 2, width: frame.width, height: height))
            }
        }
        for pill in pills {
            place(pill.width(stage), MetricPill.height(stage)) { pill.draw($0, $1) }
        }
        return (items, top + line - y)
    }

    func height(_ stage: Stage, width: Int) -> Int {
        let padding = stage.pixels(Spacing.medium)
        return items(stage, x: 0, y: 0, width: width - 2 * padding).height + 2 * padding
    }

    func draw(_ picture: Picture, _ frame: PixelRect) {
        let stage = picture.stage
        let padding = stage.pixels(Spacing.medium)
        picture.glassCard(frame)
        let inner = frame.inset(by: padding)
        for item in items(stage, x: inner.x, y: inner.y, width: inner.width).items { item.draw(picture, item.frame) }
    }
}
