import Design
import Model
import Pixels
import Typography

/// While the speaker starts, and where it is not there: Boot and Error. One thread.
public final class MessageScene: Scene {
    public enum Kind: Equatable, Sendable {
        case boot
        /// What went wrong, in words for a person.
        case failure(String)
    }

    public let stage: Stage
    private let kind: Kind
    private var gradient: GradientToken
    private var began: Int?
    /// When somebody had it try again: the button says so for a while, and takes no other touch.
    private var tried: Int?
    private var isWhole = false
    private var drawn: [Element] = []
    private var touch = Touch()
    private let patches = Patches()

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
        isWhole = false
    }

    public func show(_ state: SpeakerStatus, at moment: Int) { if began == nil { began = moment } }
    public func drawAnew() { isWhole = false }
    public var elements: [Element] { drawn }
    public var focus: Int? { touch.focus }

    private func time(_ moment: Int) -> Float { Float(moment - (began ?? moment)) / 1000 }

    public func nextFrame(after moment: Int) -> Int? {
        if !isWhole || touch.isDirty { return moment }
        if kind == .boot && !stage.comfort.reducesMotion && time(moment) < Motion.content { return moment }
        return tried.map { $0 + MessageScene.tryingMilliseconds }
    }

    public func take(_ gesture: Gesture, at moment: Int) -> Element.Action {
        let action = touch.take(gesture, drawn)
        if action == .retry {
            tried = moment
            isWhole = false
        }
        return action
    }

    private func isTrying(at moment: Int) -> Bool {
        tried.map { moment < $0 + MessageScene.tryingMilliseconds } ?? false
    }

    public func draw(on surface: Surface, at moment: Int) -> [PixelRect] {
        if began == nil { began = moment }
        if tried != nil && !isTrying(at: moment) {
            tried = nil
            isWhole = false
        }
        var damage = isWhole ? patches.restore(surface) : []
        let isMoving = kind == .boot && time(moment) <= Motion.content + 0.1
        if !isWhole || isMoving {
            patches.forget()
            let picture = Picture(stage, on: surface)
            picture.canvas.fill(stage.bounds, with: gradient.gradient(isDark: stage.theme.isDark))
            switch kind {
            case .boot: drawBoot(picture, at: moment)
            case .failure(let words): drawFailure(picture, words, at: moment)
            }
            drawn = picture.elements
            damage = [surface.bounds]
        }
        isWhole = true
        damage += touch.draw(Picture(stage, on: surface), patches, drawn)
        return damage
    }

    private func drawBoot(_ picture: Picture, at moment: Int) {
        let theme = stage.theme
        let margin = stage.pixels(Spacing.large)
        let width = stage.width - 2 * margin
        let style = stage.isCompact ? TypeStyle.largeTitle.weight(.light) : .cascade
        let sign = stage.pixels(Metrics.emptySymbol)
        let title = stage.set(MessageScene.name, style, width: width)
        let height =
            sign + stage.pixels(Spacing.large) + title.height + stage.lineHeight(.callout) + stage.pixels(Spacing.small)
        var y = (stage.height - height) / 2
        picture.draw(
            .moon, in: PixelRect(x: margin, y: y, width: width, height: sign), points: Metrics.emptySymbol, theme.text)
        y += sign + stage.pixels(Spacing.large)
        let time = stage.comfort.reducesMotion ? Motion.content : self.time(moment)
        stage.painter.drawCascade(
            title, on: picture.canvas, x: margin, y: y, width: width, theme.text, align: .center
        ) { glyph in
            let part = Motion.easeOut((time - Float(glyph) * Motion.cascadeStagger) / (Motion.content / 2))
            return (stage.pixels(Motion.cascadeOffset * (1 - part)), part)
        }
        y += title.height + stage.pixels(Spacing.small)
        picture.write("Starting", .callout, x: margin, y: y, width: width, theme.secondaryText, align: .center)
        picture.add(
            Element(
                frame: PixelRect(x: margin, y: (stage.height - height) / 2, width: width, height: height),
                label: MessageScene.name, value: "Starting", role: .heading))
    }

    private func drawFailure(_ picture: Picture, _ words: String, at moment: Int) {
        let margin = stage.pixels(Spacing.medium)
        let width = min(stage.width - 2 * margin, stage.pixels(Breakpoint.noticeWidth))
        let notice = Notice(
            symbol: .warning, title: "The speaker is not there", words: words, button: ("Try again", .retry),
            isBusy: isTrying(at: moment))
        let padding = stage.pixels(Spacing.large)
        let sign = stage.pixels(Metrics.emptySymbol + Spacing.medium)
        let height = min(stage.height - 2 * margin, sign + notice.height(stage, width: width) + 2 * padding)
        let card = PixelRect(x: 0, y: 0, width: width, height: height).centred(in: stage.bounds)
        picture.glassCard(card)
        notice.draw(picture, in: card.inset(by: stage.pixels(Spacing.small)))
    }
}
