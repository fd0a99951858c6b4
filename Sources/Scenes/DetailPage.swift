import Core
import Design
import Pixels
import Typography

/// What is within a book or a podcast: its cover, what it is, and its chapters or episodes. One thread.
public final class DetailPage: ListPage {
    public let subject: ListRow
    public let list = RowWindow()
    /// Of what is playing.
    private var current: String?
    private let pictures: Pictures

    let tab = Element.Tab.library
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

    private var playTitle: String {
        if subject.kind == .podcast { return "Play the newest" }
        guard let part = subject.heardPart, part < 1 else { return "Play" }
        return "Resume"
    }

    private var notice: Notice {
        subject.kind == .podcast
            ? Notice(symbol: .podcast, title: "No episodes yet", words: "They come with the next look at its feed.")
            : Notice(symbol: .book, title: "One piece", words: "It has no chapters.")
    }

    func layOut(_ column: inout Column, at moment: Int) {
        let stage = column.stage
        layOutHead(&column)
        column.space(Spacing.medium)
        let button = Button(title: playTitle, kind: .primary, symbol: .play)
        column.add(button.height(stage)) { picture, frame in
            button.draw(
                picture, frame.left(min(frame.width, button.width(stage))), action: .play(subject.kind, subject.name))
        }
        column.space(Spacing.medium)
        if isEmpty {
            let least = notice.height(stage, width: column.width)
            return column.rest(least: least, free: stage.pixels(Metrics.miniBarHeight)) { notice.draw($0, in: $1) }
        }
        column.rows(of: list, gap: Spacing.related) { row, side in
            let cover = row.kind == .episode ? pictures.picture(row, side: side) : nil
            return RowView(row: row, picture: cover, isCurrent: row.name == current)
        }
    }

    /// The cover, and beside it what it is.
    private func layOutHead(_ column: inout Column) {
        let stage = column.stage
        let theme = stage.theme
        let cover = stage.pixels(stage.isCompact ? Metrics.rowThumbnail : Metrics.detailCover)
        // Words come first where there is room for one of the two only.
        let hasCover = cover <= column.width / 3
        let width = hasCover ? column.width - cover - stage.pixels(Spacing.medium) : column.width
        let title = stage.set(subject.title, .title3, width: width, lines: 3)
        let detail = RowView(row: subject, picture: nil).detail
        let words = title.height + (detail.isEmpty ? 0 : 2 * stage.lineHeight(.subheadline))
        column.add(max(hasCover ? cover : 0, words)) { picture, frame in
            if hasCover {
                let place = frame.top(cover).left(cover)
                picture.shadow(of: place, radius: stage.pixels(Radius.thumbnail), .low)
                Cover(
                    picture: pictures.picture(subject, side: cover), symbol: RowView.symbol(subject.kind),
                    radius: Radius.thumbnail, title: subject.title
                ).draw(picture, place, gradient: Cover.gradient(of: subject.name))
            }
            var room = frame.right(width)
            picture.add(room, subject.title, value: detail, role: .heading)
            picture.write(title, subject.title, in: room.cutTop(title.height), theme.text)
            picture.write(
                detail, .subheadline, x: room.x, y: room.y, width: width, theme.secondaryText, lines: 2)
        }
    }
}
