// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Text
import Typography

/// A button with a word.
struct Button {
    let title: String
    var symbol: Symbol?
    var isLoading = false
    var isEnabled = true
    /// The size of its letters relative to the design.
    var letters: Float = 1

    private var style: TypeStyle { TypeStyle.headline.scaled(by: letters) }

    func width(_ stage: Stage) -> Int {
        let symbolWidth = symbol == nil && !isLoading ? 0 : stage.pixels(Metrics.buttonSymbol + Spacing.small)
        return stage.set(title, style, width: stage.width).width + 2 * stage.pixels(Metrics.buttonPadding)
            + symbolWidth
    }

    func height(_ stage: Stage) -> Int {
        max(stage.pixels(Metrics.target), stage.lineHeight(style) + 2 * stage.pixels(Spacing.related))
    }

    func draw(_ picture: Picture, _ frame: PixelRect, action: Element.Action, hint: String = "") {
        let stage = picture.stage
        let theme = picture.theme
        let fill = isEnabled ? theme.fill : theme.placeholder
        picture.canvas.fill(frame, radius: stage.pixels(Radius.button), with: fill)
        let ink = isEnabled ? theme.onFill : theme.secondaryText
        let set = stage.set(title, style, width: frame.width - 2 * stage.pixels(Spacing.small))
        let size = stage.pixels(Metrics.buttonSymbol)
        let gap = stage.pixels(Spacing.small)
        let hasSign = symbol != nil || isLoading
        var room = frame.middle(width: set.width + (hasSign ? size + gap : 0))
        if hasSign {
            let place = room.cutLeft(size, gap: gap).middle(height: size)
            if isLoading {
                Ring(part: Metrics.loadingPart).draw(picture, in: place, width: 2, color: ink)
            } else if let symbol {
                picture.draw(symbol, in: place, points: Metrics.buttonSymbol, ink)
            }
        }
        picture.write(set, title, in: room, ink, on: isEnabled ? theme.fill : nil)
        var element = Element(
            frame: frame, label: title,
            value: isLoading ? translated("busy") : isEnabled ? "" : translated("not available"), hint: hint,
            action: action)
        element.isEnabled = isEnabled && !isLoading
        picture.add(element)
    }
}

/// A choice among a few, or a tag.
struct Chip {
    let title: String
    var isSelected = false
    /// The symbol for the smallest panels, which have no room for a row of words.
    var symbol: Symbol?
    /// The type style if the chip is part of a grid; nil for the usual style with a finger-high target.
    var style: TypeStyle?

    static func style(_ stage: Stage) -> TypeStyle { stage.isCompact ? .smallChip : .chip }
    static func padding(_ stage: Stage) -> Int { stage.pixels(stage.isCompact ? Spacing.small : Spacing.medium) }

    private func sign(_ stage: Stage) -> Symbol? { stage.isTiny ? symbol : nil }

    func width(_ stage: Stage) -> Int {
        if sign(stage) != nil { return stage.pixels(Metrics.target) }
        return stage.set(title, Chip.style(stage), width: stage.width).width + 2 * Chip.padding(stage)
    }

    static func height(_ stage: Stage) -> Int {
        max(stage.pixels(Metrics.chipHeight), stage.lineHeight(style(stage)) + 2 * stage.pixels(Spacing.mini))
    }

    func draw(_ picture: Picture, _ frame: PixelRect, action: Element.Action) {
        let stage = picture.stage
        let theme = picture.theme
        let radius = stage.pixels(Radius.chip)
        picture.canvas.fill(frame, radius: radius, with: isSelected ? theme.fill : theme.chip)
        if isSelected && theme.isNight {
            // At night surfaces do not glow, so an edge marks the selected chip.
            let edge = theme.text.opacity(Metrics.nightChoice)
            picture.canvas.stroke(frame, radius: radius, width: stage.scale.line(1), with: edge)
        }
        let ink = isSelected ? theme.onFill : theme.text
        if let sign = sign(stage) {
            picture.draw(sign, in: frame, points: Metrics.tabSymbol, ink)
        } else {
            picture.write(
                title, style ?? Chip.style(stage), in: frame.inset(x: stage.pixels(Spacing.mini), y: 0), ink,
                align: .center,
                on: isSelected ? theme.fill : nil)
        }
        picture.add(
            style == nil ? frame.middle(height: max(frame.height, stage.pixels(Metrics.target))) : frame, title,
            value: isSelected ? translated("selected") : "", action: action, isSelected: isSelected)
    }
}

extension Column {
    mutating func chips(_ chips: [(Chip, Element.Action)]) {
        let (stage, target) = (stage, stage.pixels(Metrics.target))
        let (gap, height) = (stage.pixels(stage.isCompact ? Spacing.mini : Spacing.small), Chip.height(stage))
        // Touch targets of two lines must not overlap.
        flow(across: gap, down: max(gap, target - height)) { flow in
            for (chip, action) in chips {
                flow.add(width: max(chip.width(stage), target), height: height) { picture, frame in
                    chip.draw(picture, frame, action: action)
                }
            }
        }
    }

    /// Adds rows one below the other.
    /// - Parameters:
    ///   - gap: between them, in points.
    ///   - areLow: true for rows of one line without a cover.
    ///   - view: makes a row's view, with a cover so many pixels wide.
    mutating func rows(of list: RowWindow, gap: Float, areLow: Bool = false, _ view: (ListRow, Int) -> RowView) {
        let height = RowView.height(stage, isLow: areLow)
        let grid = CellGrid(width: width, height: height, gap: stage.pixels(gap))
        cells(of: list, grid) { picture, row, _, frame in
            view(row, picture.stage.pixels(Metrics.rowThumbnail)).draw(picture, frame)
        }
    }
}
