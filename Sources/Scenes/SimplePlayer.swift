// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Text
import Typography

/// The playing book and three huge buttons, for old or half-asleep listeners. It changes only with its words, once a minute during
/// playback. One thread.
public final class SimplePlayer: Scene {
    public let stage: Stage
    private var gradient: GradientToken
    private var artwork: Surface?
    /// The cross-fade from one picture to the next.
    private var change = CoverChange()
    private var told = ToldStatus()
    private var screen = DrawnScreen()
    private var hand = SteadyHand()
    /// The words of the last drawing; nil before the first.
    private var shown: SimpleWords?

    public init(_ stage: Stage, artwork: Surface? = nil, gradient: GradientToken) {
        self.stage = stage
        self.artwork = artwork
        self.gradient = gradient
        screen.setBold(true)
    }

    /// Returns the length of the picture's shorter side.
    public static func artworkSide(_ stage: Stage) -> Int {
        let cover = SimpleLayout(stage, hasCover: true, hasCard: false).cover
        // Without room for the cover, the dimmed screen's size still counts.
        return max(cover.width, stage.pixels(Metrics.standbyArtwork))
    }

    public func setArtwork(_ picture: Surface?) {
        if picture === artwork { return }
        artwork = picture
        screen.drawAnew()
        if shown != nil { change = .wanted }
    }

    // MARK: Content

    public func lie(on gradient: GradientToken) {
        if gradient == self.gradient { return }
        self.gradient = gradient
        drawAnew()
    }

    public func show(_ new: SpeakerStatus, at moment: Int) {
        told.tell(new, at: moment)
        if words(at: moment) != shown { screen.drawAnew() }
    }

    private func words(at moment: Int) -> SimpleWords { SimpleWords(told.now(at: moment)) }

    public func drawAnew() {
        screen.drawAnew()
        change = CoverChange()
    }

    public var elements: [Element] { screen.elements }
    public var focus: Int? { screen.focus }

    public func nextFrame(after moment: Int) -> Int? {
        if screen.isDue || change.isGoingOn { return moment }
        return SimpleWords.nextChange(told.now(at: moment)).map { moment + $0 }
    }

    // MARK: Hands

    public func take(_ gesture: Gesture, at moment: Int) -> Element.Action {
        guard let meant = hand.steadied(gesture, reach: stage.pixels(Metrics.target)) else { return .none }
        let action = screen.take(meant)
        // A trembling hand often touches twice. Only back and forward accept the repetition.
        if case .doubleTap = meant, action != .back && action != .forward { return .none }
        return action
    }

    // MARK: Drawing

    public func draw(on surface: Surface, at moment: Int) -> [PixelRect] {
        let damage = drawWhole(on: change.target(surface, at: moment), at: moment)
        return change.draw(on: surface, at: moment) ?? damage
    }

    private func drawWhole(on surface: Surface, at moment: Int) -> [PixelRect] {
        let words = words(at: moment)
        if words != shown { screen.drawAnew() }
        var damage = screen.uncover(surface)
        if screen.isStale {
            shown = words
            damage = screen.compose(stage, on: surface) { compose($0, words) }
        }
        return damage + screen.cover(stage, on: surface)
    }

    public func drawGround(on surface: Surface, within place: PixelRect) { surface.fill(place, with: gradient, stage) }

    private func compose(_ picture: Picture, _ words: SimpleWords) {
        let isBook = !words.book.isEmpty
        let layout = SimpleLayout(stage, hasCover: artwork != nil && isBook, hasCard: artwork == nil && isBook)
        drawGround(on: picture.surface, within: stage.bounds)
        if !layout.cover.isEmpty {
            let cover = Cover(picture: artwork, symbol: .book, radius: Radius.card)
            picture.shadow(of: layout.cover, radius: stage.pixels(Radius.card), .medium)
            cover.draw(picture, layout.cover)
        }
        if layout.hasCard {
            SimpleCard.drawGround(picture, layout.words, of: words.book)
            var place = layout.words.inset(x: layout.measures.gap, y: layout.measures.gap / 2)
            _ = place.cutLeft(layout.measures.gap / 2)
            words.draw(picture, in: place, layout.measures, SimpleCard.ink)
        } else {
            let isBelow = !layout.isWide && !layout.cover.isEmpty
            words.draw(
                picture, in: wordsPlace(layout, picture), layout.measures, stage.theme.text, isCentred: isBelow,
                way: layout.way.isEmpty ? layout.words : nil)
        }
        drawButtons(picture, layout, words)
    }

    /// Returns the place of the words. If there is no room for the button of the books, the words are that button, marked by a symbol.
    private func wordsPlace(_ layout: SimpleLayout, _ picture: Picture) -> PixelRect {
        var place = layout.words
        if !layout.way.isEmpty { return place }
        let sign = place.cutRight(layout.measures.wordsLine, gap: layout.measures.gap)
        picture.draw(
            .library, in: sign.middle(height: sign.width), points: stage.scale.points(sign.width), stage.theme.text)
        return place
    }

    private func drawButtons(_ picture: Picture, _ layout: SimpleLayout, _ words: SimpleWords) {
        let (measures, buttons) = (layout.measures, layout.buttons)
        for (button, place) in zip(Transport.Button.allCases, buttons) {
            let transport = words.transport
            let isPlay = button == .play
            SimpleButton(
                symbol: transport.symbol(button), isPrimary: isPlay, isBusy: isPlay && transport.isSilent
            ).draw(picture, place, measures, transport.element(button, place, leadsToChapter: false))
        }
        if layout.way.isEmpty { return }
        SimpleButton(symbol: .library, word: SimpleLayout.wayTitle)
            .draw(
                picture, layout.way, measures,
                Element(
                    frame: layout.way, label: SimpleLayout.wayTitle, hint: translated("shows the books"),
                    action: .show(.library)))
    }
}
