// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Text
import Typography

/// The words of the large and simple player.
struct SimpleWords: Equatable {
    let title: String
    /// The line below it, from the longest form to the shortest; empty for nothing.
    let lines: [String]
    let transport: Transport
    /// The text that chooses the colors of a cover without a picture; "" if nothing plays or there is a trouble.
    let book: String

    init(_ state: SpeakerStatus) {
        transport = Transport(state)
        if let trouble = state.trouble {
            let (title, advice) = Words.trouble(trouble, name: state.troubleName)
            (self.title, lines, book) = (title, [advice], "")
        } else if state.title.isEmpty {
            (title, lines, book) = (translated("Nothing is playing"), [], "")
        } else {
            title = state.title
            lines = SimpleWords.left(of: state).map { Words.left($0) } ?? []
            book = state.book.isEmpty ? state.title : state.book
        }
    }

    /// Returns the milliseconds until the end, at the current speed; nil if unknown.
    private static func left(of state: SpeakerStatus) -> Int? {
        guard let duration = state.durationMilliseconds else { return nil }
        let left = Int64(max(0, duration - state.positionMilliseconds))
        return Int(clamping: left * 100 / Int64(max(1, state.speed.percent)))
    }

    /// Returns the milliseconds until the words change by time alone; nil for never.
    static func nextChange(_ state: SpeakerStatus) -> Int? {
        guard state.isRunning, state.trouble == nil, !state.title.isEmpty, let left = left(of: state) else {
            return nil
        }
        let until = Words.untilMinutesChange(left)
        // The position is exact to a millisecond of the recording, which may take longer to play.
        return left < until ? nil : until + 1 + (99 + state.speed.percent) / max(1, state.speed.percent)
    }
}

extension Words {
    /// Returns the remaining time in words, from the longest form to the shortest.
    static func left(_ milliseconds: Int) -> [String] {
        let minutes = rounded(milliseconds)
        if minutes < 1 {
            return [translated("Less than a minute left"), translated("%1 left", lengthWords(minutes: 1))]
        }
        let short = Words.minutes(milliseconds)
        let ways = [translated("%1 left", lengthWords(minutes: Int64(minutes))), translated("%1 left", short)]
        return minutes < 60 || minutes % 60 == 0 ? ways : ways + [short]
    }

    /// Returns the minutes, rounded to the nearest.
    static func rounded(_ milliseconds: Int) -> Int { milliseconds.addingSaturated(30_000) / 60_000 }

    /// Returns how long a decreasing time stays rounded to its present minutes, in milliseconds. If less than that is left, the words stay
    /// until the end.
    static func untilMinutesChange(_ milliseconds: Int) -> Int { milliseconds.addingSaturated(30_000) % 60_000 }
}

extension SimpleWords {
    /// Draws the words as large as they fit, vertically centered.
    /// - Parameters:
    ///   - isCentred: true centers them horizontally, too.
    ///   - way: the place where a touch shows the books; nil if the title is not a button.
    func draw(
        _ picture: Picture, in place: PixelRect, _ measures: SimpleMeasures, _ ink: Color, isCentred: Bool = false,
        way: PixelRect? = nil
    ) {
        let stage = picture.stage
        let below = measures.isTiny ? nil : line(stage, place, measures)
        let set = measures.fitting(
            title, stage, width: place.width, height: place.height - (below?.set.height ?? 0))
        var room = place.middle(height: set.height + (below?.set.height ?? 0))
        let frame = room.cutTop(set.height)
        picture.write(set, title, in: frame, ink, align: isCentred ? .center : .leading)
        picture.add(
            way ?? frame, translated("Title"), value: title, hint: way == nil ? "" : translated("shows the books"),
            action: way == nil ? .none : .show(.library))
        guard let below else { return }
        let isAcross = below.set.isRightToLeft != set.isRightToLeft
        picture.write(
            below.set, below.text, in: room, ink, align: isCentred ? .center : isAcross ? .trailing : .leading)
        picture.add(room, lines[0])
    }

    /// Returns the longest form that fits in one line. A text with a single form may take two.
    private func line(_ stage: Stage, _ place: PixelRect, _ measures: SimpleMeasures) -> (
        set: TextLayout, text: String
    )? {
        guard let last = lines.last, place.height >= measures.titleLine + measures.wordsLine else { return nil }
        for text in lines {
            let set = stage.set(text, measures.words, width: place.width)
            if !set.isTruncated { return (set, text) }
        }
        let count = lines.count > 1 || place.height < measures.titleLine + 2 * measures.wordsLine ? 1 : 2
        return (stage.set(last, measures.words, width: place.width, lines: count), last)
    }
}
