// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Text
import Typography

extension Destination {
    static var favourites: Destination {
        Destination(.favourites, translated("Favorites"), .bookmark, filled: .bookmarkFilled, .rosewoodPlum) {
            FavouritesPage($0)
        }
    }
}

/// The favorites, the newest first or in the requested order. One thread.
public final class FavouritesPage: ListPage {
    public let list = RowWindow()
    private var order = FavouritesOrder.newest
    /// The household's favorites that have no audio on this speaker.
    private var absent: [String] = []
    private var isAbsentWanted = false
    private let context: PageContext
    /// The row that a finger pulls aside, and its distance.
    private var pulled: (name: String, by: Glide)?
    /// True if the finger has let go and the row slides back.
    private var goesBack = false
    /// The row that was removed and now shrinks away.
    private var leaving: (name: String, part: Reversible)?

    let tab = Element.Tab.favourites
    var title: String { translated("Favorites") }

    init(_ context: PageContext) { self.context = context }

    func show(_ rows: [ListRow], by order: FavouritesOrder) {
        self.order = order
        list.show(rows)
    }

    func show(absent names: [String]) { absent = names }

    func show(_ example: ExampleLists) {
        if let rows = example.rows("favourites", files: .favourite) { show(rows, by: .newest) }
    }

    // MARK: The speaker

    private static let mostAbsent = 50

    func load() {
        list.reload()
        isAbsentWanted = true
    }

    func fetch() {
        // Request nothing while a row shrinks away.
        if leaving != nil { return }
        context.fill(list, list.takeWanted(), files: .favourite) { [order] in
            "favourite list " + order.rawValue + " " + $0
        }
        if !isAbsentWanted { return }
        isAbsentWanted = false
        context.ask("household absent") { [self] in
            let lines = ($0 ?? "").utf8.split(separator: 0x0A).prefix(FavouritesPage.mostAbsent)
            show(absent: lines.compactMap { SpeakerStatus.parts($0).map { $0.value } })
            context.redraw()
        }
    }

    func changed(_ name: String, isShown: Bool) {
        if name != "sticker" { return }
        load()
        if isShown { context.redraw() }
    }

    func take(_ action: Element.Action) -> Bool {
        switch action {
        case .order(let order):
            if order != self.order { list.clear() }
            self.order = order
            load()
        case .refresh:
            context.tell("update")
            load()
        case .remove(let file): context.tell("favourite remove " + file.quotedArgument)
        default: return false
        }
        return true
    }

    // MARK: Layout

    private func chips() -> [(Chip, Element.Action)] {
        FavouritesOrder.allCases.map { order in
            (Chip(title: order.title, isSelected: order == self.order), .order(order))
        }
    }

    var isByTitle: Bool { order == .title }

    func isMoving(at moment: Int) -> Bool {
        // True until the last frame of a motion has been drawn.
        goesBack || leaving != nil
    }

    func layOut(_ column: inout Column, at moment: Int) {
        let stage = column.stage
        column.heading(translated("Topics"), .section, stage.theme.text, space: Spacing.small)
        column.space(Spacing.medium)
        if isEmpty && absent.isEmpty {
            // The bar of the playing item may cover the end of the list.
            let isHigh = stage.scale.points(stage.height) >= Breakpoint.barsHeight
            return column.rest(
                least: notice.height(stage, width: column.width),
                free: stage.pixels(isHigh ? Metrics.miniBarHeight : Spacing.small)
            ) { picture, room in notice.draw(picture, in: room) }
        }
        column.chips(chips())
        column.space(Spacing.medium)
        let grid = CellGrid(width: column.width, height: RowView.height(stage), gap: stage.pixels(Spacing.rows))
        let (left, shrunk) = leavingRow(step: grid.height + grid.gap, at: moment)
        column.cells(of: list, grid, shift: shrunk) { picture, row, index, frame in
            // The rows below a removed row move up.
            let place = PixelRect(
                x: frame.x, y: frame.y - (index > left ? shrunk : 0), width: frame.width, height: frame.height)
            let shown = place.top(index == left ? max(0, frame.height - shrunk) : frame.height)
            if shown.height == 0 { return }
            var aside = index == left ? -frame.width : 0
            if index != left, let pulled, pulled.name == row.name { aside = Int(pulled.by.value(at: moment)) }
            let cover = context.pictures.picture(row, side: stage.pixels(Metrics.rowThumbnail))
            picture.canvas.clipped(to: shown) { RowView(row: row, picture: cover, aside: aside).draw(picture, place) }
        }
        layOutAbsent(&column)
    }

    private func layOutAbsent(_ column: inout Column) {
        if absent.isEmpty { return }
        let theme = column.stage.theme
        column.space(Spacing.medium)
        column.heading(translated("Not on this speaker"), .section, theme.text, space: Spacing.small)
        let height = column.stage.lineHeight(.rowTitle) + column.stage.pixels(Spacing.small)
        for name in absent {
            column.add(height) { picture, frame in
                picture.write(name, .rowTitle, in: frame, theme.secondaryText)
                picture.add(frame, name, role: .text)
            }
        }
    }

    /// Returns the row that shrinks away, and how far the rows below it have moved up, in pixels.
    private func leavingRow(step: Int, at moment: Int) -> (index: Int, shrunk: Int) {
        guard let leaving, let index = list.index(of: leaving.name) else { return (.max, 0) }
        return (index, Int(Float(step) * leaving.part.part(at: moment)))
    }

    /// Ends the motions that have reached their goal.
    func endMotion(at moment: Int) {
        if goesBack && !(pulled?.by.isMoving(at: moment) ?? false) { letGo() }
        if let name = leaving?.name, !(leaving?.part.isMoving(at: moment) ?? false) {
            list.remove(name)
            leaving = nil
        }
    }

    private func letGo() {
        pulled = nil
        goesBack = false
    }

    private var notice: Notice {
        Notice(
            symbol: .heart, title: translated("No favorites yet"),
            words: translated("Touch the heart while something plays, and you will find it here."),
            button: (translated("Open the library"), .show(.library)))
    }

    // MARK: Hands

    func swipe(_ elements: [Element], x: Int, y: Int, by: Int, at moment: Int) -> Bool {
        if goesBack { letGo() }
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

    func endSwipe(least: Int, at moment: Int) -> Element.Action {
        guard let now = pulled else { return .none }
        let value = now.by.value(at: moment)
        if -value >= Float(least) {
            letGo()
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
