// SPDX-License-Identifier: Apache-2.0
import Design
import Model
import Pixels
import Text
import Typography

/// The progress: a bar, the elapsed and the remaining time.
struct PlayerProgress {
    let layout: PlayerLayout
    var state: SpeakerStatus
    /// The starts of chapters, in milliseconds.
    var chapters: [Int] = []

    /// Returns the frame of everything that it draws.
    func place(_ stage: Stage) -> PixelRect {
        let (above, around) = (stage.pixels(Metrics.knob), stage.pixels(Spacing.small))
        let top = min(layout.bar.y - above, layout.times.y)
        return PixelRect(
            x: layout.times.x - around, y: top, width: layout.times.width + 2 * around,
            height: max(layout.bar.maxY + above, layout.times.maxY) - top)
    }

    /// The last drawing, for a frame in which only digits change.
    struct Drawn {
        fileprivate var left: (frame: PixelRect, ink: Color)?
        fileprivate var right: (frame: PixelRect, ink: Color)?
        fileprivate var bar = PixelRect(x: 0, y: 0, width: 0, height: 0)
        fileprivate var knob: PixelRect?
        fileprivate var done = 0
    }

    private var elapsed: String { Words.time(state.positionMilliseconds) }
    /// A true minus sign is as wide as a digit.
    private var remaining: String {
        state.durationMilliseconds.map { "−" + Words.time($0 - state.positionMilliseconds) } ?? ""
    }

    /// - Parameter known: the last drawing on the same ground; its readable colors are reused.
    func draw(_ picture: Picture, known: Drawn? = nil) -> Drawn {
        let stage = picture.stage
        let theme = picture.theme
        let (elapsed, remaining) = (elapsed, remaining)
        let frame = layout.times
        let left = stage.setTime(elapsed, width: frame.width)
        let right = stage.setTime(remaining, width: frame.width)
        let y = frame.y + (frame.height - left.height) / 2
        let hasElapsed = hasElapsed(stage, left.width, right.width)
        let leftWidth = hasElapsed ? left.width : 0
        var drawn = Drawn()
        func write(
            _ set: TextLayout, _ text: String, x: Int, _ known: (frame: PixelRect, ink: Color)?
        ) -> (frame: PixelRect, ink: Color) {
            let place = PixelRect(x: x, y: y, width: set.width, height: set.height)
            var ink = known?.ink
            if known?.frame != place || picture.drawnTexts != nil { ink = nil }
            let found = ink ?? picture.ink(set, text, x: x, y: y, width: set.width, theme.secondaryText)
            stage.painter.draw(set, on: picture.canvas, x: x, y: y, width: set.width, found)
            return (place, found)
        }
        if hasElapsed { drawn.left = write(left, elapsed, x: frame.x, known?.left) }
        if !remaining.isEmpty {
            drawn.right = write(right, remaining, x: frame.maxX - right.width, known?.right)
        }
        var bar = layout.bar
        if layout.isBarBetween {
            // The bar stands between the times, with room for the longest ones.
            let gap = stage.pixels(Spacing.small)
            let height = stage.pixels(Metrics.progressHeight)
            bar = PixelRect(
                x: frame.x + (hasElapsed ? leftWidth + gap : 0), y: frame.y + (frame.height - height) / 2,
                width: frame.width - leftWidth - right.width - (hasElapsed ? 2 : 1) * gap, height: height)
        }
        drawn.bar = bar
        drawn.knob = knob(stage, bar)
        drawn.done = done(bar)
        drawBar(picture, bar)
        picture.add(element(stage, bar))
        return drawn
    }

    /// The progress element. Its touch area is larger than the bar, but ends at the nearest other thing.
    private func element(_ stage: Stage, _ bar: PixelRect) -> Element {
        let target = stage.pixels(Metrics.target)
        return Element(
            frame: bar.middle(height: target),
            label: translated("Progress"),
            value: translated("%1 of %2", elapsed, state.durationMilliseconds.map { Words.time($0) } ?? "?"),
            hint: translated("drag to another place"), action: .seek, role: .slider)
    }

    /// Redraws digits and knob if nothing else has changed.
    /// - Parameters:
    ///   - drawn: the last drawing; it becomes the present one.
    ///   - beneath: the pixels under the whole drawing, at `place`.
    /// - Returns: the changed places; nil if more must be drawn.
    func count(
        _ picture: Picture, from drawn: inout Drawn, over beneath: Surface, at place: PixelRect
    ) -> [PixelRect]? {
        let stage = picture.stage
        let (knob, done) = (knob(stage, drawn.bar), done(drawn.bar))
        // A text to be audited must be written, not only drawn.
        if (knob == nil) != (drawn.knob == nil) || picture.drawnTexts != nil { return nil }
        // The knob's shadow extends beyond the knob.
        let reach = 2 * stage.pixels(Elevation.knob.blur) + stage.pixels(Elevation.knob.down)
        let around = knob.map { $0.union(drawn.knob ?? $0).inset(by: -reach).intersection(place) }
        let moved = knob != drawn.knob || done != drawn.done ? around : nil
        var damage: [PixelRect] = []
        var texts: [(layout: TextLayout, frame: PixelRect, ink: Color)] = []
        for (text, known) in [(elapsed, drawn.left), (remaining, drawn.right)] {
            guard let (frame, ink) = known else { continue }
            let set = stage.setTime(text, width: layout.times.width)
            // Letters may reach slightly beyond their frame.
            let area = frame.inset(x: -2, y: 0)
            if set.width != frame.width || !drawn.bar.intersection(area).isEmpty
                || !(around?.intersection(area).isEmpty ?? true)
            {
                return nil
            }
            texts.append((set, frame, ink))
            damage.append(area.intersection(place))
        }
        for (index, text) in texts.enumerated() {
            picture.surface.put(beneath, x: place.x, y: place.y, within: damage[index])
            picture.canvas.clipped(to: damage[index]) {
                stage.painter.draw(
                    text.layout, on: picture.canvas, x: text.frame.x, y: text.frame.y, width: text.frame.width, text.ink
                )
            }
        }
        if let area = moved {
            picture.surface.put(beneath, x: place.x, y: place.y, within: area)
            picture.canvas.clipped(to: area) { drawBar(picture, drawn.bar) }
            damage.append(area)
        }
        (drawn.knob, drawn.done) = (knob, done)
        picture.add(element(stage, drawn.bar))
        return damage
    }

    /// Returns true if the elapsed time has room. With large words the remaining time says more.
    private func hasElapsed(_ stage: Stage, _ left: Int, _ right: Int) -> Bool {
        let gap = stage.pixels(Spacing.small)
        return !layout.isBarBetween
            || layout.times.width - left - right - 2 * gap >= stage.pixels(Metrics.target) * 3 / 2
    }

    private func drawBar(_ picture: Picture, _ bar: PixelRect) {
        let theme = picture.theme
        let (done, edges) = (done(bar), edges(bar, picture.stage))
        for (left, right) in zip(edges, edges.dropFirst()) {
            var part = bar
            (part.x, part.width) = (bar.x + left, right - left)
            if right < bar.width { part.width -= picture.stage.scale.line(Metrics.chapterGap) }
            picture.bar(part, done: min(part.width, done - left), track: theme.track, with: theme.trackDone)
        }
        guard let knob = knob(picture.stage, bar) else { return }
        picture.shadow(of: knob, radius: knob.width / 2, .knob)
        picture.canvas.fill(knob, radius: knob.width / 2, with: theme.knob)
    }

    /// Returns the cuts between chapters on the bar, with its ends. Chapters too narrow to tell apart give no cuts.
    private func edges(_ bar: PixelRect, _ stage: Stage) -> [Int] {
        let whole = [0, bar.width]
        guard let duration = state.durationMilliseconds, duration > 0, chapters.count < bar.width else { return whole }
        var edges = [0]
        for start in chapters where start > 0 && start < duration {
            edges.append(Int(Float(bar.width) * Float(start) / Float(duration)))
        }
        edges.append(bar.width)
        let least = stage.pixels(Metrics.chapterLeast)
        return zip(edges, edges.dropFirst()).allSatisfy { $1 - $0 >= least } ? edges : whole
    }

    /// Returns the elapsed part of the bar, in pixels.
    private func done(_ bar: PixelRect) -> Int {
        guard let duration = state.durationMilliseconds, duration > 0 else { return 0 }
        let part = Float(min(duration, max(0, state.positionMilliseconds))) / Float(duration)
        return Int((Float(bar.width) * part).rounded())
    }

    /// Returns the knob's frame; nil if the length is unknown.
    private func knob(_ stage: Stage, _ bar: PixelRect) -> PixelRect? {
        if state.durationMilliseconds ?? 0 <= 0 { return nil }
        let size = stage.pixels(Metrics.knob)
        return PixelRect(
            x: min(max(bar.x, bar.x + done(bar) - size / 2), bar.maxX - size), y: bar.midY - size / 2, width: size,
            height: size)
    }
}
