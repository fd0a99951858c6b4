import Design
import Pixels
import Typography

/// The three screens to go to.
struct TabBar {
    let frame: PixelRect
    /// Nil on the player.
    let active: Element.Tab?
    /// Where there is no room for them.
    var hasWords = true

    /// Words that a person wants large need a higher bar.
    static func height(_ stage: Stage) -> Int {
        let words = stage.lineHeight(.tab) + stage.pixels(Metrics.tabSymbol + Spacing.mini + Spacing.medium)
        return max(stage.pixels(Metrics.tabBarHeight), words)
    }

    func draw(_ picture: Picture) {
        if frame.isEmpty { return }
        let stage = picture.stage
        let theme = picture.theme
        picture.canvas.fill(frame, with: theme.bar)
        picture.canvas.fill(
            PixelRect(x: frame.x, y: frame.y, width: frame.width, height: stage.scale.line(1)), with: theme.separator)
        for (index, item) in Destination.all.enumerated() {
            let left = frame.x + frame.width * index / 3
            let cell = PixelRect(
                x: left, y: frame.y, width: frame.x + frame.width * (index + 1) / 3 - left, height: frame.height)
            let isActive = item.tab == active
            let color = isActive ? theme.accent : theme.secondaryText
            let label = stage.set(
                item.name, isActive ? .activeTab : .tab, width: cell.width - 2 * stage.pixels(Spacing.micro))
            let size = stage.pixels(Metrics.tabSymbol)
            let gap = hasWords ? stage.pixels(Spacing.mini) : 0
            let height = hasWords ? label.height : 0
            let top = cell.y + (cell.height - size - gap - height) / 2
            picture.draw(
                item.symbol(isActive), in: PixelRect(x: cell.x, y: top, width: cell.width, height: size),
                points: Metrics.tabSymbol, color)
            if hasWords {
                picture.write(
                    label, item.name, x: cell.x + stage.pixels(Spacing.micro), y: top + size + gap,
                    width: cell.width - 2 * stage.pixels(Spacing.micro), color, align: .center)
            }
            picture.add(
                Element(
                    frame: cell, label: item.name, value: isActive ? "selected" : "", action: .show(item.tab),
                    role: .tab, isSelected: isActive))
        }
    }
}
