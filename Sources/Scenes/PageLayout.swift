import Design
import Pixels
import Typography

/// Where things stand on a screen with a list: a sidebar on wide panels, tabs at the bottom of tall ones, a bar for what is playing.
struct PageLayout: Equatable {
    let isWide: Bool
    let isCompact: Bool
    let margin: Int
    var sidebar = PixelRect(x: 0, y: 0, width: 0, height: 0)
    var tabs = PixelRect(x: 0, y: 0, width: 0, height: 0)
    var nowBar = PixelRect(x: 0, y: 0, width: 0, height: 0)
    /// With all controls on it.
    var hasFullBar = false
    /// With the way back; empty where a screen has none.
    var header = PixelRect(x: 0, y: 0, width: 0, height: 0)
    /// What scrolls, under the bars that are of glass.
    var content = PixelRect(x: 0, y: 0, width: 0, height: 0)
    /// Of the content's lower end, that a bar lies upon.
    var covered = 0

    init(_ stage: Stage, hasHeader: Bool, isPlaying: Bool) {
        let scale = stage.scale
        let (wide, high) = (scale.points(stage.width), scale.points(stage.height))
        isWide = wide > high * Breakpoint.wideRatio
        isCompact = min(wide, high) < Breakpoint.compactSide
        margin = scale.pixels(isCompact ? Spacing.related : Spacing.medium)
        var left = 0
        var bottom = stage.height
        if isWide {
            let width = wide >= Breakpoint.regularWidth ? Metrics.sidebarRegular : Metrics.sidebarCompact
            sidebar = PixelRect(x: 0, y: 0, width: scale.pixels(width), height: stage.height)
            left = sidebar.width
        } else {
            let height = isCompact ? scale.pixels(Metrics.bareTabsHeight) : TabBar.height(stage)
            tabs = PixelRect(x: 0, y: stage.height - height, width: stage.width, height: height)
            bottom = tabs.y
        }
        let width = stage.width - left
        if isPlaying && high >= Breakpoint.barsHeight {
            hasFullBar =
                scale.points(width) / max(1, scale.textSize) >= Breakpoint.fullBarWidth
            let least = stage.lineHeight(.rowTitle) + stage.lineHeight(.rowDetail) + 2 * stage.pixels(Spacing.small)
            let height = max(scale.pixels(hasFullBar ? Metrics.fullBarHeight : Metrics.miniBarHeight), least)
            nowBar = PixelRect(x: left, y: bottom - height, width: width, height: height)
        }
        var top = 0
        if hasHeader {
            let height = max(
                scale.pixels(Metrics.target), stage.lineHeight(.screenTitle) + stage.pixels(Spacing.small))
            header = PixelRect(x: left, y: 0, width: width, height: height + stage.pixels(Spacing.small))
            top = header.maxY
        }
        content = PixelRect(x: left, y: top, width: width, height: bottom - top)
        covered = nowBar.height
    }
}

/// The screens to go to, at the left edge: icons, with words where there is room for them.
struct Sidebar {
    let frame: PixelRect
    let active: Element.Tab

    func draw(_ picture: Picture) {
        if frame.isEmpty { return }
        let stage = picture.stage
        let theme = picture.theme
        picture.glass(frame, radius: 0, .ultraThin, isBlurred: false, hasStroke: false)
        let line = stage.scale.line(1)
        picture.canvas.fill(
            PixelRect(x: frame.maxX - line, y: 0, width: line, height: frame.height),
            with: theme.sidebarSeparator)
        let hasWords = stage.scale.points(frame.width) > Metrics.sidebarCompact + 1
        let inset =
            hasWords ? stage.pixels(Spacing.related) : (frame.width - stage.pixels(Metrics.sidebarItem)) / 2
        let height = max(stage.pixels(Metrics.sidebarItem), hasWords ? stage.lineHeight(.sidebar) : 0)
        let gap = stage.pixels(Spacing.small)
        var y = stage.pixels(Spacing.medium)
        for item in Destination.all {
            let isActive = item.tab == active
            let cell = PixelRect(
                x: inset, y: y, width: max(stage.pixels(Metrics.sidebarItem), frame.width - 2 * inset), height: height)
            if isActive { picture.canvas.fill(cell, radius: stage.pixels(Radius.chip), with: theme.selection) }
            let color = isActive ? theme.accent : theme.text
            let size = stage.pixels(Metrics.tabSymbol)
            let icon = PixelRect(
                x: hasWords ? cell.x + inset : cell.x, y: cell.y, width: hasWords ? size : cell.width,
                height: cell.height)
            picture.draw(item.symbol(isActive), in: icon, points: Metrics.tabSymbol, color)
            if hasWords {
                let x = icon.maxX + inset
                picture.write(
                    item.name, isActive ? .activeSidebar : .sidebar,
                    in: PixelRect(x: x, y: cell.y, width: cell.maxX - x - gap, height: cell.height), color)
            }
            picture.add(
                Element(
                    frame: cell, label: item.name, value: isActive ? "selected" : "", action: .show(item.tab),
                    role: .tab, isSelected: isActive))
            y += height + gap
        }
    }
}

/// A screen that tabs and sidebars lead to.
struct Destination {
    let tab: Element.Tab
    let name: String
    let outline: Symbol
    let filled: Symbol

    func symbol(_ isActive: Bool) -> Symbol { isActive ? filled : outline }

    static let all = [
        Destination(tab: .library, name: "Library", outline: .library, filled: .libraryFilled),
        Destination(tab: .favourites, name: "Favorites", outline: .bookmark, filled: .bookmarkFilled),
        Destination(tab: .settings, name: "Settings", outline: .gear, filled: .gearFilled),
    ]
}
