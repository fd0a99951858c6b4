// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Pixels
import Typography

/// The places on a screen with a list: a sidebar on wide panels, tabs at the bottom of tall ones, a bar for what is playing.
struct PageLayout: Equatable {
    let isWide: Bool
    let isCompact: Bool
    let margin: Int
    private(set) var sidebar = PixelRect.zero
    private(set) var tabs = PixelRect.zero
    private(set) var nowBar = PixelRect.zero
    /// True if the bar has all controls.
    private(set) var hasFullBar = false
    /// True if something plays and there is no room for the bar.
    private(set) var lacksNowBar = false
    /// The place of the way back; empty for a screen without it.
    private(set) var header = PixelRect.zero
    /// The place of the way back on a large and simple screen, which has no bars; empty on other screens.
    private(set) var way = PixelRect.zero
    /// The scrolling part, under the bars of glass.
    private(set) var content = PixelRect.zero
    /// The height of the content's lower end that a bar covers.
    private(set) var covered = 0

    init(_ stage: Stage, hasHeader: Bool, isPlaying: Bool) {
        let scale = stage.scale
        let (wide, high) = (scale.points(stage.width), scale.points(stage.height))
        isWide = wide > high * Breakpoint.wideRatio
        isCompact = min(wide, high) < Breakpoint.compactSide
        margin = scale.pixels(isCompact ? Spacing.related : Spacing.medium)
        var room = stage.bounds
        if isWide {
            let width = wide >= Breakpoint.regularWidth ? Metrics.sidebarRegular : Metrics.sidebarCompact
            sidebar = room.cutLeft(scale.pixels(width))
        } else {
            tabs = room.cutBottom(isCompact ? scale.pixels(Metrics.bareTabsHeight) : TabBar.height(stage))
        }
        if isPlaying && high >= Breakpoint.barsHeight {
            hasFullBar = scale.points(room.width) / max(1, scale.textSize) >= Breakpoint.fullBarWidth
            let least = stage.lineHeight(.rowTitle) + stage.lineHeight(.rowDetail) + 2 * stage.pixels(Spacing.small)
            nowBar = room.bottom(max(scale.pixels(hasFullBar ? Metrics.fullBarHeight : Metrics.miniBarHeight), least))
        }
        lacksNowBar = isPlaying && nowBar.isEmpty
        if hasHeader {
            let small = stage.pixels(Spacing.small)
            header = room.cutTop(small + max(scale.pixels(Metrics.target), stage.lineHeight(.screenTitle) + small))
        }
        content = room
        covered = nowBar.height
    }

    /// Lays out a large and simple screen: a list with the way back beside it, or above it on tall panels.
    init(simple stage: Stage) {
        let measures = SimpleMeasures(stage)
        isWide = stage.isWide
        isCompact = stage.isCompact
        margin = measures.gap
        var room = stage.bounds.inset(by: margin)
        if isWide {
            way = room.cutLeft(measures.width(of: SimpleWay.title, stage))
            content = stage.bounds.right(stage.width - way.maxX)
        } else {
            // On a panel of two centimeters the books come before the way back.
            way = room.cutTop(max(min(measures.leastButton, room.height / 4), measures.wordsLine + margin))
            content = stage.bounds.bottom(stage.height - way.maxY - margin / 2)
        }
    }
}

/// The screens to go to, at the left edge: icons, with words if there is room.
struct Sidebar {
    let frame: PixelRect
    /// The active tab; nil on the player.
    let active: Element.Tab?
    /// True if the player is one of them.
    var hasPlayer = false

    func draw(_ picture: Picture) {
        if frame.isEmpty { return }
        let stage = picture.stage
        let theme = picture.theme
        picture.glass(frame, radius: 0, .ultraThin, isBlurred: false, hasStroke: false)
        picture.canvas.fill(frame.right(stage.scale.line(1)), with: theme.sidebarSeparator)
        let least = stage.pixels(Metrics.sidebarItem)
        let hasWords = stage.scale.points(frame.width) > Metrics.sidebarCompact + 1
        let inset = hasWords ? stage.pixels(Spacing.related) : (frame.width - least) / 2
        let height = max(least, hasWords ? stage.lineHeight(.sidebar) : 0)
        let gap = stage.pixels(Spacing.small)
        var room = PixelRect(x: inset, y: 0, width: max(least, frame.width - 2 * inset), height: frame.height)
        _ = room.cutTop(stage.pixels(Spacing.medium))
        let all = Destination.all(hasPlayer: hasPlayer)
        let width = room.width - 2 * inset - stage.pixels(Metrics.tabSymbol) - gap
        let letters = hasWords ? stage.letters(all.map { $0.name }, .activeSidebar, width: width) : 1
        for item in all {
            let isActive = item.tab == active
            if item.tab == .player && room.height < height { break }
            let cell = room.cutTop(height, gap: gap)
            if isActive { picture.canvas.fill(cell, radius: stage.pixels(Radius.chip), with: theme.selection) }
            let color = isActive ? theme.accent : theme.text
            var inner = cell
            if hasWords { _ = inner.cutLeft(inset) }
            let icon = hasWords ? inner.cutLeft(stage.pixels(Metrics.tabSymbol), gap: inset) : inner
            picture.draw(item.symbol(isActive), in: icon, points: Metrics.tabSymbol, color)
            if hasWords {
                _ = inner.cutRight(gap)
                let style: TypeStyle = isActive ? .activeSidebar : .sidebar
                picture.write(item.name, style.scaled(by: letters), in: inner, color)
            }
            picture.add(tab: item, cell, isActive: isActive)
        }
    }
}
