// SPDX-License-Identifier: Apache-2.0
/// Sizes of things, in points.
public enum Metrics {
    /// The least side of a touch area.
    public static let target: Float = 44
    public static let playButton: Float = 60
    /// The play button on wide panels that are high enough.
    public static let largePlayButton: Float = 80
    public static let controlsHeight: Float = 80
    /// The gap between the buttons of a player.
    public static let controlsSpacing: Float = 28
    public static let tabBarHeight: Float = 60
    public static let rowHeight: Float = 80
    /// The size of an element under a finger, relative to its own.
    public static let pressedButton: Float = 0.96
    public static let pressedCard: Float = 0.98
    /// The initial size of a card that comes in, relative to its own.
    public static let enteringCard: Float = 0.8
    public static let chartHeight: Float = 72
    public static let chartBar: Float = 22
    public static let sparkHeight: Float = 24
    /// The width of a sparkline's bar with its gap.
    public static let sparkStep: Float = 4
    public static let lowRowHeight: Float = 56
    public static let rowThumbnail: Float = 60
    /// The side of artwork on tall panels, as a part of the height.
    public static let artworkPart: Float = 0.7
    public static let televisionArtwork: Float = 300
    /// The side of artwork on high panels, as a part of the height.
    public static let televisionArtworkPart: Float = 0.55
    /// The largest side of artwork on wide panels, as a part of the width.
    public static let artworkWidthPart: Float = 0.45
    /// The opacity of an author under the title.
    public static let artistOpacity: Float = 0.8
    /// The symbol of missing artwork, as a part of the artwork's side.
    public static let placeholderPart: Float = 0.42
    /// The distance of the circle's center below a skip symbol's, as a part of the symbol.
    public static let skipMiddle: Float = 0.0375
    public static let progressHeight: Float = 6
    /// The gap between chapters on the progress bar, and the least width of a chapter.
    public static let chapterGap: Float = 2
    public static let chapterLeast: Float = 6
    public static let knob: Float = 14
    public static let pillHeight: Float = 26
    public static let symbol: Float = 26
    public static let skipSymbol: Float = 34
    public static let playSymbol: Float = 34
    /// The smallest size of the signs of play and pause during their change, as a part of their own.
    public static let signLeast: Float = 0.6
    public static let tabSymbol: Float = 24
    /// The standard deviation of the blur of artwork during playback.
    public static let artworkBlur: Float = 10
    /// The blur of artwork that fills the screen as a background: paused, and during playback.
    public static let roomBlur: (paused: Float, playing: Float) = (18, 36)
    /// The least veil over that background, for readable words.
    public static let roomDim: (paused: Float, playing: Float) = (0.3, 0.45)
    /// The mean difference of two covers, of 255, above which their cross-fade takes longer.
    public static let calmDifference: Float = 80
    /// The symbol beside a trouble.
    public static let troubleSign: Float = 28
    /// The mean luminance below which a picture gets white letters.
    public static let darkPicture: Float = 0.18
    public static let glassBlur: Float = 12
    public static let focusRing: Float = 3
    public static let ringWidth: Float = 4
    /// The tick in a full ring, as a part of the ring.
    public static let tickPart: Float = 0.6
    public static let buttonSymbol: Float = 18
    public static let buttonPadding: Float = 20
    /// The turning arc of a busy sign, as a part of the circle.
    public static let loadingPart: Float = 0.7
    public static let chipHeight: Float = 34
    public static let sidebarCompact: Float = 68
    public static let sidebarRegular: Float = 220
    public static let sidebarItem: Float = 44
    /// A mouse's arrow.
    public static let pointer: Float = 22
    /// The widest key of a keyboard on the panel.
    public static let keyMost: Float = 64
    /// The cover above the chapters of a book.
    public static let detailCover: Float = 120
    public static let miniBarHeight: Float = 64
    public static let miniBarArtwork: Float = 48
    public static let fullBarHeight: Float = 88
    public static let fullBarArtwork: Float = 64
    public static let fullBarButton: Float = 48
    public static let fullBarSkip: Float = 32
    public static let fullBarInfo: Float = 200
    public static let sliderTrack: Float = 4
    public static let sliderThumb: Float = 20
    public static let volumeWidth: Float = 120
    /// The length of the volume bar on a cover.
    public static let volumeBar: Float = 30
    public static let volumeBarMost: Float = 220
    public static let controlsWidth: Float = 200
    public static let bareTabsHeight: Float = 48
    public static let cardLeast: Float = 150
    public static let cardMost: Float = 250
    public static let gridSpacing: Float = 20
    public static let bookRing: Float = 28
    public static let bookRingDisc: Float = 38
    public static let switchWidth: Float = 51
    public static let switchHeight: Float = 31
    public static let switchInset: Float = 2
    public static let settingHeight: Float = 52
    /// The largest side of a QR code.
    public static let codeMost: Float = 180
    public static let emptySymbol: Float = 56
    public static let menuWidth: Float = 250
    public static let toastHeight: Float = 48
    public static let grabberWidth: Float = 36
    public static let grabberHeight: Float = 5
    public static let spinner: Float = 26
    /// The least width of a cover set in type.
    public static let typesetCover: Float = 100
    /// The light that a gradient keeps under a typeset cover, and the gain of its saturation.
    public static let coverDepth: (light: Float, dark: Float, night: Float) = (0.48, 0.36, 0.1)
    public static let coverChroma = 4
    /// The opacity of the white frame on a typeset cover.
    public static let coverFrame: Float = 0.35
    /// The opacity of the text color along the edge of covers.
    public static let coverEdge: Float = 0.12
    /// The distance of a pull that reloads a list.
    public static let pullDistance: Float = 64
    /// The distance of a swipe that deletes a row.
    public static let swipeDistance: Float = 100
    public static let deleteWidth: Float = 84
    /// The opacity of an edge that replaces a fill at night.
    public static let nightEdge: Float = 0.3
    /// The opacity of the edge around the selected choice at night: 3:1.
    public static let nightChoice: Float = 0.6
    /// The part of the background's light that is removed at night.
    public static let nightRoomDim: Float = 0.75
    /// The smallest letters for a text without enough room, as a part of their designed size.
    public static let leastLetters: Float = 0.8
    /// The factor from one tried size to the next smaller one.
    public static let letterStep: Float = 0.95
    /// The least height of the night clock, including the date.
    public static let standbyClockLeast: Float = 96
    public static let smallClockLeast: Float = 64
    /// The least size of a clock's letters, relative to those of the date.
    public static let clockBeforeDate: Float = 1.5
    public static let standbyArtwork: Float = 64
    /// The width of the clock's digits, as a part of the panel's.
    public static let clockPart: Float = 0.86
    public static let clockLeading: Float = 0.86
    /// The size of a focused card, relative to its own.
    public static let focusScale: Float = 1.1
    public static let metricRing: Float = 64
    public static let metricRingWidth: Float = 6
    /// The highest value for which a ring shows a number and no tick.
    public static let almostWhole: Float = 0.9999
    public static let metricPillHeight: Float = 28
    /// The width of a placeholder line, as a part of the row's.
    public static let skeletonLine: Float = 0.55
    public static let skeletonShort: Float = 0.25
    /// The heart of a double tap.
    public static let burst: Float = 96
    /// The initial size of its spring.
    public static let burstStart: Float = 0.4
    public static let bounceLeast: Float = 0.8
    public static let bounceMost: Float = 0.35
    /// The top of the spoken sentence, as a part of its area's height: within the upper third.
    public static let readingPlace: Float = 0.16
    /// The least step by which the spoken part of a sentence grows, in points.
    public static let fillStep: Float = 4
    /// The zone in which sentences fade in and out, as a part of the area's height.
    public static let transcriptFade: Float = 0.12
    /// The transcript's height on a paused tall player, as a part of its area. The cover is visible above it.
    public static let pausedTranscriptPart: Float = 0.45
    /// The veil over artwork under a whole page of words, without glass.
    public static let solidVeil: Float = 0.94
    /// The sizes that are tried for a sentence without room for two lines.
    public static let shrunkSentences: [Float] = [0.85, 0.7]
    /// The opacity of a title during playback.
    public static let dimmedTitle: Float = 0.7
}

/// The panel sizes, in points, at which the layout changes.
public enum Breakpoint {
    /// The shorter side below which no heading takes room from the content.
    public static let tinySide: Float = 300
    /// The shorter side below which a header is one line of small type and margins are narrow.
    public static let compactSide: Float = 400
    /// The ratio of width to height above which things stand side by side.
    public static let wideRatio: Float = 1.15
    /// The height from which wide panels have wide margins, and below which they have medium ones.
    public static let roomyHeight: Float = 460
    /// The width from which wide players have a rail of the other screens.
    public static let railWidth: Float = 480
    /// The height from which they have a larger play button.
    public static let largeButtonHeight: Float = 600
    /// The height from which tall players have tabs.
    public static let tabsHeight: Float = 640
    /// The height of the transcript below which its letters are smaller.
    public static let largeSentences: Float = 230
    public static let hugeSentences: Float = 420
    /// The width from which a sidebar has words.
    public static let regularWidth: Float = 1000
    /// The width from which the bar has all controls, including the volume.
    public static let fullBarWidth: Float = 960
    /// The height below which lists have no bar of the playing item, and tabs have no words.
    public static let barsHeight: Float = 400
    public static let noticeWidth: Float = 480
    /// The greatest width of a sheet, a row or a paragraph.
    public static let readableWidth: Float = 640
}

/// The scale from points to a panel's pixels.
public struct PanelScale: Equatable, Sendable {
    /// The number of pixels per point.
    public let factor: Float
    /// The listener's text size, relative to the design.
    public let textSize: Float
    /// The panel's density; nil if the panel does not report its size.
    public let pixelsPerMillimetre: Float?

    public init(factor: Float, textSize: Float = 1, pixelsPerMillimetre: Float? = nil) {
        self.factor = factor
        self.textSize = textSize
        self.pixelsPerMillimetre = pixelsPerMillimetre
    }

    /// Returns the pixels per millimeter by the panel's own claim; nil if it reports none, or an impossible one.
    /// - Parameter millimeters: the reported width.
    public static func pixelsPerMillimetre(width: Int, millimetres: Int?) -> Float? {
        guard let millimetres, (15...1500).contains(millimetres) else { return nil }
        return Float(width) / Float(millimetres)
    }

    /// The smallest letters, in pixels of their size: smaller ones would merge.
    public static let leastText: Float = 11
    /// The size of a touch target on panels that report their size, in millimeters: a fingertip.
    private static let targetMillimetres: Float = 7
    /// The least number of points of a panel's shorter side.
    private static let leastPoints: Float = 300
    /// The least number of points per unit of text size.
    private static let leastPointsOfWords: Float = 110
    /// The least scale. Small panels have fewer than 480 points. Larger panels have more points, not larger things.
    private static let least: Float = 0.85
    private static let mostOfWide: Float = 1.25
    private static let widePixels = 1024

    /// Chooses the scale of a panel. Its shorter side has 480 points, but letters stay readable and targets touchable on the smallest
    /// panels.
    /// - Parameter millimeters: the panel's width; nil if it reports none, or an impossible one.
    public init(width: Int, height: Int, millimetres: Int? = nil, textSize: Float = 1) {
        let short = Float(min(width, height))
        // Eighths keep lines of one point as even as possible.
        var factor = max(PanelScale.least, (short / 480 * 8).rounded() / 8)
        if max(width, height) >= PanelScale.widePixels { factor = min(factor, PanelScale.mostOfWide) }
        let density = PanelScale.pixelsPerMillimetre(width: width, millimetres: millimetres)
        if let density {
            let target = PanelScale.targetMillimetres * density
            factor = max(factor, min(target / Metrics.target, short / PanelScale.leastPoints))
        }
        self.init(factor: factor, textSize: textSize, pixelsPerMillimetre: density)
    }

    /// Limits the text size so that a panel has room for a line of text beside the necessary elements.
    /// - Parameter short: the panel's shorter side, in pixels.
    public func fitting(_ short: Int) -> PanelScale {
        with(textSize: min(textSize, max(1, points(short) / PanelScale.leastPointsOfWords)))
    }

    /// Returns the scale with another text size.
    public func with(textSize: Float) -> PanelScale {
        PanelScale(factor: factor, textSize: textSize, pixelsPerMillimetre: pixelsPerMillimetre)
    }

    public func pixels(_ points: Float) -> Int { Int((points * factor).rounded()) }

    /// Returns the width of a line, in pixels; at least one.
    public func line(_ points: Float) -> Int { max(1, pixels(points)) }

    public func points(_ pixels: Int) -> Float { Float(pixels) / factor }
}
