// SPDX-License-Identifier: Apache-2.0
import Pixels

/// Colors by purpose. A theme is one literal; other colors follow from its own.
public struct Theme: Equatable, Sendable {
    public let isDark: Bool
    /// True if texts have a contrast of 7:1 instead of 4.5:1.
    public private(set) var hasMoreContrast = false
    /// The least contrast of any drawn text with its background.
    public private(set) var textContrast: Float = 4.5
    /// True if everything is shown through `NightTone`.
    public private(set) var isNight = false
    /// The shade over pictures from outside.
    public private(set) var pictureShade = Color(0x000000, alpha: 0)

    // MARK: Surfaces

    public let background: Color
    public private(set) var row: Color
    public let bar: Color
    /// The tint of glass over its ground.
    public let glassTint: Color
    /// The tint by the thickness of the glass.
    let ultraThinGlass: Color
    let thinGlass: Color
    let regularGlass: Color
    let thickGlass: Color
    /// The solid colors that replace thin and thick glass.
    private(set) var thinSolid: Color
    private(set) var thickSolid: Color
    public let separator: Color
    /// The line along a sidebar and between the parts of a bar.
    public let sidebarSeparator: Color
    public let placeholder: Color
    /// The tint that deepens the gradient of missing artwork, and the symbol on it.
    let placeholderTint: Color
    let placeholderDepth: Float
    public let placeholderSymbol: Color

    // MARK: Text

    public let text: Color
    public private(set) var secondaryText: Color
    public private(set) var accent: Color
    /// The text color on the accent.
    public private(set) var onAccent: Color
    /// The secondary text color and the accent with more contrast.
    private(set) var clearerSecondaryText: Color
    private(set) var clearerAccent: Color
    public let favourite: Color
    public let danger: Color
    public private(set) var currentSentence: Color

    // MARK: Measures and tags

    public let metricLow: Color
    public let metricMedium: Color
    public let metricHigh: Color
    /// The fill of large numbers, from left to right.
    public let numberGradient: Gradient

    // MARK: Controls

    /// The color of a switch that is on.
    public private(set) var switchOn: Color
    public let deleteFill: Color
    /// The color of a pill that must be visible on anything.
    public private(set) var solidPill: Color
    /// The completed part of a progress bar, and the knob at its end.
    public let trackDone: Color

    public static var light: Theme {
        Theme(
            isDark: false,
            background: Color(0xFFFFFF), row: Color(0xF8F8F8).opacity(0.85),
            bar: Color(0xFFFFFF), glassTint: Color(0xFFFFFF).opacity(0.7),
            ultraThinGlass: Color(0xFFFFFF).opacity(0.6), thinGlass: Color(0xFFFFFF).opacity(0.68),
            regularGlass: Color(0xFFFFFF).opacity(0.76), thickGlass: Color(0xFFFFFF).opacity(0.86),
            thinSolid: Color(0xF6F6FA), thickSolid: Color(0xFFFFFF),
            separator: Color(0xE0E0E0), sidebarSeparator: Color(0x000000).opacity(0.1), placeholder: Color(0xC7C7CC),
            placeholderTint: Color(0x6E6A9E), placeholderDepth: 0.55,
            placeholderSymbol: Color(0xFFFFFF).opacity(0.75),
            text: Color(0x000000), secondaryText: Color(0x707070), accent: Color(0x0062CC), onAccent: Color(0xFFFFFF),
            clearerSecondaryText: Color(0x4A4A4E), clearerAccent: Color(0x00489C), favourite: Color(0xD70015),
            danger: Color(0xC4000F),
            currentSentence: Color(0xE6F2FF),
            metricLow: Color(0xC4000F), metricMedium: Color(0x9A5200), metricHigh: Color(0x1A7431),
            numberGradient: Gradient(Color(0x0062CC), Color(0x7A2FBF)),
            switchOn: Color(0x248A3D), deleteFill: Color(0xC4000F), solidPill: Color(0x1C1C1E),
            trackDone: Color(0x1C1C1E))
    }

    public static var dark: Theme {
        Theme(
            isDark: true,
            background: Color(0x000000), row: Color(0xFFFFFF).opacity(0.07),
            bar: Color(0x121214), glassTint: Color(0x000000).opacity(0.3),
            ultraThinGlass: Color(0x16161A).opacity(0.4), thinGlass: Color(0x16161A).opacity(0.5),
            regularGlass: Color(0x16161A).opacity(0.6), thickGlass: Color(0x16161A).opacity(0.76),
            thinSolid: Color(0x1A1A1E), thickSolid: Color(0x242428),
            separator: Color(0x38383A), sidebarSeparator: Color(0xFFFFFF).opacity(0.2), placeholder: Color(0x2C2C2E),
            placeholderTint: Color(0xFFFFFF), placeholderDepth: 0.14,
            placeholderSymbol: Color(0xFFFFFF).opacity(0.35),
            text: Color(0xFFFFFF), secondaryText: Color(0xA0A0A6), accent: Color(0x4DA3FF), onAccent: Color(0x00152B),
            clearerSecondaryText: Color(0xC8C8CE), clearerAccent: Color(0x8CC4FF), favourite: Color(0xFF5A52),
            danger: Color(0xFF6961),
            currentSentence: Color(0x1D3A5C),
            metricLow: Color(0xFF6961), metricMedium: Color(0xFF9F0A), metricHigh: Color(0x30D158),
            numberGradient: Gradient(Color(0x8CC4FF), Color(0xD0A8FF)),
            switchOn: Color(0x30D158), deleteFill: Color(0xD70015), solidPill: Color(0xE5E5EA),
            trackDone: Color(0xFFFFFF))
    }

    /// The theme for eyes that were just closed: the dark one in amber, with dimmed pictures.
    public static var night: Theme {
        var theme = dark
        theme.isNight = true
        theme.textContrast = nightContrast(theme.textContrast)
        theme.pictureShade = Color(0x000000).opacity(0.6)
        theme.row = Color(0xFFFFFF).opacity(0.03)
        theme.switchOn = Color(0x404040)
        (theme.thinSolid, theme.thickSolid) = (Color(0x0C0C0C), Color(0x161616))
        (theme.currentSentence, theme.solidPill) = (Color(0x141414), Color(0x1A1A1A))
        (theme.accent, theme.clearerAccent, theme.onAccent) = (Color(0xF0F0F0), Color(0xFFFFFF), Color(0x000000))
        (theme.secondaryText, theme.clearerSecondaryText) = (Color(0xC8C8C8), Color(0xFFFFFF))
        return theme
    }

    /// Returns the theme with more contrast for texts.
    public func withMoreContrast() -> Theme {
        var theme = self
        (theme.secondaryText, theme.accent) = (clearerSecondaryText, clearerAccent)
        theme.hasMoreContrast = true
        theme.textContrast = isNight ? Theme.nightContrast(7) : 7
        return theme
    }

    /// Returns the contrast to draw so that it appears as `shown` at night, with a margin for rounding.
    private static func nightContrast(_ shown: Float) -> Float { NightTone.contrast(for: shown * 1.03) }
}

/// Colors that follow from a theme's own, or are the same in all.
extension Theme {
    public init(isDark: Bool, hasMoreContrast: Bool = false) {
        let theme = isDark ? Theme.dark : .light
        self = hasMoreContrast ? theme.withMoreContrast() : theme
    }

    // MARK: Surfaces

    /// Returns the tint of glass over its ground, by its thickness, 0…3.
    public func material(_ depth: Int) -> Color {
        switch depth {
        case 0: ultraThinGlass
        case 1: thinGlass
        case 2: regularGlass
        default: thickGlass
        }
    }

    /// Returns the solid color that replaces glass.
    public func solid(_ depth: Int) -> Color { depth < 2 ? thinSolid : thickSolid }
    /// The line of one pixel around glass.
    public var glassStroke: Color { Color(0xFFFFFF).opacity(0.3) }
    public var shadow: Color { Color(0x000000) }
    /// The shade over a screen beneath a sheet or a menu.
    public var scrim: Color { Color(0x000000).opacity(0.4) }

    /// Returns the gradient without artwork: deeper than the gradient around it.
    public func placeholder(in around: Gradient) -> Gradient {
        Gradient(
            placeholderTint.opacity(placeholderDepth * 0.55).over(around.end),
            placeholderTint.opacity(placeholderDepth).over(around.start))
    }

    /// Returns a large area's color: at night a fifth of it.
    func deepened(_ color: Color) -> Color {
        isNight ? Color(0x000000).opacity(0.8).over(color) : color
    }
    /// Returns the lightening of the ground under words.
    private func lift(_ opacity: Float) -> Color { text.opacity(isNight ? opacity * 0.2 : opacity) }

    /// The paper of a QR code: black on white in any theme.
    public var codePaper: Color { Color(0xFFFFFF) }
    public var codeInk: Color { Color(0x000000) }

    // MARK: Text and tags

    public var currentSentenceText: Color { text }
    /// The opacity of the fill under a tag's or a measure's word.
    public var tagCover: Float { isNight ? 0.03 : 0.14 }

    // MARK: Standby: as dim as can still be read

    public var standby: Color { Color(0x000000) }
    public var standbyClock: Color { Color(hasMoreContrast ? 0xD8C8B8 : 0xB09888) }
    public var standbyText: Color { Color(hasMoreContrast ? 0xC8B8A8 : 0x9C8878) }
    public var standbyDetail: Color { Color(hasMoreContrast ? 0xB0A090 : 0x8A7868) }

    // MARK: Controls

    /// The disc of the play button. At night nothing filled gives off light.
    public var playDisc: Color { isNight ? solidPill : Color(0xFFFFFF) }
    public var playSymbol: Color { isNight ? text : Color(0x111114) }
    /// The fill of a selected or primary element: a button, a chip.
    public var fill: Color { isNight ? solidPill : accent }
    public var onFill: Color { isNight ? text : onAccent }
    /// The tint of the overlay under a player's buttons.
    public var controlsTint: Color { background.opacity(0.3) }
    public var chip: Color { lift(0.08) }
    /// The color of placeholder shapes.
    public var skeleton: Color { lift(0.09) }
    public var pill: Color { lift(0.1) }
    /// The veil on a pressed element.
    public var pressed: Color { lift(0.12) }
    public var track: Color { text.opacity(0.22) }
    public var switchThumb: Color { Color(0xFFFFFF) }
    /// The fill of a secondary button.
    public var secondaryFill: Color { accent.opacity(isNight ? 0.02 : 0.15) }
    /// The selected row of a sidebar.
    public var selection: Color { accent.opacity(isNight ? 0.05 : 0.15) }
    /// The heart of a double tap, on any artwork.
    public var burst: Color { Color(0xFFFFFF).opacity(0.92) }
    public var solidPillText: Color { isNight ? text : background }
    public var knob: Color { trackDone }
}
