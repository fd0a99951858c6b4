// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Text
import Typography

/// Something that appears over a screen and disappears again.
public enum Overlay: Equatable, Sendable {
    /// A short message above the bars of a screen.
    case toast(Toast)
    /// The menu of a long press.
    /// - Parameter at: the pressed place, beside which the menu opens; nil for the middle.
    case menu(title: String, items: [MenuItem], at: PixelRect? = nil)
    /// Values to choose from, at the lower edge.
    /// - Parameter selected: the present value; nil for none of them.
    case values(title: String, values: [String], selected: Int?)
    /// A ringing alarm: it fills the screen until a hand answers.
    /// - Parameter words: the name of the sound.
    case ringing(title: String, words: String)

    public struct MenuItem: Equatable, Sendable {
        public var title: String
        public var symbol: Symbol
        public var isDestructive: Bool

        public init(_ title: String, _ symbol: Symbol, isDestructive: Bool = false) {
            self.title = title
            self.symbol = symbol
            self.isDestructive = isDestructive
        }
    }

    /// True if the screen beneath waits for the answer.
    var isModal: Bool { if case .toast = self { false } else { true } }

    private var isFromBelow: Bool { if case .values = self { true } else { false } }

    /// True if the overlay slides in from a side; otherwise it only fades in.
    var moves: Bool {
        switch self {
        case .menu, .ringing: false
        case .toast, .values: true
        }
    }

    /// The time after which it disappears, in milliseconds; nil if it waits.
    var stay: Int? { if case .toast(let toast) = self { toast.stay } else { nil } }

    /// True if it has a button for a while.
    var hasButton: Bool { if case .toast(let toast) = self { toast.button != nil } else { false } }

    // MARK: Where

    /// Returns its final frame.
    /// - Parameter room: the part of the screen beneath between its bars.
    func frame(_ stage: Stage, in room: PixelRect) -> PixelRect {
        let margin = stage.pixels(Spacing.medium)
        switch self {
        case .toast(let toast): return toast.frame(stage, in: room)
        case .menu(let title, let items, let place):
            let width = MenuRows(title, items, stage).width
            let height = Column.height(stage, width: width) { layOutMenu(title, items, &$0) }
            let frame = stage.bounds.middle(width: width, height: min(stage.height - margin, height))
            return place.map { Overlay.beside($0, frame, stage) } ?? frame
        case .values(let title, let values, let selected):
            let width = min(stage.width, stage.pixels(Breakpoint.readableWidth))
            let height = Column.height(stage, width: width) { layOutValues(title, values, selected, &$0) }
            return stage.bounds.bottom(min(stage.height, height)).middle(width: width)
        case .ringing: return stage.bounds
        }
    }

    /// Returns a frame below a place, or above it if there is more room. Without room for either, the frame covers the place.
    private static func beside(_ place: PixelRect, _ frame: PixelRect, _ stage: Stage) -> PixelRect {
        let (edge, gap) = (stage.pixels(Spacing.small), stage.pixels(Spacing.small))
        let room = stage.bounds.inset(by: edge)
        var frame = frame
        frame.x = min(max(room.x, place.midX - frame.width / 2), max(room.x, room.maxX - frame.width))
        if place.maxY + gap + frame.height <= room.maxY {
            frame.y = place.maxY + gap
        } else if place.y - gap - frame.height >= room.y {
            frame.y = place.y - gap - frame.height
        } else {
            frame.y = min(max(room.y, place.midY - frame.height / 2), max(room.y, room.maxY - frame.height))
        }
        return frame
    }

    /// Returns all that it changes, including its way in and out.
    func place(_ stage: Stage, in room: PixelRect) -> PixelRect {
        if isModal { return stage.bounds }
        let frame = frame(stage, in: room)
        // The reach of the shadow, plus the way in with its overshoot.
        let reach = stage.pixels(2 * Elevation.high.blur + Elevation.high.down + 2 * Spacing.related)
        return frame.inset(by: -reach).intersection(stage.bounds)
    }

    // MARK: Drawing

    /// - Parameters:
    ///   - part: the opacity, 0…1.
    ///   - way: the progress of its motion, 0 to 1, and for a moment a little beyond.
    func draw(_ picture: Picture, in room: PixelRect, part: Float, way: Float) {
        if case .ringing(let title, let words) = self { return drawRinging(title, words, picture) }
        let stage = picture.stage
        var frame = frame(stage, in: room)
        let isMoving = !stage.comfort.reducesMotion
        if isModal { picture.canvas.fill(stage.bounds, with: picture.theme.scrim.opacity(part)) }
        let rest = 1 - way
        switch self {
        case .toast: if isMoving { frame.y += Int(rest * Float(stage.pixels(Spacing.related))) }
        case .menu, .ringing: break
        case .values: if isMoving { frame.y += Int(rest * Float(frame.height)) }
        }
        let radius: Int
        switch self {
        case .toast: radius = min(frame.height / 2, stage.pixels(Metrics.toastHeight) / 2)
        case .values: radius = stage.pixels(Radius.sheet)
        default: radius = stage.pixels(Radius.card)
        }
        picture.shadow(of: frame, radius: radius, .high)
        if isFromBelow {
            // Its lower corners stay beyond the panel's edge, even at the overshoot.
            picture.canvas.clipped(to: stage.bounds) {
                picture.canvas.fill(
                    frame.top(stage.height - frame.y + radius), radius: radius, with: picture.theme.solid(3))
            }
        } else {
            picture.glass(frame, radius: radius, .thick)
        }
        drawContent(picture, frame)
    }

    private func drawContent(_ picture: Picture, _ frame: PixelRect) {
        var column = Column(picture, within: frame)
        switch self {
        case .toast(let toast): toast.draw(picture, in: frame)
        case .menu(let title, let items, _): layOutMenu(title, items, &column)
        case .values(let title, let values, let selected): layOutValues(title, values, selected, &column)
        case .ringing: break
        }
    }

    private func layOutGrabber(_ column: inout Column) {
        column.space(Spacing.small)
        column.add(column.stage.pixels(Metrics.grabberHeight)) { picture, frame in
            let grabber = frame.middle(width: picture.stage.pixels(Metrics.grabberWidth))
            picture.canvas.fill(grabber, radius: grabber.height / 2, with: picture.theme.track)
        }
        column.space(Spacing.small)
    }

    /// Adds the title's element, which a voice reads first, even without room to draw the title.
    private func tell(_ title: String, height: Int, _ column: inout Column) {
        if title.isEmpty { return }
        column.over(height) { picture, frame in picture.add(frame, title, role: .heading) }
    }

    /// Lays out the values in as few rows as possible, all of one width.
    private func layOutValues(_ title: String, _ values: [String], _ selected: Int?, _ column: inout Column) {
        let stage = column.stage
        let margin = stage.pixels(Spacing.medium)
        let grid = ValueGrid(values, width: column.width - 2 * margin, stage)
        if grid.hasHead { layOutGrabber(&column) }
        tell(title, height: grid.hasHead ? stage.lineHeight(.title3) : 0, &column)
        if grid.hasHead {
            column.line(title, .title3, stage.theme.text, inset: margin, align: .center)
        }
        column.space(pixels: grid.gap)
        for first in stride(from: 0, to: values.count, by: grid.columns) {
            column.add(grid.height) { picture, frame in
                var room = frame.inset(x: margin, y: 0)
                for index in first..<min(first + grid.columns, values.count) {
                    let chip = Chip(title: values[index], isSelected: index == selected, style: grid.style)
                    chip.draw(picture, room.cutLeft(grid.width, gap: grid.gap), action: .choose(index))
                }
            }
            column.space(pixels: grid.gap)
        }
        column.space(pixels: grid.gap)
    }

    private func layOutMenu(_ title: String, _ items: [MenuItem], _ column: inout Column) {
        let stage = column.stage
        let theme = stage.theme
        let margin = stage.pixels(Spacing.medium)
        let rows = MenuRows(title, items, stage)
        tell(title, height: rows.titleHeight, &column)
        if rows.hasTitle {
            column.add(rows.titleHeight) { picture, frame in
                picture.write(title, .footnote, in: frame.inset(x: margin, y: 0), theme.secondaryText)
            }
        }
        for (index, item) in items.enumerated() {
            column.add(rows.heights[index]) { picture, row in
                if index > 0 || rows.hasTitle {
                    picture.canvas.fill(row.top(stage.scale.line(0.5)), with: theme.separator)
                }
                let ink = item.isDestructive ? theme.danger : theme.text
                var room = row.inset(x: margin, y: 0)
                let icon = room.cutRight(stage.pixels(Metrics.tabSymbol), gap: margin)
                picture.draw(item.symbol, in: icon, points: Metrics.tabSymbol, ink)
                let set = stage.set(item.title, rows.style, width: room.width, lines: MenuRows.mostLines)
                picture.write(set, item.title, in: room.middle(height: set.height), ink)
                picture.add(row, item.title, action: .choose(index))
            }
        }
    }
}

/// The rows of a menu, complete and with whole words. With large letters on a small panel the title goes first. Then the letters shrink,
/// down to a little less than designed. Measures in pixels.
private struct MenuRows: LetteredForm {
    static let mostLines = 2

    let style: TypeStyle
    let width: Int
    let hasTitle: Bool
    let titleHeight: Int
    let heights: [Int]
    let isWhole: Bool

    init(_ title: String, _ items: [Overlay.MenuItem], _ stage: Stage) {
        self = stage.fitted(title.isEmpty ? [false] : [true, false]) {
            MenuRows(items, stage, letters: $0, hasTitle: $1)
        }
    }

    private init(_ items: [Overlay.MenuItem], _ stage: Stage, letters: Float, hasTitle: Bool) {
        let (margin, small) = (stage.pixels(Spacing.medium), stage.pixels(Spacing.small))
        let style = TypeStyle.body.scaled(by: letters)
        let wanted = Int(Float(stage.pixels(Metrics.menuWidth)) * max(1, min(1.5, stage.scale.textSize)))
        let beside = stage.pixels(Metrics.tabSymbol) + 3 * margin
        let widest = items.map { stage.set($0.title, style, width: 4 * stage.width).width }.max() ?? 0
        let width = min(stage.width - 2 * small, max(wanted, widest + beside))
        let lines = items.map {
            stage.set($0.title, style, width: width - beside, lines: MenuRows.mostLines + 1).lines.count
        }
        let heights = lines.map {
            max(stage.pixels(Metrics.target), $0 * stage.lineHeight(style) + ($0 > 1 ? small : margin))
        }
        (self.style, self.width, self.hasTitle, self.heights) = (style, width, hasTitle, heights)
        titleHeight = hasTitle ? stage.lineHeight(.footnote) + margin : 0
        isWhole =
            lines.allSatisfy { $0 <= MenuRows.mostLines }
            && heights.reduce(titleHeight, +) <= stage.height - margin
    }
}

/// The values of a choice, complete and with whole words. On a small panel margins shrink first, then the title goes, rows become as low as
/// their letters, and last the letters shrink. Measures in pixels.
private struct ValueGrid: LetteredForm {
    let style: TypeStyle
    let columns: Int
    /// The width of each value.
    let width: Int
    let height: Int
    let gap: Int
    let hasHead: Bool
    let isWhole: Bool

    /// - Parameter width: the width of a row.
    init(_ values: [String], width: Int, _ stage: Stage) {
        let ways = [(false, false), (true, false), (true, true)]
        func fitted(_ least: Int) -> ValueGrid {
            stage.fitted(ways) {
                ValueGrid(values, width: width, stage, letters: $0, isClose: $1.0, isLow: $1.1, least: least)
            }
        }
        let found = fitted(stage.pixels(Metrics.target))
        self = found.isWhole ? found : fitted(0)
    }

    private init(_ values: [String], width: Int, _ stage: Stage, letters: Float, isClose: Bool, isLow: Bool, least: Int)
    {
        style = Chip.style(stage).scaled(by: letters)
        let (mini, target) = (stage.pixels(Spacing.mini), stage.pixels(Metrics.target))
        let (low, padding) = (stage.lineHeight(style) + 2 * mini, isClose ? mini + 1 : Chip.padding(stage))
        height = isLow ? low : max(target, low)
        gap = isLow ? mini : stage.pixels(Spacing.small)
        let (style, gap) = (style, gap)
        let widest = values.reduce(0) { max($0, stage.set($1, style, width: 4 * stage.width).width) }
        let cell = max(isLow ? low : target, widest + 2 * padding)
        let most = max(1, min(values.count, (width + gap) / (cell + gap)))
        let rows = max(1, (values.count + most - 1) / most)
        let rowsHeight = rows * (height + gap) + 2 * gap
        let head = stage.pixels(Metrics.grabberHeight + 2 * Spacing.small) + stage.lineHeight(.title3)
        hasHead = head + rowsHeight <= stage.height
        isWhole = cell <= width && rowsHeight <= stage.height && height >= least
        // Each row gets the same number of values.
        columns = max(1, (values.count + rows - 1) / rows)
        self.width = (width - (columns - 1) * gap) / columns
    }
}

// MARK: Choices of the player

extension Overlay {
    /// The speeds of the player's choice, in percent.
    public static let speeds = [50, 75, 90, 100, 110, 125, 150, 175, 200]

    /// Returns a choice of speeds.
    /// - Parameter percents: the speeds, in percent of a recording's own.
    public static func speeds(_ percents: [Int], current: Speed) -> Overlay {
        .values(
            title: translated("Speed"), values: percents.map { Speed(percent: $0).timesWords },
            selected: percents.firstIndex(of: current.percent))
    }

    /// Returns a choice of steps for the sleep timer.
    public static func sleep(current: Sleep) -> Overlay {
        .values(
            title: translated("Sleep timer"), values: Sleep.choices.map { $0.titleWords },
            selected: Sleep.choices.firstIndex(of: current))
    }
}

extension Speed {
    /// "1.25×", with the decimal sign of the user's language.
    public var timesWords: String { withDecimalSign(text) + "\u{00D7}" }
}

extension Sleep {
    /// The words with a capital if they begin with a Latin letter: "End of chapter".
    public var titleWords: String { withCapital(words) }
}

extension AlarmDays {
    /// The words with a capital: "Daily", "Mon-fri".
    public var titleWords: String { withCapital(localWords) }
}

private func withCapital(_ words: String) -> String {
    var bytes = Array(words.utf8)
    if let first = bytes.first, first >= 0x61 && first <= 0x7A { bytes[0] = first - 32 }
    return String(decoding: bytes, as: UTF8.self)
}
