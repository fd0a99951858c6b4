// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels

/// A fraction as a part of a circle, beginning at the top; a full circle has a tick.
struct Ring {
    let part: Float

    func draw(_ picture: Picture, in rect: PixelRect, width: Float = Metrics.ringWidth, color: Color? = nil) {
        let stage = picture.stage
        let side = min(rect.width, rect.height)
        let place = PixelRect(x: 0, y: 0, width: side, height: side).centred(in: rect)
        let pen = Float(stage.scale.line(width))
        let whole = stage.shapes.ring(side: side, pen: pen, part: 1)
        picture.canvas.draw(whole, x: place.x, y: place.y, with: picture.theme.track)
        let ink = color ?? picture.theme.accent
        if part > 0 {
            let done = stage.shapes.ring(side: side, pen: pen, part: min(1, part))
            picture.canvas.draw(done, x: place.x, y: place.y, with: ink)
        }
        if part >= 1 {
            picture.draw(.tick, in: place, points: stage.scale.points(side) * Metrics.tickPart, ink)
        }
    }
}
