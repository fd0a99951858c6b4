// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Text
import Typography

/// The bar of the playing item on other screens: small, or with all controls on large panels.
struct NowBar {
    let frame: PixelRect
    let state: SpeakerStatus
    let elapsed: Int
    let artwork: Surface?
    var isFull = false

    var isPlaying: Bool { state.state == .playing }

    /// Returns the side of its small picture, in pixels.
    static func artworkSide(_ stage: Stage, isFull: Bool) -> Int {
        stage.pixels(isFull ? Metrics.fullBarArtwork : Metrics.miniBarArtwork)
    }

    /// Draws the bar's glass. Once is enough until the pixels beneath change.
    func drawGlass(_ picture: Picture) {
        if !frame.isEmpty { picture.glass(frame, radius: 0, .ultraThin, hasStroke: false) }
    }

    func draw(_ picture: Picture) {
        if frame.isEmpty { return }
        let stage = picture.stage
        let theme = picture.theme
        picture.canvas.fill(frame.top(stage.scale.line(0.5)), with: theme.separator)
        let padding = stage.pixels(isFull ? Spacing.medium : Spacing.small)
        let side = NowBar.artworkSide(stage, isFull: isFull)
        var room = frame
        _ = room.cutLeft(padding)
        let art = room.cutLeft(side, gap: stage.pixels(Spacing.related)).middle(height: side)
        Cover(picture: artwork, symbol: .book, radius: isFull ? Radius.fullBarArtwork : Radius.thumbnail).draw(
            picture, art)
        if isFull { drawFull(picture, room, padding) } else { drawMini(picture, room, padding) }
    }

    private func words(_ picture: Picture, _ place: PixelRect) {
        let detail = state.chapter.isEmpty ? (state.book.isEmpty ? state.artist : state.book) : state.chapter
        if let trouble = state.toldTrouble {
            TroubleCard(trouble, name: state.troubleName).drawRow(picture, in: place)
            picture.add(
                place, Words.trouble(trouble, name: state.troubleName).title,
                value: Words.trouble(trouble, name: state.troubleName).advice)
        } else {
            picture.write(state.title, detail: detail, in: place, picture.theme.text)
        }
        picture.add(
            frame.left(place.maxX - frame.x), translated("Now playing"), value: state.title,
            hint: translated("shows the player"),
            action: .show(.player))
    }

    private func button(_ picture: Picture, _ button: Transport.Button, _ rect: PixelRect) {
        let transport = Transport(state)
        if button == .play {
            let points = isFull ? Metrics.fullBarSkip : Metrics.symbol
            return transport.draw(.play, picture, in: rect, points: points, picture.theme.text)
        }
        picture.draw(transport.symbol(button), in: rect, points: Metrics.fullBarSkip, picture.theme.text)
        picture.add(transport.element(button, rect))
    }

    private func drawMini(_ picture: Picture, _ room: PixelRect, _ padding: Int) {
        let stage = picture.stage
        let target = stage.pixels(Metrics.target)
        var room = room
        _ = room.cutRight(padding / 2)
        let play = room.cutRight(target, gap: stage.pixels(Spacing.small)).middle(height: target)
        words(picture, room)
        button(picture, .play, play)
        // The progress stands along the upper edge.
        if let part {
            let done = frame.top(stage.scale.line(2)).left(Int(Float(frame.width) * part))
            picture.canvas.fill(done, with: picture.theme.accent)
        }
    }

    /// The progress, 0…1; nil if the length is unknown.
    private var part: Float? {
        guard let duration = state.durationMilliseconds, duration > 0 else { return nil }
        return min(1, Float(elapsed) / Float(duration))
    }

    /// Draws artwork, words, progress, controls and volume.
    private func drawFull(_ picture: Picture, _ room: PixelRect, _ padding: Int) {
        let stage = picture.stage
        let small = stage.pixels(Spacing.small)
        let target = stage.pixels(Metrics.target)
        let large = stage.pixels(Metrics.fullBarButton)
        var room = room
        _ = room.cutRight(padding)
        if let volume = state.volumePercent {
            let bar = room.cutRight(stage.pixels(Metrics.volumeWidth), gap: small).middle(height: target)
            let icon = room.cutRight(stage.pixels(Metrics.buttonSymbol), gap: padding)
            picture.draw(.speaker, in: icon, points: Metrics.buttonSymbol, picture.theme.secondaryText)
            drawVolume(picture, bar, volume)
        }
        var controls = room.cutRight(stage.pixels(Metrics.controlsWidth))
        words(picture, room.cutLeft(max(stage.pixels(Metrics.fullBarInfo), room.width * 2 / 5)))
        drawScrubber(picture, room.inset(x: padding, y: 0))
        controls = controls.middle(width: large + 2 * (small + target))
        let back = controls.cutLeft(target, gap: small).middle(height: target)
        let forward = controls.cutRight(target, gap: small).middle(height: target)
        button(picture, .back, back)
        button(picture, .play, controls.middle(height: large))
        button(picture, .forward, forward)
    }

    private func drawScrubber(_ picture: Picture, _ place: PixelRect) {
        let stage = picture.stage
        let theme = picture.theme
        let gap = stage.pixels(Spacing.small)
        let times = stage.set("−00:00:00", .times, width: frame.width).width
        var room = place
        let (left, right) = (room.cutLeft(times, gap: gap), room.cutRight(times, gap: gap))
        let passed = Words.time(elapsed)
        picture.write(passed, .times, in: left, theme.secondaryText, align: .trailing)
        guard let duration = state.durationMilliseconds else { return }
        picture.write("−" + Words.time(duration - elapsed), .times, in: right, theme.secondaryText)
        drawTrack(picture, room, part ?? 0)
        picture.add(
            room.middle(height: stage.pixels(Metrics.target)), translated("Progress"),
            value: translated("%1 of %2", passed, Words.time(duration)), action: .seek, role: .slider)
    }

    private func drawTrack(_ picture: Picture, _ place: PixelRect, _ part: Float) {
        let bar = place.middle(height: picture.stage.pixels(Metrics.sliderTrack))
        picture.bar(
            bar, done: Int(Float(bar.width) * part), track: picture.theme.track, with: picture.theme.trackDone)
    }

    private func drawVolume(_ picture: Picture, _ place: PixelRect, _ percent: Int) {
        let part = Float(min(100, max(0, percent))) / 100
        drawTrack(picture, place, part)
        let side = picture.stage.pixels(Metrics.sliderThumb)
        var room = place
        _ = room.cutLeft(Int(Float(place.width - side) * part))
        let thumb = room.cutLeft(side).middle(height: side)
        picture.shadow(of: thumb, radius: side / 2, .low)
        picture.canvas.fill(thumb, radius: side / 2, with: picture.theme.switchThumb)
        picture.add(
            place, translated("Volume"), value: translated("%1 percent", "\(percent)"), action: .volume, role: .slider)
    }
}

/// The last drawn bar of a page. Each second redraws only what stands on its glass. One thread.
struct PageBar {
    /// The picture of what is playing, at any size.
    var artwork: Surface? { didSet { small = nil } }
    /// The picture at the drawn size.
    private var small: Surface?
    /// The empty glass, kept while its content changes each second.
    private var glass: Surface?
    private var shownSecond = -1

    /// Returns the picture with this shorter side. It is made at its first drawing: each page has a bar, and few are looked at.
    mutating func artwork(side: Int) -> Surface? {
        guard let artwork else { return nil }
        if let small, min(small.width, small.height) == side { return small }
        let least = min(artwork.width, artwork.height)
        if least <= side { return artwork }
        let (width, height) = (artwork.width * side / least, artwork.height * side / least)
        let made =
            least >= 2 * side
            ? AreaReducer.reduced(artwork, width: width, height: height)
            : Scaling(source: (artwork.width, artwork.height), target: (width, height))
                .drawn(artwork, width: width, height: height)
        small = made
        return made
    }

    mutating func draw(_ bar: NowBar, _ picture: Picture) {
        bar.drawGlass(picture)
        glass = bar.isPlaying && !bar.frame.isEmpty ? picture.surface.part(bar.frame) : nil
        shownSecond = bar.elapsed / 1000
        bar.draw(picture)
    }

    /// Draws the bar of a new second. Returns the changed place.
    mutating func count(_ bar: NowBar, _ stage: Stage, on surface: Surface) -> [PixelRect] {
        let second = bar.elapsed / 1000
        defer { shownSecond = second }
        guard let glass, second != shownSecond else { return [] }
        surface.put(glass, x: bar.frame.x, y: bar.frame.y)
        bar.draw(Picture(stage, on: surface))
        return [bar.frame]
    }
}
