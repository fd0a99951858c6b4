// SPDX-License-Identifier: Apache-2.0
import Design
import Model
import Pixels

/// A gesture of a hand, in pixels of the panel as it is held, or a focus that buttons move.
public enum Gesture: Equatable, Sendable {
    /// A finger touches the panel. Its meaning is still open; the element there is shown pressed.
    case press(x: Int, y: Int)
    /// The finger left, or its gesture became another one: nothing is pressed any more.
    case release
    case tap(x: Int, y: Int)
    case doubleTap(x: Int, y: Int)
    case longPress(x: Int, y: Int)
    /// One step of a drag that began at `x`, `y`.
    case drag(x: Int, y: Int, byX: Int, byY: Int)
    /// The finger leaves after a drag; speeds in pixels a second.
    case drop(speedX: Int, speedY: Int)
    /// Moves the focus to the next or the previous element; `choose` acts like a tap on it.
    case focus(forward: Bool)
    case choose
    /// Moves the focus to the nearest element on that side.
    case move(Side)
    /// A long press on the focused element.
    case hold
    /// Focuses what a hand wants first: the play button, the first row, or the only element.
    case enter
    /// Moves the focus by lines of a list, or element by element outside a list.
    case run(lines: Int)
    /// Moves the focus to the first row of the next or the previous letter.
    case leap(forward: Bool)
    /// Moves the focus to the tabs.
    case tabs
}

extension Gesture {
    /// The same gesture by one element, for places without lines.
    var asStep: Gesture {
        switch self {
        case .run(let lines): .focus(forward: lines > 0)
        case .leap(let forward): .focus(forward: forward)
        default: self
        }
    }
}

public enum Side: Equatable, Sendable {
    case left, right, up, down
}

/// A screen that can be drawn at any moment. Moments are milliseconds of a clock that never goes back. One thread.
///
/// Its owner calls `draw` after an event (`show`, `take`) and at the moments that `nextFrame` names, and at no other.
public protocol Scene: AnyObject {
    var stage: Stage { get }
    /// Puts another gradient behind the screen, if the gradient is visible.
    func lie(on gradient: GradientToken)
    /// Shows a new state. Motions caused by it begin at this moment.
    func show(_ state: SpeakerStatus, at moment: Int)
    /// Draws over the scene's last drawing and returns the changed places. The first drawing, and the one after `drawAnew`, is complete.
    func draw(on surface: Surface, at moment: Int) -> [PixelRect]
    /// Prepares for the screen's entrance: the next `draw` uses a separate surface.
    func willCome()
    /// Draws the moving part of the entrance on that surface, and at its end the final pixels.
    /// - Parameter seconds: the time since the entrance began; nil for its end.
    /// - Returns: the changed place; nil if nothing moves.
    @discardableResult func come(on surface: Surface, seconds: Float?) -> PixelRect?
    /// Draws the background of the screen, within a place.
    func drawGround(on surface: Surface, within place: PixelRect)
    /// The bars. They stand still during a transition to a screen with the same ones.
    var bars: [PixelRect] { get }
    /// The complete covers in the last `draw`. A cover that the next screen shows, too, travels there.
    var covers: [ShownCover] { get }
    /// Makes the next drawing complete: the surface, the theme or the settings changed.
    func drawAnew()
    /// The elements of the last `draw`, in the order of the focus and of a screen reader.
    var elements: [Element] { get }
    /// Returns when the screen next changes: at once while something moves, later for a clock's next second, nil if nothing changes by
    /// itself.
    func nextFrame(after moment: Int) -> Int?
    /// True if the scene can prepare something in idle time.
    var wantsTime: Bool { get }
    /// Prepares it. May take several frames' time; leaves the surface of the last drawing unchanged.
    func prepare(on surface: Surface, at moment: Int)
    /// Handles a gesture. Returns the action for the scene's owner.
    func take(_ gesture: Gesture, at moment: Int) -> Element.Action
    /// The index in `elements` of the focused element; nil for none.
    var focus: Int? { get }
    /// The room between the bars, for overlays.
    var room: PixelRect { get }
}

extension Scene {
    public var room: PixelRect { stage.bounds }
    public func willCome() {}
    public func come(on surface: Surface, seconds: Float?) -> PixelRect? { nil }
    public var bars: [PixelRect] { [] }
    public var covers: [ShownCover] { [] }
    public var wantsTime: Bool { false }
    public func prepare(on surface: Surface, at moment: Int) {}
}
