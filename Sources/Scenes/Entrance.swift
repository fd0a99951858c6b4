// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels

/// The one-time entrance of cards, one after the other, in place of the placeholder shapes. Moments in milliseconds.
struct Entrance {
    private enum Phase: Equatable {
        case unknown, awaited
        case began(Int)
        case over
    }

    private var phase = Phase.unknown
    /// The greatest number of visible cards.
    var count = 0
    /// True if nothing moves.
    var isStill = false

    /// Advances the phase before each frame. Cards that were awaited enter; cards that were known at once are simply there.
    mutating func goOn(isKnown: Bool, at moment: Int) {
        switch phase {
        case .unknown: phase = isKnown ? .over : .awaited
        case .awaited: if isKnown { phase = isStill ? .over : .began(moment) }
        case .began: if !isMoving(at: moment) { phase = .over }
        case .over: break
        }
    }

    func isMoving(at moment: Int) -> Bool {
        guard case .began(let began) = phase else { return false }
        let last = Float(max(0, count - 1)) * Motion.cascadeStagger
        return moment <= began + Int((last + Motion.content) * 1000)
    }

    /// The progress of the card, 0…1.
    /// - Parameter index: the card's index among the visible ones.
    func part(of index: Int, at moment: Int) -> Float {
        guard case .began(let began) = phase else { return 1 }
        return Motion.easeOut((Float(moment - began) / 1000 - Float(index) * Motion.cascadeStagger) / Motion.content)
    }
}

extension Picture {
    /// Draws something that comes in: smaller and translucent.
    /// - Parameters:
    ///   - frame: the frame of the whole drawing.
    ///   - part: its progress, 0…1.
    func enter(_ frame: PixelRect, part: Float, _ draw: () -> Void) {
        let place = frame.intersection(canvas.clip)
        if part >= 1 || place.isEmpty { return draw() }
        let before = surface.part(place)
        draw()
        let drawn = surface.part(place)
        surface.put(before, x: place.x, y: place.y)
        if part <= 0 { return }
        let scale = Metrics.enteringCard + (1 - Metrics.enteringCard) * part
        let small = place.middle(width: Int(Float(place.width) * scale), height: Int(Float(place.height) * scale))
        canvas.draw(drawn, scaledTo: small)
        surface.fade(in: place, over: before, part: part)
    }
}

extension Surface {
    /// Blends the drawing at a place with the earlier pixels.
    /// - Parameters:
    ///   - before: the earlier pixels, as large as the place.
    ///   - part: the share of the new drawing, 0…1.
    func fade(in place: PixelRect, over before: Surface, part: Float) {
        for y in 0..<place.height {
            let row = row(place.y + y) + place.x
            Rows.crossFade(row, before.row(y), row, count: place.width, part: Int(part * 256))
        }
    }
}
