import Design
import Pixels
import Typography

/// A row of a list: a cover or a sign, a title, what belongs to it, and what stands at its end.
struct RowView {
    let row: ListRow
    let picture: Surface?
    var isCurrent = false
    /// How far a finger has pulled it aside, in pixels; never to the right.
    var aside = 0

    static func symbol(_ kind: ListRow.Kind) -> Symbol {
        switch kind {
        case .playlist: .list
        case .podcast, .episode: .podcast
        case .chapter, .part: .bookmark
        case .sentence: .list
        default: .book
        }
    }

    /// What belongs to one book, or is a sentence, has none.
    var hasCover: Bool { row.kind != .chapter && row.kind != .part && row.kind != .sentence }

    /// As high as its words need, and no lower than the design has it.
    static func height(_ stage: Stage) -> Int {
        let words = 2 * stage.lineHeight(.rowTitle) + stage.lineHeight(.rowDetail)
        let designed = stage.pixels(Metrics.rowHeight)
        return max(designed, words + stage.pixels(Spacing.small))
    }

    var detail: String {
        var words: [String] = []
        if !row.detail.isEmpty { words.append(row.detail) }
        switch row.kind {
        case .podcast:
            if let count = row.count { words.append(count == 0 ? "all heard" : "\(count) new") }
        case .playlist:
            if let count = row.count { words.append(count == 1 ? "1 title" : "\(count) titles") }
        default:
            if let duration = row.durationMilliseconds { words.append(Words.minutes(duration)) }
        }
        return words.joined(separator: " · ")
    }

    /// Draws those rows of a list that are seen, one below the other from the column's top on, and has the list ask for them.
    /// - Parameter view: how a row looks, with a cover so many pixels wide.
    static func draw(
        _ list: RowWindow, _ target: Picture, _ column: PixelRect, gap: Int, visible: PixelRect,
        view: (ListRow, Int) -> RowView
    ) {
        let height = RowView.height(target.stage)
        let step = height + gap
        let first = max(0, (visible.y - column.y) / step)
        let count = list.isKnown ? list.count : visible.height / step + 1
        let end = max(first, min(count, (visible.maxY - column.y) / step + 1))
        list.see(first..<end)
        for index in first..<end {
            let frame = PixelRect(x: column.x, y: column.y + index * step, width: column.width, height: height)
            if let row = list[index] {
                view(row, target.stage.pixels(Metrics.rowThumbnail)).draw(target, frame)
            } else {
                Skeleton.row(target, frame)
            }
        }
    }

    func draw(_ target: Picture, _ frame: PixelRect) {
        let stage = target.stage
        let theme = target.theme
        let radius = stage.pixels(Radius.chip)
        if aside < 0 { drawDelete(target, frame, radius) }
        var frame = frame
        frame.x += aside
        target.canvas.fill(frame, radius: radius, with: isCurrent ? theme.currentSentence : theme.row)
        let padding = stage.pixels((Metrics.rowHeight - Metrics.rowThumbnail) / 2)
        var x = frame.x + padding
        if !hasCover {
            x += stage.pixels(Spacing.mini)
            if isCurrent {
                let side = stage.pixels(Metrics.buttonSymbol)
                target.draw(
                    .speaker, in: PixelRect(x: x, y: frame.midY - side / 2, width: side, height: side),
                    points: Metrics.buttonSymbol, theme.accent)
                x += side + stage.pixels(Spacing.related)
            }
        } else {
            let side = stage.pixels(Metrics.rowThumbnail)
            let cover = PixelRect(x: x, y: frame.y + (frame.height - side) / 2, width: side, height: side)
            Cover(picture: picture, symbol: RowView.symbol(row.kind), radius: Radius.thumbnail).draw(target, cover)
            x = cover.maxX + stage.pixels(Spacing.related)
        }
        var right = frame.maxX - stage.pixels(Spacing.medium)
        if let part = row.heardPart {
            let side = stage.pixels(Metrics.bookRing)
            Ring(part: part).draw(
                target, in: PixelRect(x: right - side, y: frame.midY - side / 2, width: side, height: side))
            right -= side + stage.pixels(Spacing.related)
        } else if let start = row.startMilliseconds {
            let words = Words.time(start)
            let set = stage.set(words, .times, width: frame.width / 3)
            target.write(
                set, words, x: right - set.width, y: frame.y + (frame.height - set.height) / 2, width: set.width,
                theme.secondaryText)
            right -= set.width + stage.pixels(Spacing.related)
        }
        let isTagged = row.kind == .podcast && row.count != nil
        if isTagged, let count = row.count {
            let tag = TagChip(
                title: count == 0 ? "all heard" : "\(count) new", impact: count == 0 ? .neutral : .helped)
            let (wide, high) = (min(tag.width(stage), (right - x) / 2), TagChip.height(stage))
            tag.draw(
                target, PixelRect(x: right - wide, y: frame.midY - high / 2, width: wide, height: high))
            right -= wide + stage.pixels(Spacing.related)
        }
        let width = right - x
        let title = stage.set(row.title, .rowTitle, width: width, lines: 2)
        let detail = isTagged ? row.detail : self.detail
        let height = title.height + (detail.isEmpty ? 0 : stage.lineHeight(.rowDetail))
        var y = frame.y + (frame.height - height) / 2
        y += target.write(
            title, row.title, x: x, y: y, width: width, isCurrent ? theme.currentSentenceText : theme.text)
        target.write(detail, .rowDetail, x: x, y: y, width: width, theme.secondaryText)
        target.add(
            Element(
                frame: frame, label: row.title, value: spoken,
                hint: row.kind == .podcast || row.kind == .book ? "opens it; hold for more" : "plays it; hold for more",
                action: .open(row.kind, row.name), role: .row, isSelected: isCurrent))
    }

    private var spoken: String {
        guard let part = row.heardPart else { return detail }
        let heard = part >= 1 ? "finished" : "\(Int(part * 100)) percent heard"
        return detail.isEmpty ? heard : detail + ", " + heard
    }

    private func drawDelete(_ target: Picture, _ frame: PixelRect, _ radius: Int) {
        let stage = target.stage
        let theme = target.theme
        target.canvas.fill(frame, radius: radius, with: theme.deleteFill)
        let width = stage.pixels(Metrics.deleteWidth)
        let place = PixelRect(x: frame.maxX - width, y: frame.y, width: width, height: frame.height)
        target.draw(.trash, in: place, points: Metrics.symbol, theme.switchThumb)
    }
}

/// Where a list is still read: its shape.
enum Skeleton {
    static func row(_ target: Picture, _ frame: PixelRect) {
        let stage = target.stage
        let theme = target.theme
        target.canvas.fill(frame, radius: stage.pixels(Radius.chip), with: theme.row)
        let side = stage.pixels(Metrics.rowThumbnail)
        let padding = stage.pixels((Metrics.rowHeight - Metrics.rowThumbnail) / 2)
        let cover = PixelRect(
            x: frame.x + padding, y: frame.y + (frame.height - side) / 2, width: side, height: side)
        target.canvas.fill(cover, radius: stage.pixels(Radius.thumbnail), with: theme.skeleton)
        lines(
            target, x: cover.maxX + stage.pixels(Spacing.related),
            y: frame.midY - stage.pixels(Spacing.related) - stage.pixels(Spacing.mini), width: frame.width)
    }

    static func card(_ target: Picture, _ frame: PixelRect) {
        let stage = target.stage
        let cover = PixelRect(x: frame.x, y: frame.y, width: frame.width, height: frame.width)
        target.canvas.fill(cover, radius: stage.pixels(Radius.card), with: target.theme.skeleton)
        lines(target, x: frame.x, y: cover.maxY + stage.pixels(Spacing.related), width: frame.width)
    }

    /// Where a title and what stands below it will be.
    private static func lines(_ target: Picture, x: Int, y: Int, width: Int) {
        let stage = target.stage
        let height = stage.pixels(Spacing.related)
        for (index, part) in [Metrics.skeletonLine, Metrics.skeletonShort].enumerated() {
            let line = PixelRect(
                x: x, y: y + index * (height + stage.pixels(Spacing.small)), width: Int(Float(width) * part),
                height: height)
            target.canvas.fill(line, radius: height / 2, with: target.theme.skeleton)
        }
    }
}

/// Where there is nothing, or where something failed: a sign, what it is, and what can be done.
struct Notice {
    let symbol: Symbol
    let title: String
    let words: String
    var button: (title: String, action: Element.Action)?
    /// What the button is for is under way.
    var isBusy = false

    private func textWidth(_ stage: Stage, _ width: Int) -> Int {
        min(width - 2 * stage.pixels(Spacing.medium), stage.pixels(Breakpoint.noticeWidth))
    }

    /// Of all of it, without its sign.
    func height(_ stage: Stage, width: Int) -> Int {
        let width = textWidth(stage, width)
        let words =
            stage.set(title, .title3, width: width, lines: 2).height
            + stage.set(self.words, .callout, width: width, lines: 4).height
        let below = button.map { Button(title: $0.title, kind: .primary).height(stage) + stage.pixels(Spacing.medium) }
        return stage.pixels(Spacing.small) + words + (below ?? 0)
    }

    /// In the middle of a place.
    func draw(_ target: Picture, in frame: PixelRect) {
        let stage = target.stage
        let theme = target.theme
        let width = textWidth(stage, frame.width)
        let x = frame.x + (frame.width - width) / 2
        var title = stage.set(self.title, .title3, width: width, lines: 2)
        let (small, medium) = (stage.pixels(Spacing.small), stage.pixels(Spacing.medium))
        var sign = stage.pixels(Metrics.emptySymbol)
        let made = button.map { Button(title: $0.title, kind: .primary, isLoading: isBusy) }
        let below = made.map { $0.height(stage) + medium } ?? 0
        // On small panels, or in large letters, it says less.
        let room = (frame.height - title.height - small - below) / stage.lineHeight(.callout)
        let words = room < 1 ? nil : stage.set(self.words, .callout, width: width, lines: min(4, room))
        if words == nil && title.height + small + below > frame.height {
            title = stage.set(self.title, .title3, width: width)
        }
        let text = title.height + small + (words?.height ?? 0) + below
        // No room for the sign on the smallest.
        if sign + medium + text > frame.height { sign = 0 }
        var y = frame.y + max(0, (frame.height - text - sign - (sign > 0 ? medium : 0)) / 2)
        if sign > 0 {
            target.draw(
                symbol, in: PixelRect(x: x, y: y, width: width, height: sign), points: Metrics.emptySymbol,
                theme.secondaryText)
            y += sign + medium
        }
        y += target.write(title, self.title, x: x, y: y, width: width, theme.text, align: .center) + small
        if let words {
            y += target.write(words, self.words, x: x, y: y, width: width, theme.secondaryText, align: .center)
        }
        y += words == nil ? 0 : medium
        target.add(
            Element(
                frame: PixelRect(x: x, y: frame.y, width: width, height: max(1, y - frame.y - medium)),
                label: self.title, value: self.words))
        if let made, let button {
            let wide = min(width, made.width(stage))
            made.draw(
                target, PixelRect(x: frame.midX - wide / 2, y: y, width: wide, height: made.height(stage)),
                action: button.action)
        }
    }
}
