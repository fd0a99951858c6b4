// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import QREncode
import Text
import Typography

/// A row of a list: a cover or a symbol, a title, its details, and what stands at its end.
struct RowView {
    let row: ListRow
    var picture: Surface?
    var isCurrent = false
    /// True if the row has one line and no cover.
    var isLow = false
    /// The searched words to highlight.
    var found: FoundWords?
    /// The distance that a finger has pulled the row aside, in pixels; zero or negative.
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

    /// True if the row has a cover. Rows within one book, and sentences, have none.
    var hasCover: Bool { row.kind != .chapter && row.kind != .part && row.kind != .sentence }

    /// Returns the height that its words need, at least the designed one.
    static func height(_ stage: Stage, isLow: Bool = false) -> Int {
        let words = (isLow ? 1 : 2) * stage.lineHeight(.rowTitle) + stage.lineHeight(.rowDetail)
        let designed = stage.pixels(isLow ? Metrics.lowRowHeight : Metrics.rowHeight)
        return max(designed, words + stage.pixels(Spacing.small))
    }

    var detail: String {
        var words: [String] = []
        if !row.detail.isEmpty { words.append(row.detail) }
        switch row.kind {
        case .podcast:
            if let count = row.count { words.append(RowView.new(count)) }
        case .playlist:
            if let count = row.count { words.append(translated("%1 title", plural: "%1 titles", Int64(count))) }
        default:
            if let duration = row.durationMilliseconds { words.append(Words.minutes(duration)) }
        }
        return words.joined(separator: " · ")
    }

    func draw(_ target: Picture, _ frame: PixelRect) {
        let stage = target.stage
        let theme = target.theme
        let radius = stage.pixels(Radius.chip)
        if aside < 0 { drawDelete(target, frame, radius) }
        var frame = frame
        frame.x += aside
        target.canvas.fill(frame, radius: radius, with: isCurrent ? theme.currentSentence : theme.row)
        let gap = stage.pixels(Spacing.related)
        var room = frame
        _ = room.cutLeft(stage.pixels((Metrics.rowHeight - Metrics.rowThumbnail) / 2))
        _ = room.cutRight(stage.pixels(Spacing.medium))
        if hasCover {
            let side = stage.pixels(Metrics.rowThumbnail)
            Cover(picture: picture, symbol: RowView.symbol(row.kind), radius: Radius.thumbnail)
                .draw(target, room.cutLeft(side, gap: gap).middle(height: side), gradient: Cover.gradient(of: row.name))
        } else {
            _ = room.cutLeft(stage.pixels(Spacing.mini))
            if isCurrent {
                let sign = room.cutLeft(stage.pixels(Metrics.buttonSymbol), gap: gap)
                target.draw(.speaker, in: sign, points: Metrics.buttonSymbol, theme.accent)
            }
        }
        if let part = row.heardPart {
            Ring(part: part).draw(target, in: room.cutRight(stage.pixels(Metrics.bookRing), gap: gap))
        } else if let start = row.startMilliseconds {
            let words = Words.time(start)
            let set = stage.set(words, .times, width: frame.width / 3)
            target.write(set, words, in: room.cutRight(set.width, gap: gap), theme.secondaryText)
        }
        let isTagged = row.kind == .podcast && row.count != nil
        if isTagged, let count = row.count {
            let tag = TagChip(
                title: RowView.new(count), impact: count == 0 ? .neutral : .helped)
            let place = room.cutRight(min(tag.width(stage), room.width / 2), gap: gap)
            tag.draw(target, place.middle(height: TagChip.height(stage)))
        }
        target.write(
            row.title, detail: isTagged ? row.detail : detail, in: room,
            isCurrent ? theme.currentSentenceText : theme.text, lines: isLow ? 1 : 2, found: found)
        let hint =
            row.kind == .podcast || row.kind == .book
            ? translated("opens it; hold for more") : translated("plays it; hold for more")
        target.add(
            frame, row.title, value: spoken, hint: hint, action: .open(row.kind, row.name), role: .row,
            isSelected: isCurrent)
    }

    private var spoken: String {
        guard let part = row.heardPart else { return detail }
        let heard = RowView.heard(part)
        return detail.isEmpty ? heard : detail + ", " + heard
    }

    /// Returns the heard part in words.
    /// - Parameter part: the heard part, 0…1.
    static func heard(_ part: Float) -> String {
        part >= 1 ? translated("finished") : translated("%1 percent heard", "\(Int(part * 100))")
    }

    /// Returns the words for a podcast's number of new episodes.
    private static func new(_ count: Int) -> String {
        count == 0 ? translated("all heard") : translated("%1 new", "\(count)")
    }

    private func drawDelete(_ target: Picture, _ frame: PixelRect, _ radius: Int) {
        target.canvas.fill(frame, radius: radius, with: target.theme.deleteFill)
        let place = frame.right(target.stage.pixels(Metrics.deleteWidth))
        target.draw(.trash, in: place, points: Metrics.symbol, target.theme.switchThumb)
    }
}

/// The placeholder shape of a list before its rows arrive.
enum Skeleton {
    static func row(_ target: Picture, _ frame: PixelRect) {
        let stage = target.stage
        target.canvas.fill(frame, radius: stage.pixels(Radius.chip), with: target.theme.row)
        let side = stage.pixels(Metrics.rowThumbnail)
        var room = frame
        _ = room.cutLeft(stage.pixels((Metrics.rowHeight - Metrics.rowThumbnail) / 2))
        let cover = room.cutLeft(side, gap: stage.pixels(Spacing.related)).middle(height: side)
        target.canvas.fill(cover, radius: stage.pixels(Radius.thumbnail), with: target.theme.skeleton)
        _ = room.cutTop(room.height / 2 - stage.pixels(Spacing.related) - stage.pixels(Spacing.mini))
        lines(target, &room, width: frame.width)
    }

    static func card(_ target: Picture, _ frame: PixelRect) {
        let stage = target.stage
        var room = frame
        let cover = room.cutTop(frame.width, gap: stage.pixels(Spacing.related))
        target.canvas.fill(cover, radius: stage.pixels(Radius.card), with: target.theme.skeleton)
        lines(target, &room, width: frame.width)
    }

    /// Draws the future places of a title and the line below it.
    private static func lines(_ target: Picture, _ room: inout PixelRect, width: Int) {
        let height = target.stage.pixels(Spacing.related)
        for part in [Metrics.skeletonLine, Metrics.skeletonShort] {
            let line = room.cutTop(height, gap: target.stage.pixels(Spacing.small)).left(Int(Float(width) * part))
            target.canvas.fill(line, radius: height / 2, with: target.theme.skeleton)
        }
    }
}

/// The message for an empty or failed list: a symbol, the fact, and the remedy.
struct Notice {
    let symbol: Symbol
    let title: String
    let words: String
    var button: (title: String, action: Element.Action)?
    /// True while the button's action runs.
    var isBusy = false
    /// A QR code in place of the symbol, if there is room.
    var code: QRCode?
    /// The measures of large and simple screens. Those sizes are used if everything fits.
    var large: SimpleMeasures?

    /// The parts that fit, and their height.
    private struct Fit: LetteredForm {
        let letters: Float
        let width: Int
        let title: TextLayout
        let words: TextLayout?
        /// The side of the symbol or the code; 0 if there is no room for either.
        let sign: Int
        let isCode: Bool
        let height: Int
        let isWhole: Bool
    }

    private func made(_ letters: Float) -> Button? {
        button.map { Button(title: $0.title, isLoading: isBusy, letters: letters) }
    }

    /// - Parameter room: the available height, in pixels.
    private func fit(_ stage: Stage, width: Int, room: Int) -> Fit {
        if let large {
            let width = width - 2 * large.gap
            for title in [large.title, large.smallTitle] {
                let fit = fit(stage, width: width, room: room, title, large.words, lines: 8)
                if let words = fit.words, !words.isTruncated && !fit.title.isTruncated { return fit }
            }
        }
        let width = min(width - 2 * stage.pixels(Spacing.medium), stage.pixels(Breakpoint.noticeWidth))
        // On small panels or in large letters, showing everything comes before the size of the letters.
        let found = stage.fitted([()]) { letters, _ in
            fit(stage, width: width, room: room, .title3, .callout, lines: 4, letters)
        }
        return found.isWhole ? found : fit(stage, width: width, room: room, .title3, .callout, lines: 4)
    }

    private func fit(
        _ stage: Stage, width: Int, room: Int, _ titleStyle: TypeStyle, _ style: TypeStyle, lines most: Int,
        _ letters: Float = 1
    ) -> Fit {
        let (titleStyle, style) = (titleStyle.scaled(by: letters), style.scaled(by: letters))
        let button = made(letters)
        let (small, medium) = (stage.pixels(Spacing.small), stage.pixels(Spacing.medium))
        let below = small + (button.map { $0.height(stage) + medium } ?? 0)
        var title = stage.set(self.title, titleStyle, width: width, lines: 2)
        // On small panels or in large letters, the message says less.
        let lines = min(most, (room - title.height - below) / stage.lineHeight(style))
        let words = lines < 1 ? nil : stage.set(self.words, style, width: width, lines: lines)
        if words == nil && title.height + below > room { title = stage.set(self.title, titleStyle, width: width) }
        let text = title.height + (words?.height ?? 0) + below
        // The smallest panels have no room for the symbol.
        let side = min(room - text - medium, stage.pixels(Metrics.codeMost))
        let code = words == nil ? nil : code?.size(within: side)
        let sign = code ?? stage.pixels(Metrics.emptySymbol)
        let hasSign = sign + medium + text <= room
        let isCut = title.isTruncated || title.hasTornWord || words?.isTruncated ?? true || words?.hasTornWord ?? false
        return Fit(
            letters: letters, width: width, title: title, words: words, sign: hasSign ? sign : 0, isCode: code != nil,
            height: text + (hasSign ? sign + medium : 0),
            isWhole: !isCut && button.map { $0.width(stage) <= width } ?? true)
    }

    /// Returns the height of the notice without its symbol.
    func height(_ stage: Stage, width: Int) -> Int {
        fit(stage, width: width, room: 4096).height - stage.pixels(Metrics.emptySymbol) - stage.pixels(Spacing.medium)
    }

    /// Draws the notice in the middle of a place.
    func draw(_ target: Picture, in frame: PixelRect) {
        let stage = target.stage
        let medium = stage.pixels(Spacing.medium)
        let fit = fit(stage, width: frame.width, room: frame.height)
        var room = frame.middle(width: fit.width)
        _ = room.cutTop(max(0, (frame.height - fit.height) / 2))
        if fit.sign > 0 {
            let sign = room.cutTop(fit.sign, gap: medium)
            if let code, fit.isCode {
                code.draw(target, in: sign, size: fit.sign)
                target.add(
                    sign, translated("Code"), value: translated("for the camera of a telephone: the same words"),
                    role: .image)
            } else {
                target.draw(symbol, in: sign, points: Metrics.emptySymbol, target.theme.secondaryText)
            }
        }
        let title = room.cutTop(fit.title.height, gap: stage.pixels(Spacing.small))
        target.write(fit.title, self.title, in: title, target.theme.text, align: .center)
        if let words = fit.words {
            let place = room.cutTop(words.height, gap: medium)
            target.write(words, self.words, in: place, target.theme.secondaryText, align: .center)
        }
        target.add(
            PixelRect(x: room.x, y: frame.y, width: room.width, height: max(1, room.y - frame.y - medium)), self.title,
            value: self.words)
        if let made = made(fit.letters), let button {
            let place = room.top(made.height(stage)).middle(width: min(room.width, made.width(stage)))
            made.draw(target, place, action: button.action)
        }
    }
}
