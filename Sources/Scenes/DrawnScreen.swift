// SPDX-License-Identifier: Apache-2.0
import Pixels

/// A drawn scene: its elements for hands and voices, the pressed and the focused one, and the marks drawn over them. One thread.
struct DrawnScreen {
    private(set) var elements: [Element] = []
    private var touch = Touch()
    private let patches = Patches()
    /// True if everything must be drawn again.
    private(set) var isStale = true

    var focus: Int? { touch.focus }
    /// True if the marks of touch or focus differ from what was drawn.
    var hasNewTouch: Bool { touch.isDirty }
    /// True if the next picture differs from the last.
    var isDue: Bool { isStale || touch.isDirty }

    /// True if no temporary drawing lies on the screen.
    var isBare: Bool { patches.isEmpty }

    mutating func drawAnew() { isStale = true }

    /// Makes the marks of touch and focus visible from afar.
    mutating func setBold(_ isBold: Bool) { touch.isBold = isBold }

    mutating func take(_ gesture: Gesture) -> Element.Action { touch.take(gesture, elements) }

    /// Returns where a gesture moves the focus; nil for nowhere.
    func next(_ gesture: Gesture) -> Int? { touch.next(gesture, elements) }

    /// Gives the focus to one of the elements.
    mutating func focus(on index: Int) { touch.focus(on: index, elements) }

    /// Gives the focus to the first element that may have it.
    mutating func focusFirst() {
        touch = touch.withoutFocus
        _ = take(.focus(forward: true))
    }

    /// Forgets touch and focus, because another screen follows.
    mutating func forget() {
        elements = []
        let isBold = touch.isBold
        touch = Touch()
        touch.isBold = isBold
    }

    // MARK: A frame, in this order

    /// Removes what lies on top. Returns the changed places.
    mutating func uncover(_ surface: Surface) -> [PixelRect] {
        if !isStale { return patches.restore(surface) }
        patches.forget()
        return []
    }

    /// Draws the whole scene. Returns the changed places.
    mutating func compose(_ stage: Stage, on surface: Surface, _ draw: (Picture) -> Void) -> [PixelRect] {
        patches.forget()
        let picture = Picture(stage, on: surface)
        draw(picture)
        elements = picture.elements
        touch.relocate(elements)
        isStale = false
        return [surface.bounds]
    }

    /// Saves the pixels of a place before something is drawn over it.
    func keep(_ place: PixelRect, of surface: Surface) { patches.keep(place, of: surface) }

    /// Replaces the elements, after a drawing other than by `compose`.
    mutating func show(_ elements: [Element]) { self.elements = elements }

    /// Removes all elements.
    mutating func showNothing() {
        forget()
        isStale = false
    }

    /// Draws the marks of touch and focus on top. Returns the changed places.
    /// - Parameter moment: nil if nothing moves.
    mutating func cover(_ stage: Stage, on surface: Surface, at moment: Int? = nil) -> [PixelRect] {
        isStale = false
        return touch.draw(Picture(stage, on: surface), patches, elements, at: moment)
    }
}
