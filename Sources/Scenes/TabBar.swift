// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// The screens to go to, along the lower edge.
struct TabBar {
    let frame: PixelRect
    /// The active tab; nil on the player.
    let active: Element.Tab?
    /// False if there is no room for words.
    var hasWords = true
    /// True if the player is one of them.
    var hasPlayer = false

    /// Returns the height of the bar. Large words need a higher one.
    static func height(_ stage: Stage) -> Int {
        let words = stage.lineHeight(.tab) + stage.pixels(Metrics.tabSymbol + Spacing.mini + Spacing.medium)
        return max(stage.pixels(Metrics.tabBarHeight), words)
    }

    func draw(_ picture: Picture) {
        if frame.isEmpty { return }
        let stage = picture.stage
        let theme = picture.theme
        picture.canvas.fill(frame, with: theme.bar)
        picture.canvas.fill(frame.top(stage.scale.line(1)), with: theme.separator)
        let all = Destination.all(hasPlayer: hasPlayer)
        for (index, item) in all.enumerated() {
            let count = all.count
            let left = frame.width * index / count
            let cell = PixelRect(
                x: frame.x + left, y: frame.y, width: frame.width * (index + 1) / count - left, height: frame.height)
            let isActive = item.tab == active
            let color = isActive ? theme.accent : theme.secondaryText
            let inner = cell.inset(x: stage.pixels(Spacing.micro), y: 0)
            let label = stage.set(item.name, isActive ? .activeTab : .tab, width: inner.width)
            let size = stage.pixels(Metrics.tabSymbol)
            let below = hasWords ? stage.pixels(Spacing.mini) + label.height : 0
            var room = inner.middle(height: size + below)
            picture.draw(item.symbol(isActive), in: room.cutTop(size), points: Metrics.tabSymbol, color)
            if hasWords {
                picture.write(label, item.name, in: room.bottom(label.height), color, align: .center)
            }
            picture.add(tab: item, cell, isActive: isActive)
        }
    }
}
