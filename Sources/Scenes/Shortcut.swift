// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Text
import Typography

/// A listening setting on the player, the speed or the sleep timer. It stands in a capsule while it differs from the usual value.
struct Shortcut {
    private let question: Element.Question
    private let symbol: Symbol?
    /// The texts, from the longest to the shortest.
    private let texts: [String]
    private let isUsual: Bool
    private let label: String
    private let value: String
    private let hint: String

    static func speed(_ state: SpeakerStatus) -> Shortcut {
        let words = Words.speed(state.speed.percent)
        return Shortcut(
            question: .speed, symbol: nil, texts: [words], isUsual: state.speed == .own, label: translated("Speed"),
            value: words,
            hint: translated("changes how fast it plays"))
    }

    static func sleep(_ state: SpeakerStatus) -> Shortcut {
        let isOff = state.sleep == .off
        return Shortcut(
            question: .sleep, symbol: .moon, texts: isOff ? [""] : [state.sleep.words, state.sleep.shortWords, ""],
            isUsual: isOff, label: translated("Sleep timer"), value: state.sleep.words,
            hint: translated("sets when it falls silent"))
    }

    private func padding(_ stage: Stage) -> Int { stage.pixels(stage.isCompact ? Spacing.mini : Spacing.related) }

    private func width(_ text: String, _ stage: Stage) -> Int {
        let sign = symbol == nil ? 0 : stage.pixels(Metrics.buttonSymbol)
        let gap = symbol == nil || text.isEmpty ? 0 : stage.pixels(Spacing.mini)
        let words = text.isEmpty ? 0 : stage.set(text, .pill, width: stage.width).width
        return max(stage.pixels(Metrics.target), words + gap + sign + 2 * padding(stage))
    }

    /// Returns the longest text that fits; nil if none does.
    private func fitting(_ width: Int, _ stage: Stage) -> String? { texts.first { self.width($0, stage) <= width } }

    func fits(_ room: PixelRect, _ stage: Stage) -> Bool { fitting(room.width, stage) != nil }

    /// - Parameters:
    ///   - room: the available place, as high as a touch area.
    ///   - isAtEnd: true puts it at the right end, false at the left.
    /// - Returns: its place; nil without room.
    @discardableResult
    func draw(_ picture: Picture, in room: PixelRect, isAtEnd: Bool) -> PixelRect? {
        let (stage, theme) = (picture.stage, picture.theme)
        guard let text = fitting(room.width, stage) else { return nil }
        let width = width(text, stage)
        let frame = isAtEnd ? room.right(width) : room.left(width)
        let capsule = frame.middle(height: min(frame.height, Pill.height(stage)))
        if !isUsual { picture.canvas.fill(capsule, radius: capsule.height / 2, with: theme.pill) }
        var (ink, ground): (Color, Color?) = (theme.text, nil)
        if !text.isEmpty && !picture.canBeRead(theme.text, in: capsule) {
            (ink, ground) = (theme.solidPillText, theme.solidPill)
            picture.canvas.fill(capsule, radius: capsule.height / 2, with: theme.solidPill)
        }
        var inner = capsule.inset(x: padding(stage), y: 0)
        if let symbol {
            let gap = stage.pixels(Spacing.mini)
            let sign = text.isEmpty ? capsule : inner.cutLeft(stage.pixels(Metrics.buttonSymbol), gap: gap)
            picture.draw(symbol, in: sign, points: Metrics.buttonSymbol, ink)
        }
        if !text.isEmpty {
            let isAlone = symbol == nil
            picture.write(
                text, .pill, in: isAlone ? capsule : inner, ink, align: isAlone ? .center : .leading, on: ground)
        }
        picture.add(frame, label, value: value, hint: hint, action: .ask(question))
        return frame
    }
}

extension Sleep {
    /// "30", "chapter": enough beside a moon.
    fileprivate var shortWords: String {
        switch self {
        case .off: ""
        case .minutes(let minutes): "\(minutes)"
        case .chapter: translated("chapter", as: "sleeps to its end")
        case .chapters: words
        case .item: translated("item", as: "sleeps to its end")
        case .book: translated("book", as: "sleeps to its end")
        }
    }
}
