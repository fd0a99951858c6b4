import Pixels

/// What a scene has drawn: the elements that hands and voices find there, what is pressed of them or has the focus, and what lies on top for
/// that. One thread.
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

    mutating func drawAnew() { isStale = true }

    mutating func take(_ gesture: Gesture) -> Element.Action { touch.take(gesture, elements) }

    /// Where a gesture would bring the focus; nil for nowhere.
    func next(_ gesture: Gesture) -> Int? { touch.next(gesture, elements) }

    // MARK: A frame, in this order

    /// Takes away what lies on top. Returns where that was.
    mutating func uncover(_ surface: Surface) -> [PixelRect] { isStale ? [] : patches.restore(surface) }

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

    /// Lays upon it what shows touch and focus. Returns where. - Parameter moment: nil where nothing moves.
    mutating func cover(_ stage: Stage, on surface: Surface, at moment: Int? = nil) -> [PixelRect] {
        touch.draw(Picture(stage, on: surface), patches, elements, at: moment)
    }
}
