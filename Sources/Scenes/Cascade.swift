import Design
import Pixels
import Typography

/// A heading that comes with its screen letter by letter, thin at first. It was drawn whole before, and stands there so in the end: nothing waits
/// for it, and nothing but its own rectangle is drawn again.
struct Cascade {
    private let place: PixelRect
    /// What lies there without it, and with it.
    private let ground: Surface
    private let whole: Surface
    private let text: TextLayout
    private let thin: TextLayout
    private let ink: Color

    /// Draws it whole. - Parameter place: all of it is drawn on.
    init(_ picture: Picture, _ words: String, _ style: TypeStyle, in place: PixelRect, _ color: Color) {
        let stage = picture.stage
        self.place = place
        ground = picture.surface.part(place)
        text = stage.set(words, style, width: place.width)
        thin = stage.set(words, style.weight(.light), over: text, width: place.width)
        let line = place.middle(height: text.height)
        ink = picture.ink(text, words, x: line.x, y: line.y, width: line.width, color)
        stage.painter.draw(text, on: picture.canvas, x: line.x, y: line.y, width: line.width, ink)
        whole = picture.surface.part(place)
    }

    /// - Parameters:
    ///   - surface: on which it was drawn.
    ///   - seconds: since it began to come; nil for the end.
    func draw(_ stage: Stage, on surface: Surface, seconds: Float?) {
        guard let seconds else { return surface.put(whole, x: place.x, y: place.y) }
        surface.put(ground, x: place.x, y: place.y)
        let canvas = Canvas(surface, shapes: stage.shapes)
        let line = place.middle(height: text.height)
        canvas.clipped(to: place) {
            // Each letter is there, and then it has its weight.
            for (layout, begins) in [(thin, Float(0)), (text, 0.5)] {
                stage.painter.drawCascade(
                    layout, on: canvas, x: line.x, y: line.y, width: line.width, ink, align: .leading
                ) { glyph in
                    let part = Cascade.part(glyph, seconds)
                    return (Cascade.down(stage, part), min(1, max(0, 2 * (part - begins))))
                }
            }
        }
    }

    /// How far a letter has come, 0…1.
    static func part(_ glyph: Int, _ seconds: Float) -> Float {
        Motion.easeOut((seconds - Float(glyph) * Motion.cascadeStagger) / (Motion.content / 2))
    }

    /// How far below its place it is then, in pixels.
    static func down(_ stage: Stage, _ part: Float) -> Int { stage.pixels(Motion.cascadeOffset * (1 - part)) }
}

extension Picture {
    /// The heading of a screen, at the side where lines of its script begin; the first of them comes letter by letter where that is wanted.
    func writeHeading(_ words: String, _ style: TypeStyle, in place: PixelRect, _ color: Color) {
        if !wantsCascade || words.isEmpty || place.intersection(canvas.clip) != place {
            return write(words, style, in: place, color)
        }
        wantsCascade = false
        cascade = Cascade(self, words, style, in: place, color)
    }
}
