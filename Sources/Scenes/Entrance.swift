// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels

/// Cards that come in one after the other, where their shapes stood before. Once. Moments in milliseconds.
struct Entrance {
    private enum Phase: Equatable {
        case unknown, awaited
        case began(Int)
        case over
    }

    private var phase = Phase.unknown
    /// So many are seen, at most.
    var count = 0
    /// Nothing moves.
    var isStill = false

    /// It begins where they were waited for, and is over before it began where they were there at once. Before each frame.
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

    /// The progress of the card, 0…1. - Parameter index: among those that are seen.
    func part(of index: Int, at moment: Int) -> Float {
        guard case .began(let began) = phase else { return 1 }
        return Motion.easeOut((Float(moment - began) / 1000 - Float(index) * Motion.cascadeStagger) / Motion.content)
    }
}

extension Picture {
    /// Draws something that comes in: smaller, and seen through. - Parameters:
    ///   - frame: of all that it draws.
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
    /// Shows the drawing at a place in part, over the pixels from before it. - Parameters:
    ///   - before: as large as the place.
    ///   - part: 0…1.
    func fade(in place: PixelRect, over before: Surface, part: Float) {
        for y in 0..<place.height {
            let row = row(place.y + y) + place.x
            Rows.crossFade(row, before.row(y), row, count: place.width, part: Int(part * 256))
        }
    }
}
