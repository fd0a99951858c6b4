// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// Parts of a rectangle: cut off its sides, one after the other, so that the rest is left for what follows; or put in its middle.
extension PixelRect {
    static let zero = PixelRect(x: 0, y: 0, width: 0, height: 0)

    /// Takes a part away from the left side, and a gap after it.
    mutating func cutLeft(_ size: Int, gap: Int = 0) -> PixelRect {
        let part = PixelRect(x: x, y: y, width: size, height: height)
        x += size + gap
        width -= size + gap
        return part
    }

    mutating func cutRight(_ size: Int, gap: Int = 0) -> PixelRect {
        width -= size + gap
        return PixelRect(x: maxX + gap, y: y, width: size, height: height)
    }

    mutating func cutTop(_ size: Int, gap: Int = 0) -> PixelRect {
        let part = PixelRect(x: x, y: y, width: width, height: size)
        y += size + gap
        height -= size + gap
        return part
    }

    mutating func cutBottom(_ size: Int, gap: Int = 0) -> PixelRect {
        height -= size + gap
        return PixelRect(x: x, y: maxY + gap, width: width, height: size)
    }

    /// The first lines of it, as wide as all of it.
    func top(_ size: Int) -> PixelRect { PixelRect(x: x, y: y, width: width, height: size) }
    func bottom(_ size: Int) -> PixelRect { PixelRect(x: x, y: maxY - size, width: width, height: size) }
    func left(_ size: Int) -> PixelRect { PixelRect(x: x, y: y, width: size, height: height) }
    func right(_ size: Int) -> PixelRect { PixelRect(x: maxX - size, y: y, width: size, height: height) }

    /// So high, halfway between its upper and its lower edge, and as wide as all of it.
    func middle(height size: Int) -> PixelRect {
        PixelRect(x: x, y: y + (height - size) / 2, width: width, height: size)
    }

    /// So wide, halfway between its sides, and as high as all of it.
    func middle(width size: Int) -> PixelRect {
        PixelRect(x: x + (width - size) / 2, y: y, width: size, height: height)
    }

    func middle(width: Int, height: Int) -> PixelRect { middle(width: width).middle(height: height) }
}

/// Things one below the other. A function says what stands there and how high it is; it runs once to find out how high all of it is, and again
/// to draw that, so that the two cannot differ.
struct Column {
    let stage: Stage
    /// Nil while it is only measured.
    private let picture: Picture?
    private(set) var x: Int
    private(set) var width: Int
    private let top: Int
    /// The place of the next thing.
    private(set) var y: Int
    /// The rest is not drawn.
    private let visible: PixelRect
    /// Nor is what would only begin within it.
    private let isWhole: Bool

    /// Draws from `top` on what is seen, and parts of it at the ends.
    init(_ picture: Picture, x: Int, top: Int, width: Int, visible: PixelRect) {
        (stage, self.picture) = (picture.stage, picture)
        (self.x, self.width, self.top, y) = (x, width, top, top)
        (self.visible, isWhole) = (visible, false)
    }

    /// Draws within a rectangle what has room in it.
    init(_ picture: Picture, within frame: PixelRect) {
        (stage, self.picture) = (picture.stage, picture)
        (x, width, top, y) = (frame.x, frame.width, frame.y, frame.y)
        (visible, isWhole) = (frame, true)
    }

    private init(measuring stage: Stage, width: Int) {
        (self.stage, picture, x, self.width, top, y) = (stage, nil, 0, width, 0, 0)
        (visible, isWhole) = (.zero, false)
    }

    /// Returns the height of a content. - Parameter content: adds all of it.
    static func height(_ stage: Stage, width: Int, _ content: (inout Column) -> Void) -> Int {
        var column = Column(measuring: stage, width: width)
        content(&column)
        return column.height
    }

    /// So far.
    var height: Int { y - top }

    // MARK: Content

    mutating func space(_ points: Float) { space(pixels: stage.pixels(points)) }
    mutating func space(pixels: Int) { y += pixels }

    /// Adds a content of that width at most, in the middle.
    mutating func narrowed(to points: Float, _ content: (inout Column) -> Void) {
        let whole = (x: x, width: width)
        width = min(width, stage.pixels(points))
        x += (whole.width - width) / 2
        content(&self)
        (x, width) = whole
    }

    /// - Parameter draw: is called where it is seen.
    mutating func add(_ height: Int, _ draw: (Picture, PixelRect) -> Void) {
        let frame = PixelRect(x: x, y: y, width: width, height: height)
        y += height
        guard let picture else { return }
        if isWhole ? visible.contains(frame) : !frame.intersection(visible).isEmpty { draw(picture, frame) }
    }

    /// Lies upon the first pixels of what follows.
    mutating func over(_ height: Int, _ draw: (Picture, PixelRect) -> Void) {
        let begin = y
        add(height, draw)
        y = begin
    }

    /// One line. - Parameter inset: on either side, in pixels.
    mutating func line(
        _ text: String, _ style: TypeStyle, _ color: Color, inset: Int = 0, align: TextAlignment = .leading
    ) {
        add(stage.lineHeight(style)) { picture, frame in
            picture.write(text, style, in: frame.inset(x: inset, y: 0), color, align: align)
        }
    }

    /// The name of what follows. - Parameter space: above it, in points; a voice names that, too.
    mutating func heading(_ text: String, _ style: TypeStyle, _ color: Color, space: Float = 0) {
        let above = stage.pixels(space)
        add(above + stage.lineHeight(style)) { picture, frame in
            var name = frame
            _ = name.cutTop(above)
            picture.writeHeading(text, style, in: name, color)
            picture.add(frame, text, role: .heading)
        }
    }

    /// The name of a screen: on one line and from one edge on all of them, with anything at its end. - Parameter end: draws that.
    mutating func screenTitle(_ text: String, _ end: ((Picture, PixelRect) -> Void)? = nil) {
        let (stage, style): (Stage, TypeStyle) = (stage, stage.isCompact ? .title2 : .largeTitle)
        let target = stage.pixels(Metrics.target)
        add(max(stage.lineHeight(style), stage.isTiny ? 0 : target)) { picture, frame in
            var title = frame
            let place = end == nil ? nil : title.cutRight(min(frame.width, target)).middle(height: target)
            picture.writeHeading(text, style, in: title, stage.theme.text)
            picture.add(title, text, role: .heading)
            if let place { end?(picture, place) }
        }
    }

    /// Adds a part for the rest of the visible height. - Parameters:
    ///   - least: it is no lower, in pixels.
    ///   - free: remains below it, in pixels.
    mutating func rest(least: Int, free: Int, _ draw: (Picture, PixelRect) -> Void) {
        add(picture == nil ? least : max(least, visible.maxY - y - free), draw)
    }

    /// From left to right as long as there is room, and on the next line from there. Gaps in pixels.
    mutating func flow(across: Int, down: Int, _ content: (inout Flow) -> Void) {
        var flow = Flow(picture, x: x, y: y, width: width, across: across, down: down)
        content(&flow)
        y = flow.maxY
    }

    /// On a card of glass. - Parameter padding: around the content, in pixels.
    mutating func card(padding: Int = 0, _ content: (inout Column) -> Void) {
        let inner = Column.height(stage, width: width - 2 * padding, content)
        let visible = visible
        add(inner + 2 * padding) { picture, frame in
            picture.glassCard(frame)
            let place = frame.inset(by: padding)
            var column = Column(picture, x: place.x, top: place.y, width: place.width, visible: visible)
            content(&column)
        }
    }

    /// The cells of a list, line by line: those that are seen are drawn, and the list is told which these are, so that it asks for them. Of
    /// those that are not known yet the shape is drawn.
    /// - Parameters:
    ///   - shift: so many pixels more of it are seen than stand there.
    ///   - shape: draws that of one; nil for the usual ones.
    mutating func cells(
        of list: RowWindow, _ grid: CellGrid, shift: Int = 0, shape: ((Picture, PixelRect) -> Void)? = nil,
        _ draw: (Picture, ListRow, Int, PixelRect) -> Void
    ) {
        let step = grid.height + grid.gap
        let begin = y
        list.lines = RowWindow.Lines(top: begin - top, step: step, height: grid.height, columns: grid.columns)
        y += (list.count + grid.columns - 1) / grid.columns * step
        guard let picture else { return }
        let count = list.isKnown ? list.count : grid.columns * (visible.height / step + 1)
        let lines = (count + grid.columns - 1) / grid.columns
        let first = max(0, (visible.y - begin) / step)
        let end = max(first, min(lines, (visible.maxY - begin + shift) / step + 1))
        list.see(first * grid.columns..<end * grid.columns)
        for index in first * grid.columns..<min(count, end * grid.columns) {
            let (line, place) = index.quotientAndRemainder(dividingBy: grid.columns)
            let frame = PixelRect(
                x: x + place * (grid.width + grid.across), y: begin + line * step, width: grid.width,
                height: grid.height)
            if let row = list[index] {
                draw(picture, row, index, frame)
            } else if let shape {
                shape(picture, frame)
            } else if grid.columns > 1 {
                Skeleton.card(picture, frame)
            } else {
                Skeleton.row(picture, frame)
            }
        }
    }
}

/// The grid of a list's cells, in pixels.
struct CellGrid {
    var columns = 1
    let width: Int
    let height: Int
    /// Between lines.
    let gap: Int
    /// Between cells of a line.
    var across = 0
}

/// Things beside each other, on as many lines as they take.
struct Flow {
    /// Nil while it is only measured.
    private let picture: Picture?
    private let x: Int
    private let width: Int
    private let across: Int
    private let down: Int
    private var place: (x: Int, y: Int)
    /// The highest thing's of this line.
    private var line = 0

    fileprivate init(_ picture: Picture?, x: Int, y: Int, width: Int, across: Int, down: Int) {
        (self.picture, self.x, self.width, self.across, self.down) = (picture, x, width, across, down)
        place = (x, y)
    }

    var maxY: Int { place.y + line }

    mutating func add(width wanted: Int, height: Int, _ draw: (Picture, PixelRect) -> Void) {
        let wide = min(wanted, width)
        if place.x > x && place.x + wide > x + width {
            place = (x, place.y + line + down)
            line = 0
        }
        if let picture { draw(picture, PixelRect(x: place.x, y: place.y, width: wide, height: height)) }
        place.x += wide + across
        line = max(line, height)
    }
}
