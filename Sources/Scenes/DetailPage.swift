// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Text
import Typography

/// A page of a book or a podcast: its cover, what it is, and its chapters or episodes. One thread.
public final class DetailPage: ListPage {
    let subject: ListRow
    let list = RowWindow()
    /// The file that is playing.
    private var current: String?
    /// The chapters of a book in one file; empty for a book of several files.
    private var chapters: [ListRow] = []
    private let context: PageContext

    let tab = Element.Tab.library
    var title: String { subject.kind == .podcast ? translated("Podcast") : translated("Book") }

    init(_ subject: ListRow, _ context: PageContext) {
        self.subject = subject
        self.context = context
    }

    func show(_ rows: [ListRow], current: String?) {
        self.current = current
        list.show(rows)
    }

    // MARK: The speaker

    func load() {
        if subject.kind == .podcast { return list.reload() }
        context.askRows("listallinfo " + subject.name.quotedArgument, files: .part) { [self] files in
            if files.count == 1 { return loadChapters(of: files[0].name) }
            show(files, current: context.state.file)
            context.redraw()
        }
    }

    /// Loads the chapters inside a single file. Books of several files list those files instead.
    private func loadChapters(of file: String) {
        context.askRows("book " + file.quotedArgument) { [self] rows in
            var chapters = rows.filter { $0.kind == .chapter }
            for index in chapters.indices { chapters[index].file = file }
            self.chapters = chapters
            show(chapters, current: heard)
            context.redraw()
        }
    }

    func fetch() {
        if subject.kind != .podcast { return }
        let folder = subject.file.quotedArgument
        context.fill(list, list.takeWanted(), files: .episode) { "find base " + folder + " sort -Date window " + $0 }
    }

    func changed(from old: SpeakerStatus, isShown: Bool) {
        let heard = heard
        if heard == current { return }
        current = heard
        if isShown { context.redraw() }
    }

    /// The chapter or the file that is being heard.
    private var heard: String? {
        let state = context.state
        guard let file = chapters.first?.file else { return state.file }
        return chapters.last(begunAt: file == state.file ? state.positionMilliseconds : -1)?.name
    }

    func row(_ kind: ListRow.Kind, _ name: String) -> ListRow? {
        if subject.kind == kind && subject.name == name { return subject }
        guard let row = list.row(name), row.kind == kind else { return nil }
        return row
    }

    func take(_ action: Element.Action) -> Bool {
        if action != .refresh { return false }
        context.tell(subject.kind == .podcast ? "refresh " + subject.name.quotedArgument : "update")
        load()
        return true
    }

    // MARK: Layout

    private var playTitle: String {
        if subject.kind == .podcast { return translated("Play the newest") }
        guard let part = subject.heardPart, part < 1 else { return translated("Play") }
        return translated("Resume")
    }

    private var notice: Notice {
        subject.kind == .podcast
            ? Notice(
                symbol: .podcast, title: translated("No episodes yet"),
                words: translated("They come with the next look at its feed."))
            : Notice(symbol: .book, title: translated("One piece"), words: translated("It has no chapters."))
    }

    func layOut(_ column: inout Column, at moment: Int) {
        let stage = column.stage
        layOutHead(&column)
        column.space(Spacing.medium)
        if isEmpty {
            let least = notice.height(stage, width: column.width)
            return column.rest(least: least, free: stage.pixels(Metrics.miniBarHeight)) { notice.draw($0, in: $1) }
        }
        column.rows(of: list, gap: Spacing.small, areLow: subject.kind != .podcast) { row, side in
            let cover = row.kind == .episode ? context.pictures.picture(row, side: side) : nil
            return RowView(row: row, picture: cover, isCurrent: row.name == current, isLow: row.kind != .episode)
        }
    }

    /// Lays out the cover, and beside it the details.
    private func layOutHead(_ column: inout Column) {
        let stage = column.stage
        let theme = stage.theme
        let cover = stage.pixels(stage.isCompact ? Metrics.rowThumbnail : Metrics.detailCover)
        // The words come first if there is no room for both.
        let hasCover = cover <= column.width / 3
        let width = hasCover ? column.width - cover - stage.pixels(Spacing.medium) : column.width
        let title = stage.set(subject.title, .title3, width: width, lines: 3)
        let detail = RowView(row: subject, picture: nil).detail
        let words = title.height + (detail.isEmpty ? 0 : 2 * stage.lineHeight(.subheadline))
        let button = Button(title: playTitle, symbol: .play)
        let space = stage.pixels(Spacing.small)
        column.add(max(hasCover ? cover : 0, words + space + button.height(stage))) { picture, frame in
            if hasCover {
                let place = frame.top(cover).left(cover)
                picture.shadow(of: place, radius: stage.pixels(Radius.thumbnail), .low)
                Cover(
                    picture: context.pictures.picture(subject, side: cover), symbol: RowView.symbol(subject.kind),
                    radius: Radius.thumbnail, title: subject.title
                ).draw(picture, place, gradient: Cover.gradient(of: subject.name))
            }
            var room = frame.right(width)
            picture.add(room, subject.title, value: detail, role: .heading)
            picture.write(title, subject.title, in: room.cutTop(title.height), theme.text)
            picture.write(
                detail, .subheadline, x: room.x, y: room.y, width: width, theme.secondaryText, lines: 2)
            // The button stands beside the cover, at its lower edge.
            button.draw(
                picture, frame.right(width).bottom(button.height(stage)).left(min(width, button.width(stage))),
                action: .play(subject.kind, subject.name))
        }
    }
}
