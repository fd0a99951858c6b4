import Design
import Pixels
import Typography

/// What was kept, the newest first or as it was asked for. One thread.
public final class FavouritesPage: Page {
    public let list = RowWindow()
    private var order = FavouritesOrder.newest
    private let pictures: Pictures
    /// A row that a finger pulls aside, and how far.
    private var pulled: (name: String, by: Glide)?
    /// No finger holds it any more.
    private var goesBack = false
    /// One that goes: its height shrinks to nothing.
    private var leaving: (name: String, part: Reversible)?

    let tab = Element.Tab.favourites
    let title = "Favorites"
    let isRefreshable = true
    var isLoading: Bool { !list.isKnown }

    public init(_ pictures: Pictures) { self.pictures = pictures }

    public func show(_ rows: [ListRow], by order: FavouritesOrder) {
        self.order = order
        list.show(rows)
    }

    /// The same in another order, once it is told.
    public func show(by order: FavouritesOrder) {
        if order != self.order { list.clear() }
        self.order = order
        list.reload()
    }

    /// Pages to be asked for: not while a row is on its way out.
    public func takeWanted() -> [Int] { leaving == nil ? list.takeWanted() : [] }

    // MARK: Layout

    private func chips() -> [(Chip, Element.Action)] {
        FavouritesOrder.allCases.map { order in
            let title =
                switch order {
                case .newest: "Newest"
                case .title: "Title"
                case .duration: "Length"
                case .plays: "Plays"
                }
            return (Chip(title: title, isSelected: order == self.order), .order(order))
        }
    }

    private var isEmpty: Bool { list.isKnown && list.count == 0 }

    private func gap(_ stage: Stage) -> Int { stage.pixels(Spacing.rows) }

    private func headerHeight(_ stage: Stage, width: Int) -> Int {
        let chips = Chip.flow(Picture.measuring(stage), chips(), x: 0, y: 0, width: width, isDrawn: false)
        return stage.pixels(Spacing.small) + stage.lineHeight(.section) + stage.pixels(Spacing.medium) + chips
            + stage.pixels(Spacing.medium)
    }

    func height(_ stage: Stage, width: Int) -> Int {
        if isEmpty {
            return stage.lineHeight(.section) + stage.pixels(Spacing.large) + empty.height(stage, width: width)
        }
        return headerHeight(stage, width: width) + max(1, list.count) * (RowView.height(stage) + gap(stage))
    }

    func isMoving(at moment: Int) -> Bool {
        // Until their last frame has been drawn.
        goesBack || leaving != nil
    }

    // MARK: Drawing

    func draw(_ picture: Picture, x: Int, top: Int, width: Int, visible: PixelRect, at moment: Int) {
        let stage = picture.stage
        var y = top + stage.pixels(Spacing.small)
        y += picture.write("Topics", .section, x: x, y: y, width: width, stage.theme.text)
        picture.add(
            Element(
                frame: PixelRect(x: x, y: top, width: width, height: y - top), label: "Topics", role: .heading))
        y += stage.pixels(Spacing.medium)
        if isEmpty { return drawEmpty(picture, x: x, y: y, width: width, visible: visible) }
        y += Chip.flow(picture, chips(), x: x, y: y, width: width) + stage.pixels(Spacing.medium)
        let height = RowView.height(stage)
        let step = height + gap(stage)
        if !list.isKnown {
            list.see(0..<visible.height / step + 1)
            while y < visible.maxY {
                Skeleton.row(picture, PixelRect(x: x, y: y, width: width, height: height))
                y += step
            }
            return
        }
        if goesBack && !(pulled?.by.isMoving(at: moment) ?? false) {
            pulled = nil
            goesBack = false
        }
        // The rows after one that goes move up.
        var (left, shrunk) = (Int.max, 0)
        if let leaving {
            if leaving.part.isMoving(at: moment) {
                left = list.index(of: leaving.name) ?? .max
                shrunk = Int(Float(step) * leaving.part.part(at: moment))
            } else {
                list.remove(leaving.name)
                self.leaving = nil
            }
        }
        let first = max(0, (visible.y - y) / step)
        let end = min(list.count, max(first, (visible.maxY - y + shrunk) / step + 1))
        list.see(first..<max(first, end))
        for index in first..<max(first, end) {
            let top = y + index * step - (index > left ? shrunk : 0)
            let place = PixelRect(x: x, y: top, width: width, height: height)
            guard let row = list[index] else {
                Skeleton.row(picture, place)
                continue
            }
            var aside = 0
            if let pulled, pulled.name == row.name { aside = Int(pulled.by.value(at: moment)) }
            if index == left { aside = -width }
            let shown = index == left ? max(0, height - shrunk) : height
            if shown == 0 { continue }
            picture.canvas.clipped(to: PixelRect(x: x, y: top, width: width, height: shown)) {
                RowView(
                    row: row, picture: pictures.picture(row, side: stage.pixels(Metrics.rowThumbnail)), aside: aside
                )
                .draw(picture, place)
            }
        }
    }

    private func drawEmpty(_ picture: Picture, x: Int, y: Int, width: Int, visible: PixelRect) {
        let stage = picture.stage
        // A bar for what is playing may lie upon the end of it.
        let isHigh = stage.scale.points(stage.height) >= Breakpoint.barsHeight
        let covered = stage.pixels(isHigh ? Metrics.miniBarHeight : Spacing.small)
        let room = max(empty.height(stage, width: width), visible.maxY - y - covered)
        empty.draw(picture, in: PixelRect(x: x, y: y, width: width, height: room))
    }

    private var empty: Notice {
        Notice(
            symbol: .heart, title: "No favorites yet",
            words: "Touch the heart while something plays, and you will find it here.",
            button: ("Open the library", .show(.library)))
    }

    // MARK: Hands

    func swipe(_ elements: [Element], x: Int, y: Int, by: Int, at moment: Int) -> Bool {
        if goesBack {
            pulled = nil
            goesBack = false
        }
        if pulled == nil {
            guard by < 0, let hit = Touch.hit(elements, x, y), case .open(_, let name) = elements[hit].action,
                elements[hit].role == .row
            else { return false }
            pulled = (name, Glide())
        }
        guard let now = pulled else { return false }
        pulled?.by = Glide(min(0, now.by.value(at: moment) + Float(by)))
        return true
    }

    func endSwipe(at moment: Int) -> Element.Action {
        guard let now = pulled else { return .none }
        let value = now.by.value(at: moment)
        if -value >= Metrics.swipeDistance {
            pulled = nil
            goesBack = false
            var part = Reversible(Motion.playback)
            part.turn(true, at: moment)
            leaving = (now.name, part)
            return .remove(now.name)
        }
        pulled?.by.spring(.grid, from: value, to: 0, at: moment)
        goesBack = true
        return .none
    }
}

extension Picture {
    /// For what only measures.
    static func measuring(_ stage: Stage) -> Picture { Picture(stage, on: Surface(width: 1, height: 1)) }
}
