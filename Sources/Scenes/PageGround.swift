import Design
import Pixels

/// The gradient that a page lies on: as it was drawn, while the page moves over it. One thread.
struct PageGround {
    let gradient: GradientToken
    private var kept: (Gradient, Surface)?

    init(_ gradient: GradientToken) { self.gradient = gradient }

    mutating func forget() { kept = nil }

    /// Over all of the screen. - Parameter isKept: it is drawn again soon.
    mutating func draw(_ picture: Picture, isKept: Bool) {
        let surface = picture.surface
        let wanted = gradient.gradient(in: picture.theme)
        if let (known, drawn) = kept, known == wanted { return surface.put(drawn, x: 0, y: 0) }
        picture.canvas.fill(surface.bounds, with: wanted)
        kept = isKept ? (wanted, surface.part(surface.bounds)) : nil
    }
}
