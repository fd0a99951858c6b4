// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Text
import Typography

extension Destination {
    static var library: Destination {
        Destination(.library, translated("Library"), .library, filled: .libraryFilled, .skyLavender) { LibraryPage($0) }
    }
}

/// Books and podcasts as cards, chapters and playlists as rows. One thread.
public final class LibraryPage: ListPage {
    public let list = RowWindow()
    private var section = LibrarySection.books
    /// The name of the chapter that is heard.
    private var current: String?
    /// The chapters of the playing item, once they were requested.
    private var chapters: [ListRow] = []
    private static let mostNext = 50
    private let context: PageContext
    private var entrance = Entrance()
    /// The first evening's help, made at its first use.
    private lazy var firstEvening = context.firstEvening()

    let tab = Element.Tab.library
    let title = ""

    init(_ context: PageContext) { self.context = context }

    func show(_ rows: [ListRow], of section: LibrarySection, current: String? = nil) {
        self.section = section
        self.current = current
        list.show(rows)
    }

    func show(_ example: ExampleLists) {
        if let books = example.rows("books") { show(books, of: .books) }
    }

    // MARK: The speaker

    func load() {
        list.reload()
        let section = section
        let command: String
        switch section {
        // Books come page by page, as they become visible.
        case .books: return
        case .chapters: command = "book"
        case .playlists: command = "listplaylists"
        case .podcasts: command = "subscriptions"
        }
        context.askRows(command) { [self] rows in
            if section != self.section { return }
            var rows = rows
            // The answer lists the book itself before its chapters.
            if section == .chapters { rows.removeAll { $0.kind != .chapter } }
            chapters = section == .chapters ? rows : []
            show(rows, of: section, current: chapters.last(begunAt: place)?.name)
            context.redraw()
            if section == .chapters { loadNext() }
        }
    }

    /// Adds what the queue's order plays after the current recording.
    private func loadNext() {
        context.ask("status") { [self] lines in
            let fields = (lines ?? "").utf8.split(separator: 0x0A).compactMap { SpeakerStatus.parts($0) }
            func number(_ name: String) -> Int? { fields.first { $0.0 == name }.flatMap { Int($0.1) } }
            guard let song = number("song"), number("random") != 1 else { return }
            let range = "\(song + 1):\(song + 1 + LibraryPage.mostNext)"
            context.askRows("playlistinfo " + range, files: .song) { [self] next in
                if section != .chapters || next.isEmpty { return }
                show(chapters + next, of: section, current: current)
                context.redraw()
            }
        }
    }

    /// The playback position, in milliseconds.
    private var place: Int { context.state.positionMilliseconds }

    func fetch() {
        if section == .books {
            context.fill(list, list.takeWanted(), files: nil) { "books newest " + $0 }
        }
    }

    func changed(from old: SpeakerStatus, isShown: Bool) {
        let new = context.state
        if isShown && (new.trouble != old.trouble || new.troubleName != old.troubleName) { context.redraw() }
        if new.file == old.file { return markChapter(isShown: isShown) }
        if isShown {
            load()
            context.redraw()
        } else if section == .chapters {
            list.reload()
        }
    }

    /// Moves the mark to the chapter that is heard.
    private func markChapter(isShown: Bool) {
        let heard = chapters.last(begunAt: place)?.name
        if chapters.isEmpty || heard == current { return }
        current = heard
        if isShown { context.redraw() }
    }

    func changed(_ name: String, isShown: Bool) {
        if name == "playlist" && section == .chapters && isShown { return load() }
        if name != "database" && name != "stored_playlist" { return }
        if isShown {
            load()
            context.redraw()
        } else if section == .playlists || name == "database" {
            list.reload()
        }
    }

    func take(_ action: Element.Action) -> Bool {
        switch action {
        case .section(let section):
            if section != self.section { list.clear() }
            self.section = section
        case .refresh: context.tell(section == .podcasts ? "refresh" : "update")
        default: return false
        }
        load()
        return true
    }

    // MARK: Layout

    func isMoving(at moment: Int) -> Bool { entrance.isMoving(at: moment) }
    func endMotion(at moment: Int) { entrance.goOn(isKnown: list.isKnown, at: moment) }

    private func chips() -> [(Chip, Element.Action)] {
        LibrarySection.allCases.map { section in
            (
                Chip(title: section.title, isSelected: section == self.section, symbol: section.symbol),
                .section(section)
            )
        }
    }

    /// Returns the grid of cards; nil if two cards do not fit beside each other, which gives rows.
    private func cards(_ stage: Stage, width: Int) -> CellGrid? {
        if section == .chapters || section == .playlists { return nil }
        let gap = stage.pixels(Metrics.gridSpacing)
        // Larger words need wider cards.
        let larger = max(1, min(1.6, stage.scale.textSize))
        let least = Int(Float(stage.pixels(Metrics.cardLeast)) * larger)
        let columns = (width + gap) / (least + gap)
        if columns < 2 { return nil }
        let card = min((width - (columns - 1) * gap) / columns, Int(Float(stage.pixels(Metrics.cardMost)) * larger))
        return CellGrid(
            columns: columns, width: card, height: AlbumCard.height(stage, width: card), gap: gap,
            across: (width - columns * card) / (columns - 1))
    }

    func layOut(_ column: inout Column, at moment: Int) {
        let stage = column.stage
        if stage.isTiny {
            // The tabs name the current list.
            column.over(Chip.height(stage)) { picture, frame in
                let target = stage.pixels(Metrics.target)
                drawSearch(picture, frame.right(target).middle(height: target))
            }
        } else {
            column.screenTitle(translated("Library"), drawSearch)
            column.space(Spacing.medium)
        }
        column.chips(chips())
        column.space(stage.isTiny ? Spacing.small : Spacing.medium)
        if isEmpty {
            return column.rest(least: 0, free: stage.pixels(Metrics.miniBarHeight)) { picture, room in
                notice.draw(picture, in: room)
            }
        }
        if let cards = cards(stage, width: column.width) {
            let seen = cards.columns * (stage.height / cards.height + 1)
            (entrance.count, entrance.isStill) = (seen, stage.comfort.reducesMotion || stage.comfort.savesPower)
            let reach = stage.pixels(2 * Elevation.medium.blur)
            return column.cells(of: list, cards) { picture, row, index, frame in
                let card = AlbumCard(row: row, picture: context.pictures.picture(row, side: frame.width))
                picture.enter(frame.inset(by: -reach), part: entrance.part(of: index, at: moment)) {
                    card.draw(picture, frame)
                }
            }
        }
        column.rows(of: list, gap: Spacing.rows) { row, side in
            let cover = row.kind == .chapter ? nil : context.pictures.picture(row, side: side)
            return RowView(row: row, picture: cover, isCurrent: row.name == current)
        }
    }

    private func drawSearch(_ picture: Picture, _ place: PixelRect) {
        picture.draw(.search, in: place, points: Metrics.symbol, picture.theme.accent)
        picture.add(place, translated("Search"), hint: translated("finds titles and spoken words"), action: .search)
    }

    private var notice: Notice {
        switch section {
        case .books: Notice.noBooks(isLooking: context.isLooking, firstEvening)
        case .chapters:
            Notice(
                symbol: .bookmark, title: translated("No chapters"),
                words: translated("What is playing has none, or nothing is playing."))
        case .playlists:
            Notice(
                symbol: .list, title: translated("No playlists yet"),
                words: translated("Save a queue in any remote control for MPD."))
        case .podcasts:
            Notice(
                symbol: .podcast, title: translated("No podcasts yet"),
                words: translated(
                    "Add an address, or a list from another app, on a computer. Those of your household come by themselves."
                ))
        }
    }
}

extension Notice {
    /// Returns the notice of an empty library.
    /// - Parameter isLooking: true while the library is scanned.
    static func noBooks(isLooking: Bool, _ firstEvening: @autoclosure () -> FirstEvening) -> Notice {
        if isLooking {
            return Notice(
                symbol: .search, title: translated("Looking for books"),
                words: translated("What is found stands here by itself."))
        }
        let evening = firstEvening()
        return Notice(symbol: .book, title: translated("No books yet"), words: evening.words, code: evening.code)
    }
}

/// A cover with title and author below it, and the heard part.
struct AlbumCard {
    let row: ListRow
    let picture: Surface?

    /// Cards on small panels are half as wide.
    static func title(_ stage: Stage) -> TypeStyle { stage.isCompact ? .headline : .cardTitle }

    static func height(_ stage: Stage, width: Int) -> Int {
        width + stage.pixels(Spacing.small) + 2 * stage.lineHeight(title(stage)) + stage.lineHeight(.cardArtist)
    }

    func draw(_ target: Picture, _ frame: PixelRect) {
        let stage = target.stage
        let theme = target.theme
        var room = frame
        let cover = room.cutTop(frame.width, gap: stage.pixels(Spacing.small))
        target.shadow(of: cover, radius: stage.pixels(Radius.card), .medium)
        Cover(
            picture: picture, symbol: RowView.symbol(row.kind), radius: Radius.card, title: row.title,
            author: row.detail, corner: row.heardPart == nil ? 0 : Metrics.bookRingDisc - Spacing.mini
        ).draw(target, cover, gradient: Cover.gradient(of: row.name))
        drawBadge(target, cover.inset(by: stage.pixels(Spacing.small)))
        let title = stage.set(row.title, AlbumCard.title(stage), width: room.width, lines: 2)
        let detail = self.detail
        target.onGround {
            target.write(title, row.title, in: room.cutTop(title.height), theme.text)
            if detail.isEmpty { return }
            let place = room.top(stage.lineHeight(.cardArtist))
            target.write(
                detail, .cardArtist, in: place, theme.secondaryText.opacity(Metrics.artistOpacity), beneath: title)
        }
        target.add(
            frame, row.title, value: spoken, hint: translated("opens it; hold for more"),
            action: .open(row.kind, row.name), relief: .cover)
    }

    /// The line below the title. A badge on the cover says what is new.
    private var detail: String {
        if !row.detail.isEmpty { return row.detail }
        if row.kind == .podcast, let count = row.count, count > 0 { return "" }
        return RowView(row: row, picture: nil).detail
    }

    private var spokenDetail: String { row.detail.isEmpty ? RowView(row: row, picture: nil).detail : row.detail }

    private var spoken: String {
        guard let part = row.heardPart else { return spokenDetail }
        return spokenDetail + ", " + RowView.heard(part)
    }

    /// - Parameter place: the part of the cover where a badge may stand.
    private func drawBadge(_ target: Picture, _ place: PixelRect) {
        let stage = target.stage
        if row.kind == .podcast, let count = row.count, count > 0 {
            let pill = Pill(text: translated("%1 new", "\(count)"))
            let badge = place.top(Pill.height(stage)).right(min(place.width, pill.width(stage)))
            return pill.draw(target, badge, solid: (target.theme.fill, target.theme.onFill))
        }
        guard let part = row.heardPart else { return }
        let size = stage.pixels(Metrics.bookRingDisc)
        let disc = place.bottom(size).right(size)
        target.canvas.fill(disc, radius: size / 2, with: target.theme.solid(0).opacity(0.92))
        let ring = stage.pixels(Metrics.bookRing)
        Ring(part: part).draw(target, in: disc.middle(width: ring, height: ring))
    }
}
