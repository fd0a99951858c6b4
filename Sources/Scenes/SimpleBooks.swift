// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Text
import Typography

/// The books, one or two at a time. A touch resumes a book, and one button leads back. One thread.
final class SimpleBooks: ListPage {
    let list = RowWindow()
    private let context: PageContext
    /// True if there are no books and each recording stands for itself.
    private var isLoose = false
    /// The help for an empty library, made at its first use.
    private lazy var firstEvening = context.firstEvening()

    let tab = Element.Tab.library
    let title = ""
    /// A hand that only scrolls to the top must not reload the list.
    let isRefreshable = false

    init(_ context: PageContext) { self.context = context }

    /// Shows the whole list.
    func show(_ rows: [ListRow]) {
        isLoose = rows.isEmpty
        list.show(rows)
    }

    func show(_ example: ExampleLists) {
        if let books = example.rows("books") { show(books) }
    }

    // MARK: The speaker

    func load() {
        // The list of recordings is not the list of books.
        if isLoose { list.clear() } else { list.reload() }
        isLoose = false
    }

    func fetch() {
        if isEmpty && !isLoose {
            isLoose = true
            list.clear()
        }
        context.fill(list, list.takeWanted(), files: isLoose ? .song : nil) { [isLoose] window in
            isLoose ? "search \"(file != '')\" window " + window : "books newest " + window
        }
    }

    func changed(from old: SpeakerStatus, isShown: Bool) {
        let new = context.state
        // The last heard book comes first.
        if new.file != old.file && !isLoose { list.reload() }
        if isShown && (new.file != old.file || new.trouble != old.trouble || new.troubleName != old.troubleName) {
            context.redraw()
        }
    }

    func changed(_ name: String, isShown: Bool) {
        if name != "database" { return }
        load()
        if isShown { context.redraw() }
    }

    // MARK: Layout

    func layout(_ stage: Stage, isPlaying: Bool) -> PageLayout { PageLayout(simple: stage) }

    func layOut(_ column: inout Column, at moment: Int) {
        let stage = column.stage
        let measures = SimpleMeasures(stage)
        if isEmpty && isLoose {
            return column.rest(least: 0, free: 0) { picture, room in
                var notice = Notice.noBooks(isLooking: context.isLooking, firstEvening)
                notice.large = measures
                notice.draw(picture, in: room)
            }
        }
        let visible = PageLayout(simple: stage).content.height
        let form = SimpleCard.Form(measures, width: column.width, visible: visible)
        let grid = CellGrid(width: column.width, height: form.height, gap: form.gap)
        let shape: (Picture, PixelRect) -> Void = { SimpleCard.drawShape($0, $1, measures, form) }
        column.cells(of: list, grid, shape: shape) { picture, row, _, frame in
            SimpleCard(row: row, picture: context.pictures.picture(row, side: form.height))
                .draw(picture, frame, measures, form)
        }
    }
}

/// The only way back from the books. It does not scroll.
struct SimpleWay {
    let frame: PixelRect

    static var title: String { translated("Back") }

    func draw(_ picture: Picture) {
        if frame.isEmpty { return }
        let element = Element(
            frame: frame, label: SimpleWay.title, hint: translated("goes to what plays"), action: .leave)
        SimpleButton(symbol: .chevronLeft, word: SimpleWay.title)
            .draw(picture, frame, SimpleMeasures(picture.stage), element)
    }
}
