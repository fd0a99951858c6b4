// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Design
import Model
import Pixels
import Text
import Typography

/// The speaker's counts, for the About card.
public struct SpeakerCounters: Equatable, Sendable {
    public var recordings = 0
    public var books = 0
    /// The length of all recordings.
    public var totalSeconds = 0
    public var playedSeconds = 0
    public var uptimeSeconds = 0
    /// The seconds listened on each of the last days, today last; empty if unknown.
    public var weekSeconds: [Int] = []
    /// Today's day of the week, counted from Sunday.
    public var weekday = 0
    /// The seconds listened and the underruns in each of the last hours; empty if unknown.
    public var hourSeconds: [Int] = []
    public var hourUnderruns: [Int] = []

    public init() {}

    /// Reads the answer to `stats`, from a speaker or from a state file. Returns nil if it has no counters.
    public init?(lines text: String) {
        var isEmpty = true
        for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: true) {
            guard let (name, value) = SpeakerStatus.parts(line) else { continue }
            switch name {
            case "week": weekSeconds = SpeakerCounters.counts(value, most: HeardWeek.days)
            case "hours": hourSeconds = SpeakerCounters.counts(value, most: HourlyCounts.hours)
            case "xruns": hourUnderruns = SpeakerCounters.counts(value, most: HourlyCounts.hours)
            default: break
            }
            guard let number = Int(value) else { continue }
            switch name {
            case "weekday": weekday = min(6, max(0, number))
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

    private static func counts(_ text: String, most: Int) -> [Int] {
        text.utf8.split(separator: 0x20).prefix(most).map { max(0, Int(Substring($0)) ?? 0) }
    }
}

extension SpeakerCounters {
    /// Sets today's weekday from the viewer's clock: the speaker may be in another time zone.
    mutating func setDay() {
        var now = time(nil)
        var parts = tm()
        if localtime_r(&now, &parts) != nil { weekday = Int(parts.tm_wday) }
    }
}

/// The speaker's counters: large numbers, the heard part as a ring, and the state as capsules.
struct AboutCard {
    let counters: SpeakerCounters

    private var numbers: [GradientNumber] {
        [
            GradientNumber(
                value: "\(counters.recordings)",
                label: translated("recording", plural: "recordings", Int64(counters.recordings))),
            GradientNumber(
                value: "\(counters.books)", label: translated("book", plural: "books", Int64(counters.books))),
            GradientNumber(value: "\(counters.totalSeconds / 3600)", label: translated("hours to hear")),
        ]
    }

    private var ring: MetricRing {
        let total = max(1, counters.totalSeconds)
        return MetricRing(label: translated("heard"), part: min(1, Float(counters.playedSeconds) / Float(total)))
    }

    /// The capsules of the card. Ten days without a restart count as the best.
    private var pills: [MetricPill] {
        let hours = counters.uptimeSeconds / 3600
        let up =
            hours < 48 ? translated("%1 h", "\(hours)") : translated("%1 day", plural: "%1 days", Int64(hours / 24))
        return [MetricPill(label: translated("Running for"), value: min(240, hours), range: 0...240, words: up)]
    }

    private var sparklines: [Sparkline] {
        let heard = counters.hourSeconds.reduce(0) { $0.addingSaturated($1) }
        let missed = counters.hourUnderruns.reduce(0) { $0.addingSaturated($1) }
        return [
            Sparkline(label: translated("Heard in a day"), values: counters.hourSeconds, words: WeekChart.words(heard)),
            Sparkline(
                label: translated("Interrupted in a day"), values: counters.hourUnderruns,
                words: AboutCard.times(missed)),
        ].filter { !$0.values.isEmpty }
    }

    private static func times(_ count: Int) -> String {
        if count == 0 { return translated("never") }
        return count == 1
            ? translated("once", as: "how often") : translated("%1 time", plural: "%1 times", Int64(count))
    }

    func layOut(_ column: inout Column) {
        let stage = column.stage
        if !counters.weekSeconds.isEmpty {
            let chart = WeekChart(seconds: counters.weekSeconds, weekday: counters.weekday)
            column.add(chart.height(stage)) { chart.draw($0, $1) }
            column.space(Spacing.large)
        }
        column.flow(across: stage.pixels(Spacing.large), down: stage.pixels(Spacing.medium)) { flow in
            flow.add(width: ring.width(stage), height: ring.height(stage)) { ring.draw($0, $1) }
            for number in numbers {
                let height = number.height(stage)
                flow.add(width: number.width(stage), height: max(height, stage.pixels(Metrics.metricRing))) {
                    number.draw($0, $1.middle(height: height))
                }
            }
            for pill in pills {
                flow.add(width: pill.width(stage), height: MetricPill.height(stage)) { pill.draw($0, $1) }
            }
        }
        if sparklines.isEmpty { return }
        column.space(Spacing.medium)
        column.flow(across: stage.pixels(Spacing.large), down: stage.pixels(Spacing.medium)) { flow in
            for line in sparklines {
                flow.add(width: line.width(stage), height: line.height(stage)) { line.draw($0, $1) }
            }
        }
    }
}
