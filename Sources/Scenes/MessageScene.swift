// SPDX-License-Identifier: Apache-2.0
import Design
import Model
import Pixels
import Text
import Typography

/// The screens Boot and Error, shown while the speaker starts or cannot be reached. One thread.
public final class MessageScene: Scene {
    public enum Kind: Equatable, Sendable {
        case boot
        /// A failure, described for the listener.
        case failure(String)
    }

    public let stage: Stage
    private let kind: Kind
    private var gradient: GradientToken
    private var began: Int?
    /// The time of the last retry. For a while the button reports it and takes no other touch.
    private var tried: Int?
    private var screen = DrawnScreen()

    private static let name = "Nightstand"
    private static let tryingMilliseconds = 1000

    public init(_ stage: Stage, _ kind: Kind, gradient: GradientToken) {
        self.stage = stage
        self.kind = kind
        self.gradient = gradient
    }

    public func lie(on gradient: GradientToken) {
        if gradient == self.gradient { return }
        self.gradient = gradient
        screen.drawAnew()
    }

    public func show(_ state: SpeakerStatus, at moment: Int) { if began == nil { began = moment } }
    public func drawAnew() { screen.drawAnew() }
    public var elements: [Element] { screen.elements }
    public var focus: Int? { screen.focus }

    private func time(_ moment: Int) -> Float { Float(moment - (began ?? moment)) / 1000 }

    public func nextFrame(after moment: Int) -> Int? {
        if screen.isDue { return moment }
        if kind == .boot && !stage.comfort.reducesMotion && time(moment) < Motion.content { return moment }
        return tried.map { $0 + MessageScene.tryingMilliseconds }
    }

    public func take(_ gesture: Gesture, at moment: Int) -> Element.Action {
        let action = screen.take(gesture)
        if action == .retry {
            tried = moment
            screen.drawAnew()
        }
        return action
    }

    public func drawGround(on surface: Surface, within place: PixelRect) { surface.fill(place, with: gradient, stage) }

    private func isTrying(at moment: Int) -> Bool {
        tried.map { moment < $0 + MessageScene.tryingMilliseconds } ?? false
    }

    public func draw(on surface: Surface, at moment: Int) -> [PixelRect] {
        if began == nil { began = moment }
        if tried != nil && !isTrying(at: moment) {
            tried = nil
            screen.drawAnew()
        }
        var damage = screen.uncover(surface)
        if screen.isStale || kind == .boot && time(moment) <= Motion.content + 0.1 {
            damage = screen.compose(stage, on: surface) { picture in
                drawGround(on: surface, within: stage.bounds)
                switch kind {
                case .boot: drawBoot(picture, at: moment)
                case .failure(let words): drawFailure(picture, words, at: moment)
                }
            }
        }
        return damage + screen.cover(stage, on: surface, at: moment)
    }

    private func drawBoot(_ picture: Picture, at moment: Int) {
        let theme = stage.theme
        let (large, small) = (stage.pixels(Spacing.large), stage.pixels(Spacing.small))
        let inner = stage.bounds.inset(x: large, y: 0)
        let style = stage.isCompact ? TypeStyle.largeTitle.weight(.light) : .cascade
        let sign = stage.pixels(Metrics.emptySymbol)
        let title = stage.set(MessageScene.name, style, width: inner.width)
        let all = inner.middle(height: sign + large + title.height + stage.lineHeight(.callout) + small)
        var room = all
        picture.draw(.moon, in: room.cutTop(sign, gap: large), points: Metrics.emptySymbol, theme.text)
        let place = room.cutTop(title.height, gap: small)
        let time = stage.comfort.reducesMotion ? Motion.content : self.time(moment)
        stage.painter.drawCascade(
            title, on: picture.canvas, x: place.x, y: place.y, width: place.width, theme.text, align: .center
        ) { glyph in
            let part = Cascade.part(glyph, time)
            return (Cascade.down(stage, part), part)
        }
        picture.write(translated("Starting"), .callout, in: room, theme.secondaryText, align: .center)
        picture.add(all, MessageScene.name, value: translated("Starting"), role: .heading)
    }

    private func drawFailure(_ picture: Picture, _ words: String, at moment: Int) {
        let margin = stage.pixels(Spacing.medium)
        let width = min(stage.width - 2 * margin, stage.pixels(Breakpoint.noticeWidth))
        let notice = Notice(
            symbol: .warning, title: translated("The speaker is not there"), words: words,
            button: (translated("Try again"), .retry),
            isBusy: isTrying(at: moment))
        let padding = stage.pixels(Spacing.large)
        let sign = stage.pixels(Metrics.emptySymbol + Spacing.medium)
        let height = min(stage.height - 2 * margin, sign + notice.height(stage, width: width) + 2 * padding)
        let card = stage.bounds.middle(width: width, height: height)
        picture.glassCard(card)
        notice.draw(picture, in: card.inset(by: stage.pixels(Spacing.small)))
    }
}
