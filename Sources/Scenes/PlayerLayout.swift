// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// The places on the player: one above the other on tall panels, the artwork beside the words on wide ones.
struct PlayerLayout: Equatable {
    let isWide: Bool
    /// True if the panel is so small, or words so large, that the header is one line of small type and margins are narrow.
    let isCompact: Bool
    let margin: Int
    private let bounds: PixelRect
    /// The app's title and the date.
    private(set) var header = PixelRect.zero
    private(set) var heart = PixelRect.zero
    private(set) var artwork = PixelRect.zero
    /// The title of the item; on tall panels it stands on the artwork.
    private(set) var title = PixelRect.zero
    /// The place of book and chapter; empty if they stand under the title.
    private(set) var details = PixelRect.zero
    private(set) var transcript = PixelRect.zero
    /// On wide panels, the room of title and transcript together. A lone title stands in its middle.
    private(set) var rest = PixelRect.zero
    private(set) var hasLargeButton = false
    /// True if words are so large that the times stand beside the bar, and not beside the buttons.
    private(set) var hasTimesBelow = false
    private(set) var controls = PixelRect.zero
    private(set) var bar = PixelRect.zero
    private(set) var times = PixelRect.zero
    /// The style of the spoken sentence. Its letters shrink before the title goes.
    private(set) var sentence = TypeStyle.sentence
    /// The number of title lines beside a sentence; 0 if the sentence needs all the room.
    private(set) var titleLines = 2
    /// True if a line under the title replaces the lines of book and chapter.
    private(set) var hasTitleDetail = true
    /// False if words are so large that title, sentence and buttons need the date's room.
    private(set) var hasDate = true
    /// True if the heart and the library button stand beside the play buttons, because a header would take too much room.
    private(set) var hasHeartBelow = false
    /// The tabs of other screens, at the bottom of tall panels and at the left of wide ones. Empty without room; then a button leads to the
    /// library.
    private(set) var tabs = PixelRect.zero
    private(set) var rail = PixelRect.zero
    private(set) var way = PixelRect.zero

    init(_ stage: Stage) {
        let scale = stage.scale
        let wide = scale.points(stage.width)
        let high = scale.points(stage.height)
        isWide = wide > high * Breakpoint.wideRatio
        isCompact = stage.isCompact
        bounds = stage.bounds
        let points: Float =
            isWide
            ? (high < Breakpoint.compactSide
                ? Spacing.medium : high < Breakpoint.roomyHeight ? Spacing.large : Spacing.xlarge)
            : (isCompact ? Spacing.related : Spacing.medium)
        margin = scale.pixels(points)
        if isWide { arrangeWide(stage) } else { arrangeTall(stage) }
    }

    /// The styles to try, in this order, for a long title.
    var titleStyles: [TypeStyle] {
        isCompact
            ? [titleStyle, .callout.weight(.semibold), .footnote.weight(.semibold)] : [titleStyle, .title3, .headline]
    }

    func appTitle(_ stage: Stage) -> TypeStyle { isCompact ? TypeStyle.headline.weight(.bold) : .appTitle }
    func date(_ stage: Stage) -> TypeStyle { isCompact ? .footnote : .date }

    private mutating func arrangeHeader(_ stage: Stage, x: Int, y: Int, width: Int) {
        let target = stage.pixels(Metrics.target)
        let height = stage.lineHeight(appTitle(stage)) + (hasDate ? stage.lineHeight(date(stage)) : 0)
        // The heart itself aligns with the margin, not its touch area.
        let overhang = (target - stage.pixels(Metrics.symbol)) / 2
        heart = PixelRect(x: x + width - target + overhang, y: y, width: target, height: target)
        // The heart stands in the middle of the first line.
        heart.y = y + (min(height, stage.lineHeight(appTitle(stage))) - target) / 2
        if isCompact { heart.y = y + (height - target) / 2 }
        if rail.isEmpty && tabs.isEmpty {
            way = heart
            way.x -= target
        }
        let end = way.isEmpty ? heart.x : way.x
        header = PixelRect(x: x, y: y, width: end - x - stage.pixels(Spacing.small), height: height)
    }

    private mutating func arrangeTall(_ stage: Stage) {
        let small = stage.pixels(Spacing.small)
        let hasTabs = stage.scale.points(stage.height) >= Breakpoint.tabsHeight
        tabs = stage.bounds.bottom(hasTabs ? TabBar.height(stage) : 0)
        arrangeHeader(stage, x: margin, y: margin, width: stage.width - 2 * margin)
        let barHeight = stage.pixels(Metrics.progressHeight)
        let timesHeight = stage.lineHeight(.times)
        // Speed and sleep can be touched there, and the bar below.
        let target = stage.pixels(Metrics.target)
        let detailsHeight = max(stage.lineHeight(.subheadline), target)
        let aboveBar = (target - barHeight) / 2
        // On the smallest panels the times stand beside the bar, and book and chapter join the title.
        let lower = isCompact ? timesHeight + small : detailsHeight + aboveBar + barHeight + small + timesHeight
        var top = max(header.maxY, isCompact ? heart.maxY : 0) + (isCompact ? small / 2 : small)
        var room = stage.height - tabs.height - margin - lower - small - top
        // The least room: buttons, title and a line of the sentence.
        let least =
            stage.pixels(Metrics.controlsHeight + Spacing.medium) + stage.lineHeight(titleStyle)
            + 2 * stage.lineHeight(.smallSentence) + 3 * small
        if isCompact && room < least {
            hasDate = false
            arrangeHeader(stage, x: margin, y: margin, width: stage.width - 2 * margin)
            top = max(header.maxY, heart.maxY) + small / 2
            room = stage.height - tabs.height - margin - lower - small - top
        }
        if room < least {
            // The app's name goes before the spoken words.
            hasHeartBelow = true
            (header, top) = (.zero, margin)
            room = stage.height - tabs.height - margin - lower - small - top
        }
        let most = hasHeartBelow ? room : Int((Float(stage.height) * Metrics.artworkPart).rounded())
        let height = min(room, most)
        artwork = PixelRect(x: margin, y: top, width: stage.width - 2 * margin, height: height)
        var below = artwork
        _ = below.cutTop(height + max(small, (room - height) / 2 + small))
        if isCompact {
            times = below.top(timesHeight)
            bar = times
        } else {
            details = below.cutTop(detailsHeight, gap: aboveBar)
            bar = below.cutTop(barHeight, gap: small * 3 / 4)
            times = below.top(timesHeight)
        }
        let controlsHeight = hasHeartBelow ? Metrics.playButton + Spacing.small : Metrics.controlsHeight
        controls = artwork.bottom(min(stage.pixels(controlsHeight), artwork.height))
        if hasHeartBelow { arrangeHeartBelow(stage) }
        // The text stays within the title's glass, which keeps its distance from the artwork's edge.
        let inset = artwork.inset(by: stage.pixels(hasHeartBelow ? Spacing.related : Spacing.medium))
        let edge = stage.pixels(isCompact ? Spacing.small : Spacing.medium)
        let gap = isCompact ? small / 2 : small
        let taken = share(controls.y - small - inset.y, stage, most: isCompact ? 1 : 2, detail: 0, gap: gap)
        let line = stage.lineHeight(titleStyle)
        title = inset.top(line * max(1, titleLines))
        if hasHeartBelow { title = inset.top(max(line, Pill.height(stage))).middle(height: line) }
        let first = titleLines == 0 ? artwork.y + small / 2 : inset.y + taken
        transcript = PixelRect(
            x: artwork.x + edge, y: first, width: artwork.width - 2 * edge, height: controls.y - small - first)
    }

    /// Shares a height between title and sentence. The sentence gets two lines first, if need be in smaller letters, and at least one.
    /// Returns the title's part, with a gap below it.
    /// - Parameters:
    ///   - most: the most lines of the title.
    ///   - detail: the height of the line under it; 0 for none.
    private mutating func share(_ height: Int, _ stage: Stage, most: Int, detail: Int, gap: Int) -> Int {
        // Speed and sleep stand at the end of its first line.
        let line = max(stage.lineHeight(titleStyle), pillIsWithTitle ? Pill.height(stage) : 0)
        let styles = [TypeStyle.smallSentence] + Metrics.shrunkSentences.map { TypeStyle.smallSentence.scaled(by: $0) }
        func title(_ lines: Int, _ hasDetail: Bool) -> Int {
            lines == 0 ? 0 : lines * line + (hasDetail ? detail : 0) + gap
        }
        func fits(_ count: Int, _ style: TypeStyle, _ lines: Int, _ hasDetail: Bool) -> Bool {
            height - title(lines, hasDetail) >= stage.pixels(Spacing.small) + count * stage.lineHeight(style)
        }
        let titles = [(most, true), (1, true), (1, false)]
        var found = titles.first { fits(2, styles[0], $0.0, $0.1) }.map { ($0, styles[0]) }
        found = found ?? styles.first { fits(2, $0, 1, false) }.map { ((1, false), $0) }
        for count in [2, 1] { found = found ?? styles.first { fits(count, $0, 0, false) }.map { ((0, false), $0) } }
        let ((lines, hasDetail), style) = found ?? ((0, false), styles[styles.count - 1])
        (titleLines, hasTitleDetail) = (lines, hasDetail)
        let taken = title(lines, hasDetail)
        sentence = style == styles[0] ? PlayerLayout.sentence(stage, height: height - taken) : style
        return taken
    }

    /// Returns the style of sentences for a height in pixels.
    private static func sentence(_ stage: Stage, height: Int) -> TypeStyle {
        let points = stage.scale.points(height)
        if points >= Breakpoint.hugeSentences * max(1, stage.scale.textSize) { return .hugeSentence }
        return points >= Breakpoint.largeSentences ? .sentence : .smallSentence
    }

    /// Puts heart and library button at the ends of the row of buttons.
    private mutating func arrangeHeartBelow(_ stage: Stage) {
        let target = stage.pixels(Metrics.target)
        heart = controls.right(target).middle(height: target)
        if rail.isEmpty && tabs.isEmpty { way = controls.left(target).middle(height: target) }
    }

    /// Arranges a wide panel: cover beside words, below them the buttons between the times, and the bar at the bottom.
    private mutating func arrangeWide(_ stage: Stage) {
        let (small, target) = (stage.pixels(Spacing.small), stage.pixels(Metrics.target))
        let (wide, high) = (stage.scale.points(stage.width), stage.scale.points(stage.height))
        var room = stage.bounds
        if wide >= Breakpoint.railWidth { rail = room.cutLeft(stage.pixels(Metrics.sidebarCompact)) }
        room = room.inset(x: margin, y: 0)
        hasLargeButton = high >= Breakpoint.largeButtonHeight
        let buttons = stage.pixels(playButton + 2 * Metrics.target + 2 * Metrics.controlsSpacing)
        hasTimesBelow = isCompact || PlayerLayout.widestTime(stage) + small > (room.width - buttons) / 2
        // As high as the touch areas.
        let below = room.cutBottom(max(target, hasTimesBelow ? stage.lineHeight(.times) : 0))
        bar = below.middle(height: stage.pixels(Metrics.progressHeight))
        controls = room.cutBottom(
            stage.pixels(playButton), gap: stage.pixels(isCompact ? Spacing.small : Spacing.medium))
        times = hasTimesBelow ? below : controls
        _ = room.cutTop(margin)
        let most = max(
            stage.pixels(Metrics.televisionArtwork), Int(Float(stage.height) * Metrics.televisionArtworkPart))
        let side = min(room.height, most, Int(Float(room.width) * Metrics.artworkWidthPart))
        let gap = stage.pixels(isCompact ? Spacing.medium : Spacing.xlarge)
        artwork = room.cutLeft(side, gap: gap).middle(height: side)
        if isCompact {
            // There is no room for the clock: the title takes its place, with the words below.
            hasHeartBelow = true
            arrangeHeartBelow(stage)
            rest = room.middle(height: max(artwork.height, 0))
            let taken = share(room.height, stage, most: 2, detail: stage.lineHeight(.subheadline), gap: small)
            title = room.top(max(taken - small, stage.lineHeight(titleStyle)))
            _ = room.cutTop(taken)
            transcript = room
        } else {
            arrangeHeader(stage, x: room.x, y: room.y, width: room.width)
            _ = room.cutTop(max(header.maxY, heart.maxY) - room.y + small)
            rest = room
            title = room.cutBottom(stage.lineHeight(titleStyle) * 2 + stage.lineHeight(.subheadline) * 2, gap: small)
            transcript = room
            sentence = PlayerLayout.sentence(stage, height: transcript.height)
        }
    }

    /// Returns the width of the widest time, in pixels.
    /// - Parameter duration: the longest time, in milliseconds; nil if unknown.
    static func widestTime(_ stage: Stage, _ duration: Int? = nil) -> Int {
        let minutes = (duration ?? .max) / 60_000
        let words = minutes < 60 ? "−00:00" : minutes < 600 ? "−0:00:00" : "−00:00:00"
        return stage.setTime(words, width: stage.width).width
    }

    /// True if the bar stands between the times.
    var isBarBetween: Bool { hasTimesBelow || isCompact && !isWide }

    /// The size of the middle button, in points.
    var playButton: Float { hasLargeButton ? Metrics.largePlayButton : Metrics.playButton }

    /// True if speed and sleep stand in the header, having no line of their own.
    var pillIsInHeader: Bool { isCompact && !isWide && !hasHeartBelow }
    /// True if speed and sleep stand at the end of the title's line.
    var pillIsWithTitle: Bool { !isWide && hasHeartBelow }

    /// The part that differs during playback: blur, title, transcript and the button's sign. On wide panels it includes the background.
    var changing: PixelRect { isWide ? bounds : artwork }

    var titleStyle: TypeStyle {
        if !isCompact { return .contentTitle }
        return isWide ? .title3 : hasHeartBelow ? .callout.weight(.semibold) : .headline
    }

    /// Returns the free places on either side of the buttons on wide panels, as high as a touch area.
    /// - Parameter duration: the recording's length, in milliseconds; nil if unknown.
    func besideButtons(_ stage: Stage, duration: Int?) -> (before: PixelRect, after: PixelRect) {
        let (small, gap) = (stage.pixels(Spacing.small), stage.pixels(isCompact ? Spacing.small : Spacing.medium))
        let buttons = buttons(stage)
        var room = controls.middle(height: stage.pixels(Metrics.target))
        if !hasTimesBelow { room = room.inset(x: PlayerLayout.widestTime(stage, duration) + small, y: 0) }
        var (before, after) = (
            room.left(buttons.back.x - gap - room.x), room.right(room.maxX - buttons.forward.maxX - gap)
        )
        if hasHeartBelow { _ = after.cutRight(heart.width) }
        if hasHeartBelow { _ = before.cutLeft(way.width) }
        return (before, after)
    }

    /// Returns the places of the overlay's buttons: 44, 60 and 44 points, around its middle.
    func buttons(_ stage: Stage) -> (back: PixelRect, play: PixelRect, forward: PixelRect) {
        let target = stage.pixels(Metrics.target)
        let large = stage.pixels(playButton)
        let free = controls.width - (hasHeartBelow ? 4 : 2) * target - large
        let spacing = min(stage.pixels(Metrics.controlsSpacing), free / 4)
        var room = controls.middle(width: large + 2 * (spacing + target))
        return (
            room.cutLeft(target, gap: spacing).middle(height: target),
            controls.middle(width: large, height: large),
            room.cutRight(target).middle(height: target)
        )
    }
}
