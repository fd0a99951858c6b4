// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels

/// The arrow of a mouse that moves relatively. It is drawn over the scenes, and removed before they draw again. It appears when the mouse
/// moves and disappears after a rest. One thread.
public final class Pointer {
    private let stage: Stage
    public private(set) var x: Int
    public private(set) var y: Int
    /// The moment of the last motion; nil while the arrow is hidden.
    private var moved: Int?
    private let patches = Patches()

    private static let rests = 5000

    public init(_ stage: Stage) {
        self.stage = stage
        (x, y) = (stage.width / 2, stage.height / 2)
    }

    public func move(byX: Int, y byY: Int, at moment: Int) {
        x = min(stage.width - 1, max(0, x + byX))
        y = min(stage.height - 1, max(0, y + byY))
        moved = moment
    }

    /// Removes the arrow before anything is drawn beneath it. Returns its old place.
    public func takeAway(_ surface: Surface) -> [PixelRect] { patches.restore(surface) }

    /// Draws the arrow over everything else. Returns its place.
    public func draw(on surface: Surface, at moment: Int) -> [PixelRect] {
        guard let moved, moment < moved + Pointer.rests else { return [] }
        let side = stage.pixels(Metrics.pointer)
        let place = PixelRect(x: x, y: y, width: side, height: side).intersection(stage.bounds)
        if place.isEmpty { return [] }
        patches.keep(place, of: surface)
        let picture = Picture(stage, on: surface)
        let frame = PixelRect(x: x, y: y, width: side, height: side)
        picture.canvas.clipped(to: place) {
            picture.draw(.pointer, in: frame, points: Metrics.pointer, stage.theme.background)
            let inner = frame.inset(by: max(1, side / 10))
            picture.draw(.pointer, in: inner, points: Metrics.pointer * 0.8, stage.theme.text)
        }
        return [place]
    }

    /// Returns when the arrow disappears; nil while it is hidden.
    public func nextFrame(after moment: Int) -> Int? {
        moved.flatMap { moment <= $0 + Pointer.rests ? $0 + Pointer.rests : nil }
    }
}
