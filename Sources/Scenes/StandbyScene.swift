import Core
import Design
import Model
import Pixels
import Typography

/// At night: a dim clock, what plays, and the few buttons that a hand finds in the dark. One thread.
public final class StandbyScene: Scene {
    public let stage: Stage
    private var state = SpeakerStatus()
    private var told = 0
    private var artwork: Surface?
    private var isWhole = false
    private var shownSecond = -1
    private var drawn: [Element] = []
    private var touch = Touch()
    private let patches = Patches()
    /// Always dark.
    private var theme: Theme { Theme(isDark: true, hasMoreContrast: stage.theme.hasMoreContrast) }

    public init(_ stage: Stage) { self.stage = stage }

    /// Black is what lies behind it.
    public func lie(on gradient: GradientToken) {}

    public func show(_ new: SpeakerStatus, at moment: Int) {
        if new != state { isWhole = false }
        state = new
        told = moment
    }

    public func setArtwork(_ picture: Surface?) {
        artwork = picture
        isWhole = false
    }

    public func drawAnew() { isWhole = false }

    public var elements: [Element] { drawn }
    public var focus: Int? { touch.focus }

    private func elapsed(at moment: Int) -> Int { state.elapsed(after: moment - told) }

    /// The bar moves by a pixel only: nobody reads seconds at night.
    public func nextFrame(after moment: Int) -> Int? {
        if !isWhole || touch.isDirty { return moment }
        guard state.state == .playing, let duration = state.durationMilliseconds, duration > 0 else { return nil }
        return moment + max(1000, duration / max(1, stage.width))
    }

    public func take(_ gesture: Gesture, at moment: Int) -> Element.Action {
        let action = touch.take(gesture, drawn)
        // Anywhere else wakes the screen.
        if case .tap = gesture, action == .none { return .show(.player) }
        return action
    }

    public func draw(on surface: Surface, at moment: Int) -> [PixelRect] {
        let second = elapsed(at: moment) / 1000
        var damage: [PixelRect] = []
        if isWhole { damage = patches.restore(surface) } else { patches.forget() }
        if !isWhole || second != shownSecond {
            patches.forget()
            let shownTheme = stage.theme
            stage.theme = theme
            compose(Picture(stage, on: surface), elapsed(at: moment), state.later(by: moment - told).sleep)
            stage.theme = shownTheme
            damage = [surface.bounds]
        }
        shownSecond = second
        isWhole = true
        damage += touch.draw(Picture(stage, on: surface), patches, drawn)
        return damage
    }

    private func compose(_ picture: Picture, _ elapsed: Int, _ sleep: Sleep) {
        let (wide, high) = (stage.width, stage.height)
        picture.canvas.fill(stage.bounds, with: theme.standby)
        let margin = stage.pixels(Spacing.large)
        let hasTitle = !state.title.isEmpty
        let target = stage.pixels(Metrics.target)
        let small = stage.pixels(Spacing.small)
        // From below: the buttons, the bar, what plays; the clock has the rest.
        var bottom =
            high - stage.pixels(stage.scale.points(high) < Breakpoint.compactSide ? Spacing.small : Spacing.large)
        if hasTitle {
            drawButtons(picture, PixelRect(x: 0, y: bottom - target, width: wide, height: target))
            bottom -= target + small
            let bar = PixelRect(
                x: margin, y: bottom - stage.pixels(Spacing.mini), width: wide - 2 * margin,
                height: stage.pixels(Spacing.mini))
            drawBar(picture, bar, elapsed)
            bottom = bar.y - stage.pixels(Spacing.related)
            bottom = drawTitle(picture, margin: margin, bottom: bottom)
        }
        drawClock(
            picture, sleep,
            PixelRect(x: margin, y: margin / 2, width: wide - 2 * margin, height: bottom - margin))
        drawn = picture.elements
    }

    private func drawClock(_ picture: Picture, _ sleep: Sleep, _ place: PixelRect) {
        var date = Words.date(state.month, state.day)
        if sleep != .off { date += (date.isEmpty ? "" : " · ") + "sleep: " + sleep.words }
        guard let minute = state.minuteOfDay else {
            picture.write(date, .title2, in: place, theme.standbyText, align: .center)
            return
        }
        let words = "\(minute / 60):" + Words.twoDigits(minute % 60)
        // As large as the room lets it be.
        let dateHeight = date.isEmpty ? 0 : stage.lineHeight(.date) + stage.pixels(Spacing.mini)
        let room = stage.scale.points(place.height - dateHeight)
        var style = TypeStyle.clock
        let size = max(24, min(room * 0.9, stage.scale.points(place.width) * Metrics.clockPart)) / stage.scale.textSize
        style = TypeStyle(size, size * 1.1, style.weight, digitsAlike: true)
        let set = stage.set(words, style, width: place.width)
        var y = place.y + max(0, (place.height - set.height - dateHeight) / 2)
        let top = y
        y += picture.write(set, words, x: place.x, y: y, width: place.width, theme.standbyClock, align: .center)
        picture.write(date, .date, x: place.x, y: y, width: place.width, theme.standbyText, align: .center)
        picture.add(
            Element(
                frame: PixelRect(x: place.x, y: top, width: place.width, height: set.height + dateHeight),
                label: "Clock", value: date.isEmpty ? words : words + ", " + date))
    }

    /// Returns where it begins.
    private func drawTitle(_ picture: Picture, margin: Int, bottom: Int) -> Int {
        let detail = state.chapter.isEmpty ? state.artist : state.chapter
        let side = stage.pixels(Metrics.standbyArtwork)
        let isSmall = stage.scale.points(stage.height) < Breakpoint.compactSide
        let words = stage.lineHeight(.rowTitle) + (detail.isEmpty || isSmall ? 0 : stage.lineHeight(.rowDetail))
        let height = isSmall ? words : max(side, words)
        let top = bottom - height
        var x = margin
        if !isSmall {
            let cover = PixelRect(x: x, y: top + (height - side) / 2, width: side, height: side)
            Cover(picture: artwork, symbol: .book, radius: Radius.thumbnail).draw(picture, cover)
            // As dim as all else.
            picture.canvas.fill(cover, radius: stage.pixels(Radius.thumbnail), with: theme.standby.opacity(0.45))
            x = cover.maxX + stage.pixels(Spacing.related)
        }
        let width = stage.width - margin - x
        var y = top + (height - words) / 2
        let align: TextAlignment = isSmall ? .center : .leading
        y += picture.write(state.title, .rowTitle, x: x, y: y, width: width, theme.standbyText, align: align)
        if !isSmall { picture.write(detail, .rowDetail, x: x, y: y, width: width, theme.standbyDetail, align: align) }
        picture.add(
            Element(
                frame: PixelRect(x: x, y: top, width: width, height: height), label: state.title, value: detail))
        return top
    }

    private func drawBar(_ picture: Picture, _ bar: PixelRect, _ elapsed: Int) {
        let radius = bar.height / 2
        picture.canvas.fill(bar, radius: radius, with: theme.track.opacity(0.6))
        guard let duration = state.durationMilliseconds, duration > 0 else { return }
        let done = Int(Float(bar.width) * min(1, Float(elapsed) / Float(duration)))
        picture.canvas.clipped(to: PixelRect(x: bar.x, y: bar.y, width: done, height: bar.height)) {
            picture.canvas.fill(bar, radius: radius, with: theme.standbyDetail)
        }
        picture.add(
            Element(
                frame: bar.inset(x: 0, y: -stage.pixels(Spacing.mini)), label: "Progress",
                value: Words.time(elapsed) + " of " + Words.time(duration)))
    }

    private func drawButtons(_ picture: Picture, _ place: PixelRect) {
        let target = place.height
        let gap = stage.pixels(Spacing.xlarge)
        let isPlaying = state.state == .playing
        let buttons: [(Symbol, String, Element.Action)] = [
            (.back, "Back", .back), (isPlaying ? .pause : .play, isPlaying ? "Pause" : "Play", .togglePlayback),
            (.forward, "Forward", .forward),
        ]
        var x = place.midX - (3 * target + 2 * gap) / 2
        for (symbol, label, action) in buttons {
            let rect = PixelRect(x: x, y: place.y, width: target, height: target)
            if action != .togglePlayback {
                let digits = stage.setFixed("10", .skipSeconds, width: rect.width)
                let y =
                    rect.y + (rect.height - digits.height) / 2 + stage.pixels(Metrics.skipSymbol * Metrics.skipMiddle)
                picture.write(digits, "10", x: rect.x, y: y, width: rect.width, theme.standbyText, align: .center)
            }
            picture.draw(symbol, in: rect, points: Metrics.skipSymbol, theme.standbyText)
            picture.add(Element(frame: rect, label: label, action: action))
            x += target + gap
        }
    }
}
