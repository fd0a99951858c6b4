// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// Divides a rectangle: cuts parts off its sides, one after the other, or centers a part in it.
extension PixelRect {
    static let zero = PixelRect(x: 0, y: 0, width: 0, height: 0)

    /// Cuts off a part at the left side and a gap after it. Returns the part.
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

    /// Returns the top rows of the rectangle, at full width.
    func top(_ size: Int) -> PixelRect { PixelRect(x: x, y: y, width: width, height: size) }
    func bottom(_ size: Int) -> PixelRect { PixelRect(x: x, y: maxY - size, width: width, height: size) }
    func left(_ size: Int) -> PixelRect { PixelRect(x: x, y: y, width: size, height: height) }
    func right(_ size: Int) -> PixelRect { PixelRect(x: maxX - size, y: y, width: size, height: height) }

    /// Returns a part of this height, vertically centered, at full width.
    func middle(height size: Int) -> PixelRect {
        PixelRect(x: x, y: y + (height - size) / 2, width: width, height: size)
    }

    /// Returns a part of this width, horizontally centered, at full height.
    func middle(width size: Int) -> PixelRect {
        PixelRect(x: x + (width - size) / 2, y: y, width: size, height: height)
    }

    func middle(width: Int, height: Int) -> PixelRect { middle(width: width).middle(height: height) }
}

/// Things one below the other. A layout function names each thing and its height. It runs once to measure everything and once to draw it,
/// so the two cannot differ.
struct Column {
    let stage: Stage
    /// The picture to draw on; nil while the column only measures.
    private let picture: Picture?
    private(set) var x: Int
    private(set) var width: Int
    private let top: Int
    /// The upper edge of the next thing.
    private(set) var y: Int
    /// The visible part; things outside it are not drawn.
    private let visible: PixelRect
    /// True if things that reach beyond the visible part are not drawn, either.
    private let isWhole: Bool

    /// Draws everything from `top` on that is visible, at the edges also in part.
    init(_ picture: Picture, x: Int, top: Int, width: Int, visible: PixelRect) {
        (stage, self.picture) = (picture.stage, picture)
        (self.x, self.width, self.top, y) = (x, width, top, top)
        (self.visible, isWhole) = (visible, false)
    }

    /// Draws what fits within a rectangle.
    init(_ picture: Picture, within frame: PixelRect) {
        (stage, self.picture) = (picture.stage, picture)
        (x, width, top, y) = (frame.x, frame.width, frame.y, frame.y)
        (visible, isWhole) = (frame, true)
    }

    private init(measuring stage: Stage, width: Int) {
        (self.stage, picture, x, self.width, top, y) = (stage, nil, 0, width, 0, 0)
        (visible, isWhole) = (.zero, false)
    }

    /// Returns the height of a content.
    /// - Parameter content: adds all of it.
    static func height(_ stage: Stage, width: Int, _ content: (inout Column) -> Void) -> Int {
        var column = Column(measuring: stage, width: width)
        content(&column)
        return column.height
    }

    /// The height so far.
    var height: Int { y - top }

    // MARK: Content

    mutating func space(_ points: Float) { space(pixels: stage.pixels(points)) }
    mutating func space(pixels: Int) { y += pixels }

    /// Adds a content of at most that width, horizontally centered.
    mutating func narrowed(to points: Float, _ content: (inout Column) -> Void) {
        let whole = (x: x, width: width)
        width = min(width, stage.pixels(points))
        x += (whole.width - width) / 2
        content(&self)
        (x, width) = whole
    }

    /// Adds a thing of this height.
    /// - Parameter draw: draws it; called only if it is visible.
    mutating func add(_ height: Int, _ draw: (Picture, PixelRect) -> Void) {
        let frame = PixelRect(x: x, y: y, width: width, height: height)
        y += height
        guard let picture else { return }
        if isWhole ? visible.contains(frame) : !frame.intersection(visible).isEmpty { draw(picture, frame) }
    }

    /// Draws over the first pixels of what follows.
    mutating func over(_ height: Int, _ draw: (Picture, PixelRect) -> Void) {
        let begin = y
        add(height, draw)
        y = begin
    }

    /// Adds one line.
    /// - Parameter inset: the margin on either side, in pixels.
    mutating func line(
        _ text: String, _ style: TypeStyle, _ color: Color, inset: Int = 0, align: TextAlignment = .leading
    ) {
        add(stage.lineHeight(style)) { picture, frame in
            picture.write(text, style, in: frame.inset(x: inset, y: 0), color, align: align)
        }
    }

    /// Adds a heading.
    /// - Parameter space: the space above it, in points; it belongs to the heading's element.
    mutating func heading(_ text: String, _ style: TypeStyle, _ color: Color, space: Float = 0) {
        let above = stage.pixels(space)
        add(above + stage.lineHeight(style)) { picture, frame in
            var name = frame
            _ = name.cutTop(above)
            picture.writeHeading(text, style, in: name, color)
            picture.add(frame, text, role: .heading)
        }
    }

    /// Adds a screen's title, at the same place on all screens.
    /// - Parameter end: draws at the end of its line.
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

    /// Adds a part for the rest of the visible height.
    /// - Parameters:
    ///   - least: its least height, in pixels.
    ///   - free: the space that remains below it, in pixels.
    mutating func rest(least: Int, free: Int, _ draw: (Picture, PixelRect) -> Void) {
        add(picture == nil ? least : max(least, visible.maxY - y - free), draw)
    }

    /// Adds things from left to right, and on the next line if there is no more room. Gaps in pixels.
    mutating func flow(across: Int, down: Int, _ content: (inout Flow) -> Void) {
        var flow = Flow(picture, x: x, y: y, width: width, across: across, down: down)
        content(&flow)
        y = flow.maxY
    }

    /// Adds a card of glass.
    /// - Parameter padding: the space around the content, in pixels.
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

    /// Adds the cells of a list, line by line. Draws the visible ones and tells the list which they are, so that it requests them. Unknown
    /// rows get a placeholder shape.
    /// - Parameters:
    ///   - shift: the number of further pixels that are visible at the lower end.
    ///   - shape: draws a placeholder; nil for the usual shape.
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
    /// The gap between lines.
    let gap: Int
    /// The gap between the cells of a line.
    var across = 0
}

/// Things beside each other, on as many lines as they need.
struct Flow {
    /// The picture to draw on; nil while the flow only measures.
    private let picture: Picture?
    private let x: Int
    private let width: Int
    private let across: Int
    private let down: Int
    private var place: (x: Int, y: Int)
    /// The height of the current line: that of its highest thing.
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
