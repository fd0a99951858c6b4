// SPDX-License-Identifier: Apache-2.0
/// Sizes of things, in points.
public enum Metrics {
    /// The least touch area.
    public static let target: Float = 44
    public static let playButton: Float = 60
    /// Of wide panels that are high enough.
    public static let largePlayButton: Float = 80
    public static let controlsHeight: Float = 80
    /// Between the buttons of a player.
    public static let controlsSpacing: Float = 28
    public static let tabBarHeight: Float = 60
    public static let rowHeight: Float = 80
    /// So large under a finger, in parts of what they are.
    public static let pressedButton: Float = 0.96
    public static let pressedCard: Float = 0.98
    /// A card that comes in begins so large.
    public static let enteringCard: Float = 0.8
    public static let chartHeight: Float = 72
    public static let chartBar: Float = 22
    public static let sparkHeight: Float = 24
    /// Of a bar of a sparkline, with what is free beside it.
    public static let sparkStep: Float = 4
    public static let lowRowHeight: Float = 56
    public static let rowThumbnail: Float = 60
    /// Of the height, on tall panels.
    public static let artworkPart: Float = 0.7
    public static let televisionArtwork: Float = 300
    /// Of the height on high ones.
    public static let televisionArtworkPart: Float = 0.55
    /// Of the width, on wide panels, at most.
    public static let artworkWidthPart: Float = 0.45
    /// The opacity of an author under the title.
    public static let artistOpacity: Float = 0.8
    /// The sign of what has no artwork, as a part of the artwork's side.
    public static let placeholderPart: Float = 0.42
    /// By how much the middle of a skip symbol's circle lies below its own, as a part of it.
    public static let skipMiddle: Float = 0.0375
    public static let progressHeight: Float = 6
    /// Between chapters on it, and the shortest of them that is told from the next.
    public static let chapterGap: Float = 2
    public static let chapterLeast: Float = 6
    public static let knob: Float = 14
    public static let pillHeight: Float = 26
    public static let symbol: Float = 26
    public static let skipSymbol: Float = 34
    public static let playSymbol: Float = 34
    /// From so small, as a part of it, the signs of play and pause come and go.
    public static let signLeast: Float = 0.6
    public static let tabSymbol: Float = 24
    /// The Gaussian's, of artwork while it plays.
    public static let artworkBlur: Float = 10
    /// Of artwork that fills the screen behind all else: paused, and while it plays.
    public static let roomBlur: (paused: Float, playing: Float) = (18, 36)
    /// The least veil over it, for readable words.
    public static let roomDim: (paused: Float, playing: Float) = (0.3, 0.45)
    /// Covers that differ by more, of 255, take longer to give way to each other.
    public static let calmDifference: Float = 80
    /// Beside what hinders the speaker.
    public static let troubleSign: Float = 28
    /// A picture that is darker on an average has white letters on it.
    public static let darkPicture: Float = 0.18
    public static let glassBlur: Float = 12
    public static let focusRing: Float = 3
    public static let ringWidth: Float = 4
    /// The tick in a whole ring, as a part of it.
    public static let tickPart: Float = 0.6
    public static let buttonSymbol: Float = 18
    public static let buttonPadding: Float = 20
    /// The turning part of a waiting sign.
    public static let loadingPart: Float = 0.7
    public static let chipHeight: Float = 34
    public static let sidebarCompact: Float = 68
    public static let sidebarRegular: Float = 220
    public static let sidebarItem: Float = 44
    /// A mouse's arrow.
    public static let pointer: Float = 22
    /// The widest key of a keyboard on the panel.
    public static let keyMost: Float = 64
    /// Above the chapters of a book.
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
    /// Of the bar that stands on a cover while a finger changes the volume.
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
    /// Of a code for a camera.
    public static let codeMost: Float = 180
    public static let emptySymbol: Float = 56
    public static let menuWidth: Float = 250
    public static let toastHeight: Float = 48
    public static let grabberWidth: Float = 36
    public static let grabberHeight: Float = 5
    public static let spinner: Float = 26
    /// The least width of a cover set in type.
    public static let typesetCover: Float = 100
    /// The light that a gradient keeps on it, and the gain of its colors' saturation.
    public static let coverDepth: (light: Float, dark: Float, night: Float) = (0.48, 0.36, 0.1)
    public static let coverChroma = 4
    /// Of white, along the frame on it.
    public static let coverFrame: Float = 0.35
    /// Of the text colour, along the edge of covers.
    public static let coverEdge: Float = 0.12
    /// As far a list is pulled down to be read again.
    public static let pullDistance: Float = 64
    /// As far a row is swiped to be deleted.
    public static let swipeDistance: Float = 100
    public static let deleteWidth: Float = 84
    /// Of an edge in the place of a fill, at night.
    public static let nightEdge: Float = 0.3
    /// The same, around the chosen one of several: 3:1.
    public static let nightChoice: Float = 0.6
    /// Of the light of a room around a cover so much is taken at night.
    public static let nightRoomDim: Float = 0.75
    /// Letters that have no room are so small at the least, as a part of their designed size.
    public static let leastLetters: Float = 0.8
    /// Each size that is tried on the way there is this part of the one before.
    public static let letterStep: Float = 0.95
    /// The clock of standby has at least so much, date and all.
    public static let standbyClockLeast: Float = 96
    public static let smallClockLeast: Float = 64
    /// The letters of a clock are so much larger than those of the date below it, at the least.
    public static let clockBeforeDate: Float = 1.5
    public static let standbyArtwork: Float = 64
    /// Of the panel's width, that the digits of a clock have.
    public static let clockPart: Float = 0.86
    public static let clockLeading: Float = 0.86
    /// The size of a focused card.
    public static let focusScale: Float = 1.1
    public static let metricRing: Float = 64
    public static let metricRingWidth: Float = 6
    /// A ring with a number in it has no tick, however full it is.
    public static let almostWhole: Float = 0.9999
    public static let metricPillHeight: Float = 28
    /// A recessed line of a skeleton, as a part of the row's width.
    public static let skeletonLine: Float = 0.55
    public static let skeletonShort: Float = 0.25
    /// The heart of a double tap.
    public static let burst: Float = 96
    /// The start of its spring: from so small.
    public static let burstStart: Float = 0.4
    public static let bounceLeast: Float = 0.8
    public static let bounceMost: Float = 0.35
    /// The top of the spoken sentence, as a part of its area's height: within the upper third.
    public static let readingPlace: Float = 0.16
    /// The spoken part of a sentence grows by no less, in points.
    public static let fillStep: Float = 4
    /// As a part of the area's height: there sentences fade in and out.
    public static let transcriptFade: Float = 0.12
    /// Of its height, where a tall player is paused: above it the cover is seen.
    public static let pausedTranscriptPart: Float = 0.45
    /// The veil over artwork under a whole page of words, without glass.
    public static let solidVeil: Float = 0.94
    /// Letters of a sentence become so much smaller where two lines of it have no room.
    public static let shrunkSentences: [Float] = [0.85, 0.7]
    /// The opacity of a title during playback.
    public static let dimmedTitle: Float = 0.7
}

/// From which measures on, in points, a panel is laid out otherwise.
public enum Breakpoint {
    /// With a shorter side below it no heading takes room from what a person came for.
    public static let tinySide: Float = 300
    /// With a shorter side below it a header is one line of small type, and margins are narrow.
    public static let compactSide: Float = 400
    /// As wide as that many heights: things stand beside each other.
    public static let wideRatio: Float = 1.15
    /// Wide panels have wide margins from this height on, and medium ones below.
    public static let roomyHeight: Float = 460
    /// Wide players have a rail of the other screens from this width on.
    public static let railWidth: Float = 480
    /// And a larger button from this height on.
    public static let largeButtonHeight: Float = 600
    /// Tall players have tabs from this height on.
    public static let tabsHeight: Float = 640
    /// With less height for the transcript its letters are smaller.
    public static let largeSentences: Float = 230
    public static let hugeSentences: Float = 420
    /// A sidebar with words in it.
    public static let regularWidth: Float = 1000
    /// From here on a bar has room for all controls, the volume among them.
    public static let fullBarWidth: Float = 960
    /// Lower lists have no bar for what is playing, and a row of tabs without words.
    public static let barsHeight: Float = 400
    public static let noticeWidth: Float = 480
    /// No sheet, row or paragraph is wider.
    public static let readableWidth: Float = 640
}

/// From points to the pixels of a panel.
public struct PanelScale: Equatable, Sendable {
    /// Pixels for a point.
    public let factor: Float
    /// A person's size of text, relative to the design: 1 for as designed.
    public let textSize: Float
    /// Nil where the panel does not say how large it is.
    public let pixelsPerMillimetre: Float?

    public init(factor: Float, textSize: Float = 1, pixelsPerMillimetre: Float? = nil) {
        self.factor = factor
        self.textSize = textSize
        self.pixelsPerMillimetre = pixelsPerMillimetre
    }

    /// Returns the pixels per millimeter by the panel's own claim; nil where it does not say it, or lies.
    /// - Parameters: its width.
    public static func pixelsPerMillimetre(width: Int, millimetres: Int?) -> Float? {
        guard let millimetres, (15...1500).contains(millimetres) else { return nil }
        return Float(width) / Float(millimetres)
    }

    /// No letters are lower, in pixels of their size: below it they run into each other.
    public static let leastText: Float = 11
    /// Targets are as large as a fingertip wants, where a panel says how large it is.
    private static let targetMillimetres: Float = 7
    /// But so many points are left to its shorter side.
    private static let leastPoints: Float = 300
    /// So many for each time that words are as large as designed.
    private static let leastPointsOfWords: Float = 110
    /// Small panels have less than 480 points, and wide ones more: they have room for more and not for larger things.
    private static let least: Float = 0.85
    private static let mostOfWide: Float = 1.25
    private static let widePixels = 1024

    /// Chooses the scale of a panel: 480 points for its shorter side, but letters that can be read and targets that can be hit on the
    /// smallest.
    /// - Parameter millimetres: its width; nil where the panel does not say it, or lies.
    public init(width: Int, height: Int, millimetres: Int? = nil, textSize: Float = 1) {
        let short = Float(min(width, height))
        // Eighths, so that lines of a point are as even as they can be.
        var factor = max(PanelScale.least, (short / 480 * 8).rounded() / 8)
        if max(width, height) >= PanelScale.widePixels { factor = min(factor, PanelScale.mostOfWide) }
        let density = PanelScale.pixelsPerMillimetre(width: width, millimetres: millimetres)
        if let density {
            let target = PanelScale.targetMillimetres * density
            factor = max(factor, min(target / Metrics.target, short / PanelScale.leastPoints))
        }
        self.init(factor: factor, textSize: textSize, pixelsPerMillimetre: density)
    }

    /// Words no larger than a panel has room for a line of them beside what else must stand there.
    /// - Parameter short: its shorter side, in pixels.
    public func fitting(_ short: Int) -> PanelScale {
        with(textSize: min(textSize, max(1, points(short) / PanelScale.leastPointsOfWords)))
    }

    /// The same for another size of text.
    public func with(textSize: Float) -> PanelScale {
        PanelScale(factor: factor, textSize: textSize, pixelsPerMillimetre: pixelsPerMillimetre)
    }

    public func pixels(_ points: Float) -> Int { Int((points * factor).rounded()) }

    /// A line of at least one pixel.
    public func line(_ points: Float) -> Int { max(1, pixels(points)) }

    public func points(_ pixels: Int) -> Float { Float(pixels) / factor }
}
