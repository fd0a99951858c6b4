// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// A heading or a new title that appears letter by letter, thin at first. The whole text is drawn before and after, so no other drawing
/// waits for it. It redraws only its own rectangle.
struct Cascade {
    let place: PixelRect
    /// The pixels without the text, and with it.
    private let ground: Surface
    private var whole: Surface
    private let text: TextLayout
    private let thin: TextLayout
    private let ink: Color
    /// The delay from one letter to the next, in seconds. Long titles use a shorter one, so that every title takes the same time.
    private let stagger: Float

    /// Draws the whole text.
    /// - Parameters:
    ///   - text: the text set in its style; it is centered in the place.
    ///   - place: the rectangle of the whole text.
    init(
        _ picture: Picture, _ text: TextLayout, _ words: String, _ style: TypeStyle, in place: PixelRect,
        _ color: Color,
        opacity: Float = 1
    ) {
        let stage = picture.stage
        self.place = place
        self.text = text
        ground = picture.surface.part(place)
        thin = stage.set(words, style.weight(.light), over: text, width: place.width)
        stagger = min(Motion.cascadeStagger, Motion.content / 2 / Float(max(1, text.characterCount)))
        let line = place.middle(height: text.height)
        ink = picture.ink(text, words, x: line.x, y: line.y, width: line.width, color, opacity: opacity)
        stage.painter.draw(text, on: picture.canvas, x: line.x, y: line.y, width: line.width, ink)
        whole = picture.surface.part(place)
    }

    /// Keeps the final pixels, with everything that was drawn over the text later.
    mutating func keepWhole(of surface: Surface) { whole = surface.part(place) }

    /// - Parameters:
    ///   - surface: the surface on which the text is drawn.
    ///   - seconds: the time since the animation began; nil for its end.
    func draw(_ stage: Stage, on surface: Surface, seconds: Float?) {
        guard let seconds else { return surface.put(whole, x: place.x, y: place.y) }
        surface.put(ground, x: place.x, y: place.y)
        let canvas = Canvas(surface, shapes: stage.shapes)
        let line = place.middle(height: text.height)
        canvas.clipped(to: place) {
            // Each letter first appears thin, then gets its weight.
            for (layout, begins) in [(thin, Float(0)), (text, 0.5)] {
                stage.painter.drawCascade(
                    layout, on: canvas, x: line.x, y: line.y, width: line.width, ink, align: .leading
                ) { glyph in
                    let part = Cascade.part(glyph, seconds, stagger)
                    return (Cascade.down(stage, part), min(1, max(0, 2 * (part - begins))))
                }
            }
        }
    }

    /// The progress of a letter, 0…1.
    static func part(_ glyph: Int, _ seconds: Float, _ stagger: Float = Motion.cascadeStagger) -> Float {
        Motion.easeOut((seconds - Float(glyph) * stagger) / (Motion.content / 2))
    }

    /// Returns a letter's distance below its final place, in pixels.
    static func down(_ stage: Stage, _ part: Float) -> Int { stage.pixels(Motion.cascadeOffset * (1 - part)) }
}

extension Picture {
    /// Writes the heading of a screen at the leading side. The first heading appears letter by letter if requested.
    func writeHeading(_ words: String, _ style: TypeStyle, in place: PixelRect, _ color: Color) {
        if words.isEmpty { return }
        writeComing(stage.set(words, style, width: place.width), words, style, in: place, color)
    }

    /// Writes words in the middle of a place, letter by letter if requested.
    /// - Parameter layout: the words, set in the style.
    func writeComing(
        _ layout: TextLayout, _ words: String, _ style: TypeStyle, in place: PixelRect, _ color: Color,
        opacity: Float = 1
    ) {
        if !wantsCascade || place.isEmpty || place.intersection(canvas.clip) != place {
            return write(layout, words, in: place, color, opacity: opacity)
        }
        wantsCascade = false
        cascade = Cascade(self, layout, words, style, in: place, color, opacity: opacity)
    }
}

/// The animation of a new item's title, letter by letter. Moments in milliseconds.
struct ComingTitle {
    private var wantedSince: Int?
    private var began: Int?
    private var cascade: Cascade?

    /// Requests the animation; it begins with the next frame.
    mutating func want(at moment: Int) { (wantedSince, began, cascade) = (moment, nil, nil) }

    /// Returns whether to animate the words. A title that changed while unseen is not animated.
    func wantsCascade(at moment: Int) -> Bool {
        began != nil || wantedSince.map { moment - $0 < Int(Motion.content * 1000) } ?? false
    }

    /// Starts the animation after the whole screen was drawn.
    /// - Parameter cascade: the title; nil if it does not move.
    mutating func take(_ cascade: Cascade?, on surface: Surface, at moment: Int) {
        wantedSince = nil
        self.cascade = cascade
        self.cascade?.keepWhole(of: surface)
        began = cascade == nil ? nil : began ?? moment
    }

    var isComing: Bool { cascade != nil }

    /// Draws the current frame. Returns the changed places.
    /// - Parameter isOver: true shows the whole title at once.
    mutating func draw(_ stage: Stage, on surface: Surface, at moment: Int, isOver: Bool) -> [PixelRect] {
        guard let cascade, let began else { return [] }
        let isOver = isOver || moment >= began + Int(Motion.content * 1000)
        cascade.draw(stage, on: surface, seconds: isOver ? nil : Float(moment - began) / 1000)
        if isOver { self = ComingTitle() }
        return [cascade.place]
    }
}
