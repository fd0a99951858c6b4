import Design
import Pixels
import Typography

/// A word that does something when it is touched.
struct Button {
    enum Kind { case primary, secondary, glass }

    let title: String
    let kind: Kind
    var symbol: Symbol?
    var isLoading = false
    var isEnabled = true

    func width(_ stage: Stage) -> Int {
        let symbolWidth = symbol == nil && !isLoading ? 0 : stage.pixels(Metrics.buttonSymbol + Spacing.small)
        return stage.set(title, .headline, width: stage.width).width + 2 * stage.pixels(Metrics.buttonPadding)
            + symbolWidth
    }

    func height(_ stage: Stage) -> Int {
        max(stage.pixels(Metrics.target), stage.lineHeight(.headline) + 2 * stage.pixels(Spacing.related))
    }

    func draw(_ picture: Picture, _ frame: PixelRect, action: Element.Action, hint: String = "") {
        let stage = picture.stage
        let theme = picture.theme
        let radius = stage.pixels(kind == .glass ? Radius.glassButton : Radius.button)
        var ink: Color
        switch kind {
        case .primary:
            let fill = isEnabled ? theme.accent : theme.placeholder
            picture.canvas.fill(frame, radius: radius, with: fill)
            ink = theme.onAccent
        case .secondary:
            picture.canvas.fill(frame, radius: radius, with: theme.accent.opacity(Metrics.secondaryButton))
            ink = theme.accent
        case .glass:
            picture.glass(frame, radius: radius, .regular, isBlurred: false, hasStroke: false)
            picture.canvas.stroke(
                frame, radius: radius, width: stage.scale.line(0.5), with: theme.text.opacity(Metrics.glassButtonEdge))
            ink = theme.text
        }
        if !isEnabled { ink = theme.secondaryText }
        let set = stage.set(title, .headline, width: frame.width - 2 * stage.pixels(Spacing.small))
        let size = stage.pixels(Metrics.buttonSymbol)
        let gap = stage.pixels(Spacing.small)
        let hasSign = symbol != nil || isLoading
        var x = frame.x + (frame.width - set.width - (hasSign ? size + gap : 0)) / 2
        if hasSign {
            let place = PixelRect(x: x, y: frame.y + (frame.height - size) / 2, width: size, height: size)
            if isLoading {
                Ring(part: Metrics.loadingPart).draw(picture, in: place, width: 2, color: ink)
            } else if let symbol {
                picture.draw(symbol, in: place, points: Metrics.buttonSymbol, ink)
            }
            x += size + gap
        }
        picture.write(
            set, title, x: x, y: frame.y + (frame.height - set.height) / 2, width: set.width, ink,
            on: kind == .primary && isEnabled ? theme.accent : nil)
        var element = Element(
            frame: frame, label: title, value: isLoading ? "busy" : isEnabled ? "" : "not available", hint: hint,
            action: action)
        element.isEnabled = isEnabled && !isLoading
        picture.add(element)
    }
}

/// A choice among a few, or a tag.
struct Chip {
    let title: String
    var isSelected = false

    private static func style(_ stage: Stage) -> TypeStyle { stage.isCompact ? .smallChip : .chip }

    func width(_ stage: Stage) -> Int {
        let padding = stage.isCompact ? Spacing.small : Spacing.medium
        return stage.set(title, Chip.style(stage), width: stage.width).width + 2 * stage.pixels(padding)
    }

    static func height(_ stage: Stage) -> Int {
        max(stage.pixels(Metrics.chipHeight), stage.lineHeight(style(stage)) + 2 * stage.pixels(Spacing.mini))
    }

    func draw(_ picture: Picture, _ frame: PixelRect, action: Element.Action) {
        let stage = picture.stage
        let theme = picture.theme
        let radius = stage.pixels(Radius.chip)
        picture.canvas.fill(frame, radius: radius, with: isSelected ? theme.accent : theme.chip)
        picture.write(
            title, Chip.style(stage), in: frame.inset(x: stage.pixels(Spacing.mini), y: 0),
            isSelected ? theme.onAccent : theme.text, align: .center,
            on: isSelected ? theme.accent : nil)
        let target = max(frame.height, stage.pixels(Metrics.target))
        picture.add(
            Element(
                frame: PixelRect(x: frame.x, y: frame.midY - target / 2, width: frame.width, height: target),
                label: title, value: isSelected ? "selected" : "", action: action, isSelected: isSelected))
    }

    /// As many as there is room for in lines, from a place on; returns how high they are.
    static func flow(
        _ picture: Picture, _ chips: [(Chip, Element.Action)], x: Int, y: Int, width: Int, isDrawn: Bool = true
    ) -> Int {
        let stage = picture.stage
        let (gap, height) = (stage.pixels(stage.isCompact ? Spacing.mini : Spacing.small), Chip.height(stage))
        // Targets above each other do not overlap.
        let step = max(height + gap, stage.pixels(Metrics.target))
        var (left, top) = (x, y)
        for (chip, action) in chips {
            let wide = min(width, max(chip.width(stage), stage.pixels(Metrics.target)))
            if left + wide > x + width && left > x {
                left = x
                top += step
            }
            if isDrawn {
                chip.draw(picture, PixelRect(x: left, y: top, width: wide, height: height), action: action)
            }
            left += wide + gap
        }
        return top + height - y
    }
}
