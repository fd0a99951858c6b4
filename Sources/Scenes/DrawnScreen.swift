// SPDX-License-Identifier: Apache-2.0
import Pixels

/// The result of drawing a scene: the elements that hands and voices find there, what is pressed of them or has the focus, and what lies on
/// top for that. One thread.
struct DrawnScreen {
    private(set) var elements: [Element] = []
    private var touch = Touch()
    private let patches = Patches()
    /// All of it is to be drawn anew.
    private(set) var isStale = true

    var focus: Int? { touch.focus }
    /// A touch looks otherwise than it was drawn.
    var hasNewTouch: Bool { touch.isDirty }
    /// The next picture is another than the last.
    var isDue: Bool { isStale || touch.isDirty }

    /// Nothing lies upon it.
    var isBare: Bool { patches.isEmpty }

    mutating func drawAnew() { isStale = true }

    /// The touched and the focused element are marked to be seen from afar.
    mutating func setBold(_ isBold: Bool) { touch.isBold = isBold }

    mutating func take(_ gesture: Gesture) -> Element.Action { touch.take(gesture, elements) }

    /// The destination of the focus for a gesture; nil for nowhere.
    func next(_ gesture: Gesture) -> Int? { touch.next(gesture, elements) }

    /// Gives the focus to one of the elements.
    mutating func focus(on index: Int) { touch.focus(on: index, elements) }

    /// Gives the focus to the first of all that may have it.
    mutating func focusFirst() {
        touch = touch.withoutFocus
        _ = take(.focus(forward: true))
    }

    /// Something else comes in its place: nothing of it is touched any more.
    mutating func forget() {
        elements = []
        let isBold = touch.isBold
        touch = Touch()
        touch.isBold = isBold
    }

    // MARK: A frame, in this order

    /// Takes away what lies on top. Returns where that was.
    mutating func uncover(_ surface: Surface) -> [PixelRect] {
        if !isStale { return patches.restore(surface) }
        patches.forget()
        return []
    }

    /// Draws all of it. Returns where.
    mutating func compose(_ stage: Stage, on surface: Surface, _ draw: (Picture) -> Void) -> [PixelRect] {
        patches.forget()
        let picture = Picture(stage, on: surface)
        draw(picture)
        elements = picture.elements
        touch.relocate(elements)
        isStale = false
        return [surface.bounds]
    }

    /// Something is about to be laid upon what was drawn.
    func keep(_ place: PixelRect, of surface: Surface) { patches.keep(place, of: surface) }

    /// Replaces the elements, after a drawing other than by `compose`.
    mutating func show(_ elements: [Element]) { self.elements = elements }

    /// Nothing stands there.
    mutating func showNothing() {
        forget()
        isStale = false
    }

    /// Lays upon it what shows touch and focus. Returns where. - Parameter moment: nil where nothing moves.
    mutating func cover(_ stage: Stage, on surface: Surface, at moment: Int? = nil) -> [PixelRect] {
        isStale = false
        return touch.draw(Picture(stage, on: surface), patches, elements, at: moment)
    }
}
