import Design
import Model
import Pixels
import Typography

/// What is playing, on the other screens: a small bar, and on large panels one with all controls.
struct NowBar {
    let frame: PixelRect
    let state: SpeakerStatus
    let elapsed: Int
    let artwork: Surface?
    var isFull = false

    private var isPlaying: Bool { state.state == .playing }

    /// What it stands on: to be drawn once, until what lies beneath is another.
    func drawGlass(_ picture: Picture) {
        if !frame.isEmpty { picture.glass(frame, radius: 0, .ultraThin, hasStroke: false) }
    }

    func draw(_ picture: Picture) {
        if frame.isEmpty { return }
        let stage = picture.stage
        let theme = picture.theme
        picture.canvas.fill(
            PixelRect(x: frame.x, y: frame.y, width: frame.width, height: stage.scale.line(0.5)),
            with: theme.separator)
        let padding = stage.pixels(isFull ? Spacing.medium : Spacing.small)
        let side = stage.pixels(isFull ? Metrics.fullBarArtwork : Metrics.miniBarArtwork)
        let art = PixelRect(x: frame.x + padding, y: frame.y + (frame.height - side) / 2, width: side, height: side)
        Cover(picture: artwork, symbol: .book, radius: isFull ? Radius.fullBarArtwork : Radius.thumbnail).draw(
            picture, art)
        if isFull { drawFull(picture, art, padding) } else { drawMini(picture, art, padding) }
    }

    private func words(_ picture: Picture, x: Int, width: Int) {
        let stage = picture.stage
        let detail = state.chapter.isEmpty ? (state.book.isEmpty ? state.artist : state.book) : state.chapter
        let height = stage.lineHeight(.rowTitle) + (detail.isEmpty ? 0 : stage.lineHeight(.rowDetail))
        var y = frame.y + (frame.height - height) / 2
        y += picture.write(state.title, .rowTitle, x: x, y: y, width: width, picture.theme.text)
        picture.write(detail, .rowDetail, x: x, y: y, width: width, picture.theme.secondaryText)
        picture.add(
            Element(
                frame: PixelRect(x: frame.x, y: frame.y, width: x + width - frame.x, height: frame.height),
                label: "Now playing", value: state.title, hint: "shows the player", action: .show(.player)))
    }

    private func button(
        _ picture: Picture, _ symbol: Symbol, _ rect: PixelRect, _ label: String, _ action: Element.Action,
        points: Float = Metrics.symbol
    ) {
        picture.draw(symbol, in: rect, points: points, picture.theme.text)
        picture.add(Element(frame: rect, label: label, action: action))
    }

    private func drawMini(_ picture: Picture, _ art: PixelRect, _ padding: Int) {
        let stage = picture.stage
        let target = stage.pixels(Metrics.target)
        let play = PixelRect(
            x: frame.maxX - padding / 2 - target, y: frame.midY - target / 2, width: target, height: target)
        let x = art.maxX + stage.pixels(Spacing.related)
        words(picture, x: x, width: play.x - stage.pixels(Spacing.small) - x)
        button(picture, isPlaying ? .pause : .play, play, isPlaying ? "Pause" : "Play", .togglePlayback)
        // How far it is, along the upper edge.
        if let duration = state.durationMilliseconds, duration > 0 {
            let done = Int(Float(frame.width) * min(1, Float(elapsed) / Float(duration)))
            picture.canvas.fill(
                PixelRect(x: frame.x, y: frame.y, width: done, height: stage.scale.line(2)),
                with: picture.theme.accent)
        }
    }

    /// Art, what it is, how far, what can be done, how loud.
    private func drawFull(_ picture: Picture, _ art: PixelRect, _ padding: Int) {
        let stage = picture.stage
        let small = stage.pixels(Spacing.small)
        let target = stage.pixels(Metrics.target)
        let large = stage.pixels(Metrics.fullBarButton)
        var right = frame.maxX - padding
        if let volume = state.volumePercent {
            let width = stage.pixels(Metrics.volumeWidth)
            let sign = stage.pixels(Metrics.buttonSymbol)
            let bar = PixelRect(x: right - width, y: frame.midY - target / 2, width: width, height: target)
            let icon = PixelRect(x: bar.x - small - sign, y: frame.y, width: sign, height: frame.height)
            picture.draw(.speaker, in: icon, points: Metrics.buttonSymbol, picture.theme.secondaryText)
            drawVolume(picture, bar, volume)
            right = icon.x - padding
        }
        let controls = PixelRect(
            x: right - stage.pixels(Metrics.controlsWidth), y: frame.y, width: stage.pixels(Metrics.controlsWidth),
            height: frame.height)
        let play = PixelRect(x: 0, y: 0, width: large, height: large).centred(in: controls)
        let info = art.maxX + stage.pixels(Spacing.related)
        let infoWidth = max(stage.pixels(Metrics.fullBarInfo), (controls.x - info) * 2 / 5)
        words(picture, x: info, width: infoWidth)
        drawScrubber(picture, x: info + infoWidth + padding, width: controls.x - info - infoWidth - 2 * padding)
        let y = frame.midY - target / 2
        let (back, forward) = (
            PixelRect(x: play.x - small - target, y: y, width: target, height: target),
            PixelRect(x: play.maxX + small, y: y, width: target, height: target)
        )
        button(picture, .back, back, "Back", .back, points: Metrics.fullBarSkip)
        button(
            picture, isPlaying ? .pause : .play, play, isPlaying ? "Pause" : "Play", .togglePlayback,
            points: Metrics.fullBarSkip)
        button(picture, .forward, forward, "Forward", .forward, points: Metrics.fullBarSkip)
    }

    private func drawScrubber(_ picture: Picture, x: Int, width: Int) {
        let stage = picture.stage
        let theme = picture.theme
        let target = stage.pixels(Metrics.target)
        let gap = stage.pixels(Spacing.small)
        let times = stage.set("−00:00:00", .times, width: frame.width).width
        let high = stage.pixels(Metrics.sliderTrack)
        let bar = PixelRect(
            x: x + times + gap, y: frame.midY - high / 2, width: width - 2 * (times + gap), height: high)
        let passed = Words.time(elapsed)
        picture.write(
            passed, .times, in: PixelRect(x: x, y: frame.y, width: times, height: frame.height),
            theme.secondaryText, align: .trailing)
        guard let duration = state.durationMilliseconds else { return }
        picture.write(
            "−" + Words.time(duration - elapsed), .times,
            in: PixelRect(x: bar.maxX + gap, y: frame.y, width: times, height: frame.height), theme.secondaryText)
        drawTrack(picture, bar, duration > 0 ? min(1, Float(elapsed) / Float(duration)) : 0)
        picture.add(
            Element(
                frame: PixelRect(x: bar.x, y: frame.midY - target / 2, width: bar.width, height: target),
                label: "Progress", value: passed + " of " + Words.time(duration), action: .seek, role: .slider))
    }

    private func drawTrack(_ picture: Picture, _ bar: PixelRect, _ part: Float) {
        picture.canvas.fill(bar, radius: bar.height / 2, with: picture.theme.track)
        picture.canvas.clipped(
            to: PixelRect(x: bar.x, y: bar.y, width: Int(Float(bar.width) * part), height: bar.height)
        ) { picture.canvas.fill(bar, radius: bar.height / 2, with: picture.theme.trackDone) }
    }

    private func drawVolume(_ picture: Picture, _ place: PixelRect, _ percent: Int) {
        let stage = picture.stage
        let high = stage.pixels(Metrics.sliderTrack)
        let part = Float(min(100, max(0, percent))) / 100
        drawTrack(picture, PixelRect(x: place.x, y: place.midY - high / 2, width: place.width, height: high), part)
        let side = stage.pixels(Metrics.sliderThumb)
        let thumb = PixelRect(
            x: place.x + Int(Float(place.width - side) * part), y: place.midY - side / 2, width: side, height: side)
        picture.shadow(of: thumb, radius: side / 2, .low)
        picture.canvas.fill(thumb, radius: side / 2, with: picture.theme.switchThumb)
        picture.add(
            Element(frame: place, label: "Volume", value: "\(percent) percent", action: .volume, role: .slider))
    }
}

/// A picture with round corners, or a sign for what has none.
struct Cover {
    let picture: Surface?
    let symbol: Symbol
    let radius: Float

    func draw(_ target: Picture, _ rect: PixelRect, gradient: GradientToken = .lilacBlush) {
        let stage = target.stage
        let theme = target.theme
        let corner = stage.pixels(radius)
        if let picture {
            target.canvas.draw(picture, scaledTo: rect, radius: corner)
        } else {
            let deep = theme.placeholder(in: gradient.gradient(isDark: theme.isDark))
            target.canvas.fill(rect, radius: corner, with: deep)
            let size = stage.scale.points(min(rect.width, rect.height)) * Metrics.placeholderPart
            target.draw(symbol, in: rect, points: size, theme.placeholderSymbol)
        }
        target.canvas.stroke(
            rect, radius: corner, width: stage.scale.line(0.5), with: theme.text.opacity(Metrics.coverEdge))
    }
}
