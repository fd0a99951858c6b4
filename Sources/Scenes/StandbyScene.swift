// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Posix
import Text
import Typography

/// The night screen: a dim clock, the playing item, and a few buttons that a hand finds in the dark. One thread.
public final class StandbyScene: Scene {
    public let stage: Stage
    private var told = ToldStatus()
    private var artwork: Surface?
    private var shownSecond = -1
    private var screen = DrawnScreen()
    /// The theme; always dark.
    private var theme: Theme {
        stage.theme.isNight ? stage.theme : Theme(isDark: true, hasMoreContrast: stage.theme.hasMoreContrast)
    }

    public init(_ stage: Stage) { self.stage = stage }

    /// Does nothing: the background is black.
    public func lie(on gradient: GradientToken) {}

    public func show(_ new: SpeakerStatus, at moment: Int) {
        if new != told.status { screen.drawAnew() }
        told.tell(new, at: moment)
    }

    public func setArtwork(_ picture: Surface?) {
        artwork = picture
        screen.drawAnew()
    }

    public func drawAnew() { screen.drawAnew() }

    public var elements: [Element] { screen.elements }
    public var focus: Int? { screen.focus }
    private var state: SpeakerStatus { told.status }

    /// The bar moves pixel by pixel: the night needs no seconds. A sentence appears when it is spoken.
    public func nextFrame(after moment: Int) -> Int? {
        if screen.isDue { return moment }
        guard state.state == .playing else { return nil }
        let passed = told.elapsed(at: moment)
        let sentence = state.segments.first { $0.startMilliseconds > passed }.map {
            moment + max(1, ($0.startMilliseconds - passed) * 100 / max(1, state.speed.percent))
        }
        guard let duration = state.durationMilliseconds, duration > 0 else { return sentence }
        return min(sentence ?? .max, moment + max(1000, duration / max(1, stage.width)))
    }

    public func take(_ gesture: Gesture, at moment: Int) -> Element.Action {
        let action = screen.take(gesture)
        // A tap anywhere else wakes the screen.
        if case .tap = gesture, action == .none { return .show(.player) }
        return action
    }

    public func draw(on surface: Surface, at moment: Int) -> [PixelRect] {
        let second = told.elapsed(at: moment) / 1000
        var damage = screen.uncover(surface)
        if screen.isStale || second != shownSecond {
            let shownTheme = stage.theme
            stage.theme = theme
            damage = screen.compose(stage, on: surface) { compose($0, told.now(at: moment)) }
            stage.theme = shownTheme
        }
        shownSecond = second
        return damage + screen.cover(stage, on: surface, at: moment)
    }

    public func drawGround(on surface: Surface, within place: PixelRect) {
        Canvas(surface, shapes: stage.shapes).fill(place, with: theme.standby)
    }

    private func compose(_ picture: Picture, _ now: SpeakerStatus) {
        drawGround(on: picture.surface, within: stage.bounds)
        let small = stage.pixels(Spacing.small)
        var room = stage.bounds.inset(x: margin, y: 0)
        // From the bottom up: buttons, bar, item. The clock gets the rest.
        _ = room.cutBottom(isSmall ? small : stage.pixels(Spacing.large))
        let hasSentence = now.toldTrouble == nil && !now.title.isEmpty && now.currentSegment != nil
        if !now.title.isEmpty {
            drawButtons(picture, room.cutBottom(stage.pixels(Metrics.target), gap: small))
            drawBar(picture, room.cutBottom(stage.pixels(Spacing.mini), gap: stage.pixels(Spacing.related)), now)
            // With room for only one, show the sentence.
            let both = 2 * stage.lineHeight(.rowTitle) + small + clockLeast
            if !hasSentence || !isSmall || room.height >= both { drawTitle(picture, &room) }
        }
        if let trouble = now.toldTrouble {
            TroubleCard(trouble, name: now.troubleName).drawLine(
                picture, from: &room, mostLines: 2, theme.standbyClock)
        } else if hasSentence {
            drawSentence(picture, now, &room)
        }
        _ = room.cutTop(margin / 2)
        _ = room.cutBottom(margin - margin / 2)
        drawClock(picture, now.sleep, room)
    }

    private var margin: Int { stage.pixels(Spacing.large) }
    /// The least height of the clock with its margins.
    private var clockLeast: Int {
        stage.pixels(isSmall ? Metrics.smallClockLeast : Metrics.standbyClockLeast)
    }
    private var isSmall: Bool { stage.scale.points(stage.height) < Breakpoint.compactSide }

    private func drawClock(_ picture: Picture, _ sleep: Sleep, _ place: PixelRect) {
        let date = Words.belowClock(state, sleep: sleep, stage, .date, width: place.width)
        guard let minute = state.minuteOfDay else {
            picture.write(date, .title2, in: place, theme.standbyText, align: .center)
            return
        }
        let words = clockWords(minute: minute)
        // The clock is as large as the room allows.
        var dateHeight = date.isEmpty ? 0 : stage.lineHeight(.date) + stage.pixels(Spacing.mini)
        // Tall panels show hours above minutes.
        let lines = place.height > place.width ? words.parts(between: ":") : [words]
        func size(_ dateHeight: Int) -> Float {
            clockSize(lines.count, room: stage.scale.points(place.height - dateHeight))
        }
        // Leave the date out if it would make the clock too small.
        if size(dateHeight) < Metrics.clockBeforeDate * TypeStyle.date.size { dateHeight = 0 }
        let size = size(dateHeight)
        let style = TypeStyle(size, size * Metrics.clockLeading, TypeStyle.clock.weight, digitsAlike: true)
        let line = stage.lineHeight(style)
        let height = lines.count * line + dateHeight
        let all = place.top(max(place.height, height)).middle(height: height)
        let clock = all.top(lines.count * line)
        var rest = clock
        for text in lines {
            // Digits are narrower than their reserved width.
            let set = stage.set(text, style, width: stage.width)
            picture.write(
                set, text, x: 0, y: rest.cutTop(line).y, width: stage.width, theme.standbyClock, align: .center)
        }
        if dateHeight > 0 {
            let style = TypeStyle.date.scaled(by: stage.letters([date], .date, width: all.width))
            picture.write(date, style, x: all.x, y: clock.maxY, width: all.width, theme.standbyText, align: .center)
        }
        picture.add(all, translated("Clock"), value: date.isEmpty ? words : words + ", " + date)
    }

    /// Returns the clock's size in points before the listener's text size is applied. It is limited by `Metrics.clockPart` of the panel's
    /// width and by the room's height.
    private func clockSize(_ lines: Int, room: Float) -> Float {
        let sample: Float = 100
        let style = TypeStyle(sample, sample, TypeStyle.clock.weight, digitsAlike: true)
        let wide = stage.scale.points(stage.set(lines == 1 ? "00:00" : "00", style, width: 8 * stage.width).width)
        let most = sample * stage.scale.textSize * stage.scale.points(stage.width) * Metrics.clockPart / max(1, wide)
        return max(24, min(room / Float(lines) / Metrics.clockLeading, most)) / stage.scale.textSize
    }

    /// Draws the title at the lower end of the room, and cuts off what it needs.
    private func drawTitle(_ picture: Picture, _ room: inout PixelRect) {
        let detail = state.chapter.isEmpty ? state.artist : state.chapter
        if isSmall {
            let place = room.cutBottom(stage.lineHeight(.rowTitle))
            picture.write(state.title, .rowTitle, in: place, theme.standbyText, align: .center)
            return picture.add(place, state.title, value: detail)
        }
        let side = stage.pixels(Metrics.standbyArtwork)
        let words = stage.lineHeight(.rowTitle) + (detail.isEmpty ? 0 : stage.lineHeight(.rowDetail))
        var place = room.cutBottom(max(side, words))
        let cover = place.cutLeft(side, gap: stage.pixels(Spacing.related)).middle(height: side)
        Cover(picture: artwork, symbol: .book, radius: Radius.thumbnail).draw(picture, cover)
        // Dim the cover like everything else.
        picture.canvas.fill(cover, radius: stage.pixels(Radius.thumbnail), with: theme.standby.opacity(0.45))
        picture.write(state.title, detail: detail, in: place, theme.standbyText, detail: theme.standbyDetail)
        picture.add(place, state.title, value: detail)
    }

    /// Draws the spoken sentence for a sleepless listener, in the room below the clock.
    private func drawSentence(_ picture: Picture, _ now: SpeakerStatus, _ room: inout PixelRect) {
        guard let index = now.currentSegment else { return }
        let gap = stage.pixels(Spacing.small)
        let lines = isSmall ? 1 : (room.height - gap - clockLeast) / stage.lineHeight(.rowTitle)
        let set = stage.set(now.segments[index].text, .rowTitle, width: room.width, lines: max(1, min(2, lines)))
        _ = room.cutBottom(gap)
        let place = room.cutBottom(set.height)
        picture.write(set, now.segments[index].text, in: place, theme.standbyText, align: .center)
        picture.add(place, now.segments[index].text, value: translated("being spoken"))
    }

    private func drawBar(_ picture: Picture, _ bar: PixelRect, _ now: SpeakerStatus) {
        let (elapsed, duration) = (now.positionMilliseconds, now.durationMilliseconds ?? 0)
        let done = duration > 0 ? Int(Float(bar.width) * min(1, Float(elapsed) / Float(duration))) : 0
        picture.bar(bar, done: done, track: theme.track.opacity(0.6), with: theme.standbyDetail)
        if duration <= 0 { return }
        picture.add(
            bar.inset(x: 0, y: -stage.pixels(Spacing.mini)), translated("Progress"),
            value: translated("%1 of %2", Words.time(elapsed), Words.time(duration)))
    }

    private func drawButtons(_ picture: Picture, _ place: PixelRect) {
        let (target, gap) = (place.height, stage.pixels(Spacing.xlarge))
        var room = place.middle(width: 3 * target + 2 * gap)
        for button in Transport.Button.allCases {
            Transport(state).draw(button, picture, in: room.cutLeft(target, gap: gap), theme.standbyText)
        }
    }
}
