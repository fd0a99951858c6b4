// SPDX-License-Identifier: Apache-2.0
import Design
import Model
import Pixels

/// An act of a hand, in pixels of the panel as it is held, or a focus that buttons move.
public enum Gesture: Equatable, Sendable {
    /// A finger comes down, before it is known what it will do: the element there is shown pressed.
    case press(x: Int, y: Int)
    /// It went away, or it became something else: nothing is pressed any more.
    case release
    case tap(x: Int, y: Int)
    case doubleTap(x: Int, y: Int)
    case longPress(x: Int, y: Int)
    /// One step of a drag that began at `x`, `y`.
    case drag(x: Int, y: Int, byX: Int, byY: Int)
    /// The finger leaves; speeds in pixels a second.
    case drop(speedX: Int, speedY: Int)
    /// The focus goes to the element after, or before; `choose` does what a tap on it would.
    case focus(forward: Bool)
    case choose
    /// The focus goes to the nearest element on that side.
    case move(Side)
    /// A long press on the focused element.
    case hold
    /// The focus comes to what a hand wants first of a screen: the play button, the first row, or the only element there.
    case enter
    /// The focus goes on by lines of a list, and as an element after the other where it stands on none.
    case run(lines: Int)
    /// It goes to the first row of the next letter, or of the one before.
    case leap(forward: Bool)
    /// It goes to the tabs.
    case tabs
}

extension Gesture {
    /// The same from one element to the next, where there are no lines.
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
    /// Another gradient lies behind it, where one is seen.
    func lie(on gradient: GradientToken)
    /// The content has changed; motions caused by it begin at this moment.
    func show(_ state: SpeakerStatus, at moment: Int)
    /// Draws on what the same scene drew before, and tells what of it is other than it was. The first time, and after `drawAnew`, all is drawn.
    func draw(on surface: Surface, at moment: Int) -> [PixelRect]
    /// It comes up over another screen with the next `draw`, on a surface of its own.
    func willCome()
    /// Draws the moving part of it while it comes on that surface, and in the end the result of `draw`. drawn on that surface, and in the
    /// end what `draw` drew there.
    /// - Parameter seconds: since it began to; nil for the end.
    /// - Returns: where that is; nil for nowhere.
    @discardableResult func come(on surface: Surface, seconds: Float?) -> PixelRect?
    /// Draws what lies behind all of it, as far as that is within a place.
    func drawGround(on surface: Surface, within place: PixelRect)
    /// The parts that stand still while a screen with the same gives way to it.
    var bars: [PixelRect] { get }
    /// The covers on it after the last `draw`, whole ones: one that the next screen shows, too, goes there.
    var covers: [ShownCover] { get }
    /// The surface has foreign pixels, or theme or settings have changed.
    func drawAnew()
    /// The elements after the last `draw`, in the order of the focus and of a reading voice.
    var elements: [Element] { get }
    /// When it next looks different: the moment itself while something moves, later for a clock's next second, nil for when nothing
    /// happens by itself.
    func nextFrame(after moment: Int) -> Int?
    /// There is something that will be needed soon and can be got ready while nothing else is to be done.
    var wantsTime: Bool { get }
    /// Gets that ready: may take as long as some frames, and leaves the surface, on which it drew last, as it is.
    func prepare(on surface: Surface, at moment: Int)
    /// Returns the act for its owner.
    func take(_ gesture: Gesture, at moment: Int) -> Element.Action
    /// The element that the focus is on, of `elements`; nil for none.
    var focus: Int? { get }
    /// The part between its bars, for overlays.
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
