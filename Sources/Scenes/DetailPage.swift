import Design
import Pixels
import Typography

/// What is within a book or a podcast: its cover, what it is, and its chapters or episodes. One thread.
public final class DetailPage: Page {
    public let subject: ListRow
    public let list = RowWindow()
    /// Of what is playing.
    private var current: String?
    private let pictures: Pictures

    let tab = Element.Tab.library
    let isRefreshable = true
    var isLoading: Bool { !list.isKnown }
    var title: String { subject.kind == .podcast ? "Podcast" : "Book" }

    public init(_ subject: ListRow, _ pictures: Pictures) {
        self.subject = subject
        self.pictures = pictures
    }

    public func show(_ rows: [ListRow], current: String?) {
        self.current = current
        list.show(rows)
    }

    public func show(current: String?) { self.current = current }

    // MARK: Layout

    private struct Head {
        var cover: Int
        var height: Int
    }

    private func gap(_ stage: Stage) -> Int { stage.pixels(Spacing.related) }

    private func head(_ stage: Stage, width: Int) -> Head {
        var cover = stage.pixels(stage.isCompact ? Metrics.rowThumbnail : Metrics.detailCover)
        // Words come first where there is room for one of the two only.
        if cover > width / 3 { cover = 0 }
        let inner = wordsWidth(stage, width, cover)
        let words =
            stage.set(subject.title, .title3, width: inner, lines: 3).height
            + (detail.isEmpty ? 0 : 2 * stage.lineHeight(.subheadline))
        return Head(cover: cover, height: max(cover, words))
    }

    private func wordsWidth(_ stage: Stage, _ width: Int, _ cover: Int) -> Int {
        cover > 0 ? width - cover - stage.pixels(Spacing.medium) : width
    }

    private var playTitle: String {
        if subject.kind == .podcast { return "Play the newest" }
        guard let part = subject.heardPart, part < 1 else { return "Play" }
        return "Resume"
    }

    private var detail: String { RowView(row: subject, picture: nil).detail }

    private func playHeight(_ stage: Stage) -> Int { Button(title: "", kind: .primary).height(stage) }

    func height(_ stage: Stage, width: Int) -> Int {
        let head = head(stage, width: width).height + playHeight(stage) + 2 * stage.pixels(Spacing.medium)
        if list.isKnown && list.count == 0 { return head + empty.height(stage, width: width) }
        return head + max(1, list.count) * (RowView.height(stage) + gap(stage))
    }

    private var empty: Notice {
        subject.kind == .podcast
            ? Notice(symbol: .podcast, title: "No episodes yet", words: "They come with the next look at its feed.")
            : Notice(symbol: .book, title: "One piece", words: "It has no chapters.")
    }

    func isMoving(at moment: Int) -> Bool { false }
    func swipe(_ elements: [Element], x: Int, y: Int, by: Int, at moment: Int) -> Bool { false }
    func endSwipe(at moment: Int) -> Element.Action { .none }

    // MARK: Drawing

    func draw(_ picture: Picture, x: Int, top: Int, width: Int, visible: PixelRect, at moment: Int) {
        let stage = picture.stage
        let head = head(stage, width: width)
        drawHead(picture, head, PixelRect(x: x, y: top, width: width, height: head.height))
        var y = top + head.height + stage.pixels(Spacing.medium)
        let button = Button(title: playTitle, kind: .primary, symbol: .play)
        button.draw(
            picture,
            PixelRect(x: x, y: y, width: min(width, button.width(stage)), height: playHeight(stage)),
            action: .play(subject.kind, subject.name))
        y += playHeight(stage) + stage.pixels(Spacing.medium)
        if list.isKnown && list.count == 0 {
            let room = max(empty.height(stage, width: width), visible.maxY - y - stage.pixels(Metrics.miniBarHeight))
            return empty.draw(picture, in: PixelRect(x: x, y: y, width: width, height: room))
        }
        let column = PixelRect(x: x, y: y, width: width, height: 0)
        RowView.draw(list, picture, column, gap: gap(stage), visible: visible) { row, side in
            let cover = row.kind == .episode ? pictures.picture(row, side: side) : nil
            return RowView(row: row, picture: cover, isCurrent: row.name == current)
        }
    }

    private func drawHead(_ picture: Picture, _ head: Head, _ frame: PixelRect) {
        let stage = picture.stage
        let theme = picture.theme
        if head.cover > 0 {
            let place = PixelRect(x: frame.x, y: frame.y, width: head.cover, height: head.cover)
            picture.shadow(of: place, radius: stage.pixels(Radius.thumbnail), .low)
            Cover(
                picture: pictures.picture(subject, side: head.cover), symbol: RowView.symbol(subject.kind),
                radius: Radius.thumbnail
            ).draw(picture, place)
        }
        let width = wordsWidth(stage, frame.width, head.cover)
        let x = frame.maxX - width
        let title = stage.set(subject.title, .title3, width: width, lines: 3)
        var y = frame.y
        y += picture.write(title, subject.title, x: x, y: y, width: width, theme.text)
        if !detail.isEmpty {
            picture.write(detail, .subheadline, x: x, y: y, width: width, theme.secondaryText, lines: 2)
        }
        picture.add(
            Element(
                frame: PixelRect(x: x, y: frame.y, width: width, height: frame.height), label: subject.title,
                value: detail, role: .heading))
    }
}
