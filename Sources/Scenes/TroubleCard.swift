// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Typography

extension SpeakerStatus {
    /// The trouble that replaces the spoken words; nil if it is a mere fact, which leaves them visible.
    var toldTrouble: Trouble? {
        switch trouble {
        case .clockNotSet, .settingsMistaken: segments.isEmpty ? trouble : nil
        default: trouble
        }
    }
}

/// A trouble and its remedy: a symbol, a title and advice on a card of its own.
struct TroubleCard {
    private let title: String
    private let advice: String
    private let symbol: Symbol

    /// - Parameter stick: the name of the missing stick; nil if none is missing.
    init(_ trouble: Trouble, name: String?) {
        (title, advice) = Words.trouble(trouble, name: name)
        symbol =
            switch trouble {
            case .lookingForAudio: .search
            case .queueEmpty, .noAudioFound: .book
            default: .warning
            }
    }

    var words: String { title + ". " + advice }

    /// Returns its least height, in pixels.
    static func leastHeight(_ stage: Stage) -> Int {
        2 * stage.lineHeight(.footnote) + stage.pixels(stage.isCompact ? Spacing.small : Spacing.medium)
    }

    /// Draws the card in the middle of a room, as high as needed.
    func draw(_ picture: Picture, in room: PixelRect) {
        let stage = picture.stage
        let padding = stage.pixels(stage.isCompact ? Spacing.small : Spacing.medium)
        let gap = stage.pixels(stage.isCompact ? Spacing.small : Spacing.related)
        let sign = stage.pixels(Metrics.troubleSign)
        var inner = room.inset(x: padding, y: padding / 2)
        let hasSign = inner.width > 6 * sign
        let place = hasSign ? inner.cutLeft(sign, gap: gap) : inner.left(0)
        let (head, tail) = TroubleWords.fitting(title, advice, stage, inner)
        let height = min(room.height, max(sign, head.height + tail.height) + padding)
        let card = room.middle(height: height)
        let ground = picture.theme.solid(1)
        picture.canvas.fill(card, radius: min(stage.pixels(Radius.card), card.height / 2), with: ground)
        if hasSign {
            picture.draw(
                symbol, in: place.middle(height: sign), points: Metrics.troubleSign,
                picture.readable(picture.theme.danger, on: ground, ground))
        }
        inner = inner.middle(height: head.height + tail.height)
        let ink = picture.theme.text
        picture.write(head, title, x: inner.x, y: inner.y, width: inner.width, ink, on: ground)
        let below = inner.y + head.height
        picture.write(tail, advice, x: inner.x, y: below, width: inner.width, ink, on: ground)
        picture.add(card, title, value: advice)
    }

    /// Draws one or two lines without a card, symbol and words in one color. Cuts the lines off the room's lower end.
    func drawLine(_ picture: Picture, from room: inout PixelRect, mostLines: Int, _ ink: Color) {
        let stage = picture.stage
        let side = stage.pixels(Metrics.buttonSymbol)
        let gap = stage.pixels(Spacing.small)
        let (set, _) = stage.fit(
            words, [.rowTitle, .rowDetail, .caption1], width: room.width - side - gap,
            height: mostLines * stage.lineHeight(.rowTitle), mostLines: mostLines)
        var place = room.cutBottom(max(side, set.height), gap: gap).middle(width: side + gap + set.width)
        picture.add(place, title, value: advice)
        picture.draw(symbol, in: place.cutLeft(side, gap: gap), points: Metrics.buttonSymbol, ink)
        picture.write(set, words, in: place, ink)
    }

    /// Draws the trouble in place of a title and its detail.
    func drawRow(_ picture: Picture, in place: PixelRect) {
        var room = place
        let side = picture.stage.pixels(Metrics.buttonSymbol)
        let icon = room.cutLeft(side, gap: picture.stage.pixels(Spacing.small))
        picture.draw(symbol, in: icon, points: Metrics.buttonSymbol, picture.theme.danger)
        picture.write(title, detail: advice, in: room, picture.theme.text, detail: picture.theme.text)
    }
}

/// A trouble and its remedy in the largest letters in which both fit.
private struct TroubleWords: LetteredForm {
    private let head: TextLayout
    private let tail: TextLayout
    let isWhole: Bool

    /// - Parameter room: the room, of which only the size counts.
    static func fitting(_ title: String, _ advice: String, _ stage: Stage, _ room: PixelRect) -> (
        TextLayout, TextLayout
    ) {
        let styles: [(TypeStyle, TypeStyle)] = [
            (.title3, .body), (.headline, .subheadline), (.callout.weight(.semibold), .footnote),
            (.footnote.weight(.semibold), .caption1),
        ]
        let found = stage.fitted(styles) { letters, styles in
            TroubleWords(title, advice, stage, room, styles.0.scaled(by: letters), styles.1.scaled(by: letters))
        }
        return (found.head, found.tail)
    }

    private init(
        _ title: String, _ advice: String, _ stage: Stage, _ room: PixelRect, _ head: TypeStyle, _ tail: TypeStyle
    ) {
        self.head = stage.set(title, head, width: room.width, lines: 2)
        let lines = (room.height - self.head.height) / stage.lineHeight(tail)
        self.tail = stage.set(advice, tail, width: room.width, lines: max(1, min(3, lines)))
        isWhole = lines > 0 && [self.head, self.tail].allSatisfy { !$0.isTruncated && !$0.hasTornWord }
    }
}
