import Design
import Pixels
import Typography

/// Where things stand on the player: one above the other on tall panels, the artwork beside the words on wide ones.
struct PlayerLayout: Equatable {
    let isWide: Bool
    /// So small, or with words so large, that the header is one line of small type, and margins are narrow.
    let isCompact: Bool
    let margin: Int
    /// The app's title with the date under it.
    var header = PixelRect(x: 0, y: 0, width: 0, height: 0)
    var heart = PixelRect(x: 0, y: 0, width: 0, height: 0)
    var artwork = PixelRect(x: 0, y: 0, width: 0, height: 0)
    /// The title of what plays; on tall panels on the artwork.
    var title = PixelRect(x: 0, y: 0, width: 0, height: 0)
    /// Book and chapter; empty where they stand under the title.
    var details = PixelRect(x: 0, y: 0, width: 0, height: 0)
    var transcript = PixelRect(x: 0, y: 0, width: 0, height: 0)
    var controls = PixelRect(x: 0, y: 0, width: 0, height: 0)
    var bar = PixelRect(x: 0, y: 0, width: 0, height: 0)
    var times = PixelRect(x: 0, y: 0, width: 0, height: 0)
    var hasSmallSentences = false
    /// False where words are so large that title, sentence and buttons need its room.
    var hasDate = true
    /// Empty where there is no room for it.
    var tabs = PixelRect(x: 0, y: 0, width: 0, height: 0)

    init(_ stage: Stage) {
        let scale = stage.scale
        let wide = scale.points(stage.width)
        let high = scale.points(stage.height)
        isWide = wide > high * Breakpoint.wideRatio
        isCompact = stage.isCompact
        let points: Float =
            isWide
            ? (high < Breakpoint.compactSide
                ? Spacing.medium : high < Breakpoint.roomyHeight ? Spacing.large : Spacing.xlarge)
            : (isCompact ? Spacing.related : Spacing.medium)
        margin = scale.pixels(points)
        if isWide { arrangeWide(stage) } else { arrangeTall(stage) }
    }

    private func lineHeight(_ stage: Stage, _ style: TypeStyle) -> Int { stage.style(style).lineHeight }

    func appTitle(_ stage: Stage) -> TypeStyle { isCompact ? TypeStyle.headline.weight(.bold) : .appTitle }
    func date(_ stage: Stage) -> TypeStyle { isCompact ? .footnote : .date }

    private mutating func arrangeHeader(_ stage: Stage, x: Int, y: Int, width: Int) {
        let target = stage.pixels(Metrics.target)
        let height = lineHeight(stage, appTitle(stage)) + (hasDate ? lineHeight(stage, date(stage)) : 0)
        // The heart's own edge, not that of what a finger hits, is in line with the margin.
        let overhang = (target - stage.pixels(Metrics.symbol)) / 2
        heart = PixelRect(x: x + width - target + overhang, y: y, width: target, height: target)
        // In the middle of the first line.
        heart.y = y + (min(height, lineHeight(stage, appTitle(stage))) - target) / 2
        if isCompact { heart.y = y + (height - target) / 2 }
        header = PixelRect(x: x, y: y, width: heart.x - x - stage.pixels(Spacing.small), height: height)
    }

    private mutating func arrangeTall(_ stage: Stage) {
        let small = stage.pixels(Spacing.small)
        arrangeHeader(stage, x: margin, y: margin, width: stage.width - 2 * margin)
        let hasTabs = stage.scale.points(stage.height) >= Breakpoint.tabsHeight
        let tabsHeight = hasTabs ? TabBar.height(stage) : 0
        tabs = PixelRect(x: 0, y: stage.height - tabsHeight, width: stage.width, height: tabsHeight)
        let barHeight = stage.pixels(Metrics.progressHeight)
        let timesHeight = lineHeight(stage, .times)
        let detailsHeight = max(lineHeight(stage, .subheadline), stage.pixels(Metrics.pillHeight))
        // On the smallest panels the times stand beside the bar, and book and chapter with the title.
        let below = isCompact ? timesHeight + small : detailsHeight + small + barHeight + small + timesHeight
        var top = max(header.maxY, isCompact ? heart.maxY : 0) + (isCompact ? small / 2 : small)
        var room = stage.height - tabsHeight - margin - below - small - top
        // Buttons, title and a line of what is said.
        let least =
            stage.pixels(Metrics.controlsHeight + Spacing.medium) + lineHeight(stage, titleStyle)
            + lineHeight(stage, .smallSentence) + 2 * small
        if isCompact && room < least {
            hasDate = false
            arrangeHeader(stage, x: margin, y: margin, width: stage.width - 2 * margin)
            top = max(header.maxY, heart.maxY) + small / 2
            room = stage.height - tabsHeight - margin - below - small - top
        }
        let height = min(room, Int((Float(stage.height) * Metrics.artworkPart).rounded()))
        artwork = PixelRect(x: margin, y: top, width: stage.width - 2 * margin, height: height)
        var y = artwork.maxY + max(small, (room - height) / 2 + small)
        if isCompact {
            times = PixelRect(x: margin, y: y, width: artwork.width, height: timesHeight)
            bar = times
        } else {
            details = PixelRect(x: margin, y: y, width: artwork.width, height: detailsHeight)
            y = details.maxY + small
            bar = PixelRect(x: margin, y: y, width: artwork.width, height: barHeight)
            times = PixelRect(x: margin, y: bar.maxY + small * 3 / 4, width: artwork.width, height: timesHeight)
        }
        // Within the glass that the title stands on, which keeps its distance from the artwork's edge.
        let across = stage.pixels(Spacing.medium)
        let padding = stage.pixels(Spacing.medium)
        arrangeControls(stage)
        title = PixelRect(
            x: artwork.x + across, y: artwork.y + padding, width: artwork.width - 2 * across, height: 0)
        let titleHeight = lineHeight(stage, isCompact ? .headline : .contentTitle) * (isCompact ? 1 : 2)
        title.height = titleHeight
        let edge = stage.pixels(isCompact ? Spacing.small : Spacing.medium)
        let first = title.maxY + (isCompact ? small / 2 : small)
        transcript = PixelRect(
            x: artwork.x + edge, y: first, width: artwork.width - 2 * edge, height: controls.y - small - first)
        hasSmallSentences = stage.scale.points(transcript.height) < Breakpoint.largeSentences
    }

    private mutating func arrangeWide(_ stage: Stage) {
        let small = stage.pixels(Spacing.small)
        let barHeight = stage.pixels(Metrics.progressHeight)
        let timesHeight = max(lineHeight(stage, .times), stage.pixels(Metrics.pillHeight))
        times = PixelRect(
            x: margin, y: stage.height - margin - timesHeight + small / 2, width: stage.width - 2 * margin,
            height: timesHeight)
        bar = PixelRect(x: margin, y: times.y - small / 2 - barHeight, width: times.width, height: barHeight)
        let gap = stage.pixels(isCompact ? Spacing.medium : Spacing.large)
        let room = bar.y - gap - margin
        let side = min(
            room, stage.pixels(Metrics.televisionArtwork), Int(Float(stage.width) * Metrics.artworkWidthPart))
        artwork = PixelRect(x: margin, y: margin + (room - side) / 2, width: side, height: side)
        arrangeControls(stage)
        let x = artwork.maxX + (isCompact ? gap : stage.pixels(Spacing.xlarge))
        let width = stage.width - margin - x
        arrangeHeader(stage, x: x, y: margin, width: width)
        let titleHeight =
            lineHeight(stage, titleStyle) * titleLines + lineHeight(stage, .subheadline) * (isCompact ? 1 : 2)
        if isCompact {
            // No room for the app's name: the title stands in its place, the words below it.
            title = PixelRect(x: x, y: margin, width: header.width, height: titleHeight)
            header = PixelRect(x: x, y: margin, width: 0, height: 0)
            heart.y = margin + (lineHeight(stage, titleStyle) - heart.height) / 2
            transcript = PixelRect(
                x: x, y: title.maxY + small, width: width, height: margin + room - title.maxY - small)
        } else {
            title = PixelRect(x: x, y: margin + room - titleHeight, width: width, height: titleHeight)
            let top = max(header.maxY, heart.maxY) + small
            transcript = PixelRect(x: x, y: top, width: width, height: title.y - small - top)
        }
        hasSmallSentences = stage.scale.points(transcript.height) < Breakpoint.largeSentences
    }

    /// Speed and sleep have no line of their own.
    var pillIsInHeader: Bool { isCompact && !isWide }

    /// All that is other while it plays: blur, title, transcript and the button's sign.
    var changing: PixelRect {
        if !isWide { return artwork }
        return artwork.union(title).union(transcript)
    }

    var titleStyle: TypeStyle { isCompact ? (isWide ? .title3 : .headline) : .contentTitle }
    var titleLines: Int { isCompact && !isWide ? 1 : 2 }

    private mutating func arrangeControls(_ stage: Stage) {
        let height = min(stage.pixels(Metrics.controlsHeight), artwork.height)
        controls = PixelRect(x: artwork.x, y: artwork.maxY - height, width: artwork.width, height: height)
    }

    /// Of the overlay: 44, 60 and 44 points, around its middle.
    func buttons(_ stage: Stage) -> (back: PixelRect, play: PixelRect, forward: PixelRect) {
        let target = stage.pixels(Metrics.target)
        let large = stage.pixels(Metrics.playButton)
        let spacing = min(stage.pixels(Metrics.controlsSpacing), (controls.width - 2 * target - large) / 4)
        let play = PixelRect(x: 0, y: 0, width: large, height: large).centred(in: controls)
        let y = controls.y + (controls.height - target) / 2
        return (
            PixelRect(x: play.x - spacing - target, y: y, width: target, height: target), play,
            PixelRect(x: play.maxX + spacing, y: y, width: target, height: target)
        )
    }
}
