// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Text
import Typography

/// A book, as large as the panel allows: cover and title, or the title alone, set as on a cover.
struct SimpleCard {
    let row: ListRow
    let picture: Surface?

    /// The color of letters on a card that is set in type.
    static var ink: Color { Color(0xFFFFFF) }

    /// The height of cards, and the arrangement of cover and title.
    struct Form: Equatable {
        let height: Int
        let gap: Int
        /// True if the cover stands above the title, and not before it.
        let isStacked: Bool

        /// - Parameter visible: the visible height of the list, in pixels.
        init(_ measures: SimpleMeasures, width: Int, visible: Int) {
            let gap = measures.gap
            let half = Int(Float(visible - 2 * gap) * SimpleMetrics.twoCards) / 2
            let title = width - half - gap
            isStacked = title < measures.least(measures.wordsLine, SimpleMetrics.cardTitleLeast)
            height = isStacked ? Int(Float(visible - gap) * SimpleMetrics.oneCard) : half
            self.gap = gap
        }

        /// Cuts the cover's place off a card and leaves the title's place. Returns nil if there is no room for a cover.
        func cutCover(_ card: inout PixelRect, _ measures: SimpleMeasures) -> PixelRect? {
            var room = card.inset(by: gap / 2)
            let side = isStacked ? min(room.width, room.height - gap / 2 - 2 * measures.wordsLine) : room.height
            if side <= gap { return nil }
            let cover =
                isStacked ? room.cutTop(side, gap: gap / 2).middle(width: side) : room.cutLeft(side, gap: gap)
            if !isStacked { _ = room.cutRight(gap / 2) }
            card = room
            return cover
        }
    }

    /// Draws the colors of a book without a picture.
    static func drawGround(_ target: Picture, _ frame: PixelRect, of book: String) {
        let stage = target.stage
        let radius = stage.pixels(Radius.card)
        target.canvas.fill(frame, radius: radius, with: Cover.deep(Cover.gradient(of: book), target.theme))
        // The spine of the book.
        target.canvas.clipped(to: frame.left(SimpleMeasures(stage).gap / 2)) {
            target.canvas.fill(frame, radius: radius, with: target.theme.shadow.opacity(SimpleMetrics.spine))
        }
        target.canvas.stroke(
            frame, radius: radius, width: stage.scale.line(0.5), with: target.theme.text.opacity(Metrics.coverEdge))
    }

    /// Draws the placeholder of a book that is still unknown.
    static func drawShape(_ target: Picture, _ frame: PixelRect, _ measures: SimpleMeasures, _ form: Form) {
        let (stage, theme) = (target.stage, target.theme)
        target.canvas.fill(frame, radius: stage.pixels(Radius.card), with: theme.row)
        var room = frame
        if let cover = form.cutCover(&room, measures) {
            target.canvas.fill(cover, radius: stage.pixels(Radius.thumbnail), with: theme.skeleton)
        }
        let title = room.middle(
            width: Int(Float(room.width) * Metrics.skeletonLine), height: min(room.height, measures.wordsLine / 2))
        target.canvas.fill(
            form.isStacked ? title : PixelRect(x: room.x, y: title.y, width: title.width, height: title.height),
            radius: title.height / 2, with: theme.skeleton)
    }

    func draw(_ target: Picture, _ frame: PixelRect, _ measures: SimpleMeasures, _ form: Form) {
        let (stage, theme, gap) = (target.stage, target.theme, form.gap)
        let radius = stage.pixels(Radius.card)
        var room = frame
        var ink = SimpleCard.ink
        var beside = frame
        let place = picture == nil ? nil : form.cutCover(&beside, measures)
        // The title comes before the picture.
        let hasCover =
            place != nil && !measures.fitting(row.title, stage, width: beside.width, height: beside.height).isTruncated
        if let picture, let place, hasCover {
            room = beside
            target.canvas.fill(frame, radius: radius, with: theme.row)
            ink = theme.text
            Cover(picture: picture, symbol: .book, radius: Radius.thumbnail).draw(target, place)
        } else {
            SimpleCard.drawGround(target, frame, of: row.title)
            room = room.inset(x: gap, y: gap / 2)
            _ = room.cutLeft(gap / 2)
        }
        let set = measures.fitting(row.title, stage, width: room.width, height: room.height)
        target.write(
            set, row.title, in: room, ink, align: form.isStacked && hasCover ? .center : .leading)
        target.add(
            frame, row.title, value: row.detail, hint: translated("plays it"), action: .play(row.kind, row.name),
            role: .row)
    }
}
