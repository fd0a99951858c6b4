import Pixels

/// What scrolls on a `PageScene`. One thread.
protocol Page: AnyObject {
    var tab: Element.Tab { get }
    /// In the header, with the way back; "" for a screen without one.
    var title: String { get }
    /// How high all of it is. Called before it is drawn.
    func height(_ stage: Stage, width: Int) -> Int
    /// Draws what of it lies within `visible`; `top` is where its first line is.
    func draw(_ picture: Picture, x: Int, top: Int, width: Int, visible: PixelRect, at moment: Int)
    /// A drag across, which may pull a row aside; false for what does not move.
    func swipe(_ elements: [Element], x: Int, y: Int, by: Int, at moment: Int) -> Bool
    func endSwipe(at moment: Int) -> Element.Action
    func isMoving(at moment: Int) -> Bool
    /// It can be pulled down to be read again.
    var isRefreshable: Bool { get }
    var isLoading: Bool { get }
}
