// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels

extension Surface {
    /// Draws a part of the gradient that lies behind the whole screen.
    func fill(_ place: PixelRect, with gradient: GradientToken, _ stage: Stage) {
        let canvas = Canvas(self, shapes: stage.shapes)
        canvas.clipped(to: place) { canvas.fill(stage.bounds, with: gradient.gradient(in: stage.theme)) }
    }
}

/// The gradient behind a page and the bars beside its scrolling content, kept while the page moves over them. One thread.
struct PageGround {
    let gradient: GradientToken
    private var kept: (gradient: Gradient, surface: Surface, elements: [Element])?

    init(_ gradient: GradientToken) { self.gradient = gradient }

    mutating func forget() { kept = nil }

    /// Draws the whole screen.
    /// - Parameters:
    ///   - isKept: true keeps the pixels for the next frames.
    ///   - beside: draws what does not move.
    /// - Returns: the elements beside the scrolling content.
    mutating func draw(_ picture: Picture, isKept: Bool, beside: (Picture) -> Void) -> [Element] {
        let surface = picture.surface
        let wanted = gradient.gradient(in: picture.theme)
        picture.ground = wanted.bounds
        // Tests need to see every text that is written.
        if let kept, kept.gradient == wanted, picture.drawnTexts == nil {
            surface.put(kept.surface, x: 0, y: 0)
            return kept.elements
        }
        picture.canvas.fill(surface.bounds, with: wanted)
        let apart = Picture(picture.stage, on: surface)
        beside(apart)
        kept = isKept ? (wanted, surface.part(surface.bounds), apart.elements) : nil
        return apart.elements
    }
}
