import Design
import Pixels
import Typography

/// Books and podcasts as cards, chapters and playlists as rows. One thread.
public final class LibraryPage: Page {
    public let list = RowWindow()
    private var section = LibrarySection.books
    /// Of the chapter that is heard.
    private var current: String?
    private let pictures: Pictures

    let tab = Element.Tab.library
    let title = ""
    let isRefreshable = true
    var isLoading: Bool { !list.isKnown }

    public init(_ pictures: Pictures) { self.pictures = pictures }

    public func show(_ rows: [ListRow], of section: LibrarySection, current: String? = nil) {
        self.section = section
        self.current = current
        list.show(rows)
    }

    /// Another of them, or the same anew, once it is told.
    public func show(_ section: LibrarySection) {
        if section != self.section { list.clear() }
        self.section = section
        list.reload()
    }

    private func chips() -> [(Chip, Element.Action)] {
        LibrarySection.allCases.map { section in
            let title =
                switch section {
                case .books: "Books"
                case .chapters: "Chapters"
                case .playlists: "Playlists"
                case .podcasts: "Podcasts"
                }
            return (Chip(title: title, isSelected: section == self.section), .section(section))
        }
    }

    private func titleStyle(_ stage: Stage) -> TypeStyle {
        stage.isCompact ? .title2 : .largeTitle
    }

    private func headerHeight(_ stage: Stage, width: Int) -> Int {
        let chips = Chip.flow(Picture.measuring(stage), chips(), x: 0, y: 0, width: width, isDrawn: false)
        return titleHeight(stage) + 2 * stage.pixels(Spacing.medium) + chips
    }

    /// The way to the search stands beside it.
    private func titleHeight(_ stage: Stage) -> Int {
        max(stage.lineHeight(titleStyle(stage)), stage.pixels(Metrics.target))
    }

    func isMoving(at moment: Int) -> Bool { false }

    // MARK: The grid

    private struct Grid {
        let columns: Int
        let card: Int
        let gap: Int
        let height: Int
        /// Between cards, beside.
        let spare: Int
    }

    /// Nil where no two cards stand beside each other: rows then.
    private func grid(_ stage: Stage, width: Int) -> Grid? {
        if section == .chapters || section == .playlists { return nil }
        let gap = stage.pixels(Metrics.gridSpacing)
        // Larger words want wider cards.
        let larger = max(1, min(1.6, stage.scale.textSize))
        let least = Int(Float(stage.pixels(Metrics.cardLeast)) * larger)
        let columns = (width + gap) / (least + gap)
        if columns < 2 { return nil }
        let card = min((width - (columns - 1) * gap) / columns, Int(Float(stage.pixels(Metrics.cardMost)) * larger))
        let spare = columns > 1 ? (width - columns * card) / (columns - 1) : 0
        let words = 2 * stage.lineHeight(AlbumCard.title(stage)) + stage.lineHeight(.cardArtist)
        return Grid(
            columns: columns, card: card, gap: gap, height: card + stage.pixels(Spacing.small) + words, spare: spare)
    }

    func height(_ stage: Stage, width: Int) -> Int {
        let header = headerHeight(stage, width: width)
        if let grid = grid(stage, width: width) {
            return header + (list.count + grid.columns - 1) / grid.columns * (grid.height + grid.gap)
        }
        return header + list.count * (RowView.height(stage) + stage.pixels(Spacing.rows))
    }

    // MARK: Drawing

    func draw(_ picture: Picture, x: Int, top: Int, width: Int, visible: PixelRect, at moment: Int) {
        let stage = picture.stage
        var y = top
        let target = stage.pixels(Metrics.target)
        let title = PixelRect(x: x, y: y, width: max(0, width - target), height: titleHeight(stage))
        picture.write("Library", titleStyle(stage), in: title, stage.theme.text)
        picture.add(Element(frame: title, label: "Library", role: .heading))
        let search = PixelRect(x: title.maxX, y: title.midY - target / 2, width: target, height: target)
        picture.draw(.search, in: search, points: Metrics.symbol, stage.theme.accent)
        picture.add(
            Element(frame: search, label: "Search", hint: "finds titles and spoken words", action: .search))
        y = title.maxY
        y += stage.pixels(Spacing.medium)
        y += Chip.flow(picture, chips(), x: x, y: y, width: width) + stage.pixels(Spacing.medium)
        if list.isKnown && list.count == 0 {
            let room = PixelRect(
                x: x, y: y, width: width, height: max(0, visible.maxY - y - stage.pixels(Spacing.large)))
            return notice.draw(picture, in: room)
        }
        if let grid = grid(stage, width: width) {
            drawGrid(picture, grid, x: x, y: y, visible: visible)
        } else {
            drawRows(picture, x: x, y: y, width: width, visible: visible)
        }
    }

    private var notice: Notice {
        switch section {
        case .books:
            Notice(symbol: .book, title: "No books yet", words: "Copy recordings into the library's folder.")
        case .chapters:
            Notice(symbol: .bookmark, title: "No chapters", words: "What is playing has none, or nothing is playing.")
        case .playlists:
            Notice(symbol: .list, title: "No playlists yet", words: "Save a queue in any remote control for MPD.")
        case .podcasts:
            Notice(symbol: .podcast, title: "No podcasts yet", words: "Subscribe with: nightstand subscribe ADDRESS")
        }
    }

    private func drawRows(_ picture: Picture, x: Int, y: Int, width: Int, visible: PixelRect) {
        let column = PixelRect(x: x, y: y, width: width, height: 0)
        RowView.draw(list, picture, column, gap: picture.stage.pixels(Spacing.rows), visible: visible) { row, side in
            let cover = row.kind == .chapter ? nil : pictures.picture(row, side: side)
            return RowView(row: row, picture: cover, isCurrent: row.name == current)
        }
    }

    private func drawGrid(_ picture: Picture, _ grid: Grid, x: Int, y: Int, visible: PixelRect) {
        let step = grid.height + grid.gap
        let firstLine = max(0, (visible.y - y) / step)
        let count = list.isKnown ? list.count : grid.columns * 2
        let lines = (count + grid.columns - 1) / grid.columns
        let end = max(firstLine, min(lines, (visible.maxY - y) / step + 1))
        list.see(firstLine * grid.columns..<end * grid.columns)
        for line in firstLine..<end {
            for column in 0..<grid.columns where line * grid.columns + column < count {
                let frame = PixelRect(
                    x: x + column * (grid.card + grid.spare), y: y + line * step, width: grid.card, height: grid.height)
                if let row = list[line * grid.columns + column] {
                    AlbumCard(row: row, picture: pictures.picture(row, side: grid.card)).draw(picture, frame)
                } else {
                    Skeleton.card(picture, frame)
                }
            }
        }
    }

    func swipe(_ elements: [Element], x: Int, y: Int, by: Int, at moment: Int) -> Bool { false }
    func endSwipe(at moment: Int) -> Element.Action { .none }
}

/// A cover with its title and author under it, and how far it was heard.
struct AlbumCard {
    let row: ListRow
    let picture: Surface?

    /// Cards on small panels are half as wide.
    static func title(_ stage: Stage) -> TypeStyle { stage.isCompact ? .headline : .cardTitle }

    func draw(_ target: Picture, _ frame: PixelRect) {
        let stage = target.stage
        let theme = target.theme
        let cover = PixelRect(x: frame.x, y: frame.y, width: frame.width, height: frame.width)
        let radius = stage.pixels(Radius.card)
        target.shadow(of: cover, radius: radius, .medium)
        // Neighbours are told from each other.
        let kinds = GradientToken.allCases
        var sum = 0
        for byte in row.name.utf8 { sum = (sum * 31 + Int(byte)) & 0xFFFF }
        Cover(picture: picture, symbol: RowView.symbol(row.kind), radius: Radius.card)
            .draw(target, cover, gradient: kinds[sum % kinds.count])
        drawBadge(target, cover)
        var y = cover.maxY + stage.pixels(Spacing.small)
        y += target.write(row.title, AlbumCard.title(stage), x: frame.x, y: y, width: frame.width, theme.text, lines: 2)
        let artist = stage.set(detail, .cardArtist, width: frame.width)
        if !detail.isEmpty {
            target.write(
                artist, detail, x: frame.x, y: y, width: frame.width, theme.secondaryText,
                opacity: Metrics.artistOpacity)
        }
        target.add(
            Element(
                frame: frame, label: row.title, value: spoken, hint: "opens it; hold for more",
                action: .open(row.kind, row.name)))
    }

    /// Its badge says what is new.
    private var detail: String {
        if !row.detail.isEmpty { return row.detail }
        if row.kind == .podcast, let count = row.count, count > 0 { return "" }
        return RowView(row: row, picture: nil).detail
    }

    private var spokenDetail: String { row.detail.isEmpty ? RowView(row: row, picture: nil).detail : row.detail }

    private var spoken: String {
        guard let part = row.heardPart else { return spokenDetail }
        return spokenDetail + (part >= 1 ? ", finished" : ", \(Int(part * 100)) percent heard")
    }

    private func drawBadge(_ target: Picture, _ cover: PixelRect) {
        let stage = target.stage
        let inset = stage.pixels(Spacing.small)
        if row.kind == .podcast, let count = row.count, count > 0 {
            let pill = Pill(text: "\(count) new")
            let height = max(stage.pixels(Metrics.pillHeight), stage.lineHeight(.pill))
            let width = min(cover.width - 2 * inset, pill.width(stage))
            let place = PixelRect(x: cover.maxX - inset - width, y: cover.y + inset, width: width, height: height)
            target.canvas.fill(place, radius: height / 2, with: target.theme.accent)
            return pill.write(target, place, target.theme.onAccent, on: target.theme.accent)
        }
        guard let part = row.heardPart else { return }
        let disc = stage.pixels(Metrics.bookRingDisc)
        let place = PixelRect(
            x: cover.maxX - inset - disc, y: cover.maxY - inset - disc, width: disc, height: disc)
        target.canvas.fill(place, radius: disc / 2, with: target.theme.solid(0).opacity(0.92))
        let ring = stage.pixels(Metrics.bookRing)
        Ring(part: part).draw(target, in: PixelRect(x: 0, y: 0, width: ring, height: ring).centred(in: place))
    }
}
