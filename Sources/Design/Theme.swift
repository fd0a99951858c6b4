import Pixels

/// Colours by what they are for, in the light and in the dark.
public struct Theme: Equatable, Sendable {
    public let isDark: Bool
    /// Texts stand out at 7:1 and not at 4.5:1.
    public let hasMoreContrast: Bool

    public init(isDark: Bool, hasMoreContrast: Bool = false) {
        self.isDark = isDark
        self.hasMoreContrast = hasMoreContrast
    }

    public static let light = Theme(isDark: false)
    public static let dark = Theme(isDark: true)

    /// What every text has at least against what lies beneath it.
    public var textContrast: Float { hasMoreContrast ? 7 : 4.5 }

    private func role(_ light: UInt32, _ dark: UInt32, _ opacity: Float = 1) -> Color {
        Color(isDark ? dark : light).opacity(opacity)
    }

    // MARK: Surfaces

    public var background: Color { role(0xFFFFFF, 0x000000) }
    public var secondaryBackground: Color { role(0xF2F2F7, 0x1C1C1E) }
    public var row: Color { isDark ? Color(0xFFFFFF).opacity(0.07) : Color(0xF8F8F8).opacity(0.85) }
    public var bar: Color { role(0xFFFFFF, 0x121214) }
    /// What glass adds to what lies beneath it.
    public var glassTint: Color { isDark ? Color(0x000000).opacity(0.3) : Color(0xFFFFFF).opacity(0.7) }
    /// The same by how thick the glass is, 0…3.
    public func material(_ depth: Int) -> Color {
        let opacity: Float =
            switch depth {
            case 0: isDark ? 0.4 : 0.6
            case 1: isDark ? 0.5 : 0.68
            case 2: isDark ? 0.6 : 0.76
            default: isDark ? 0.76 : 0.86
            }
        return role(0xFFFFFF, 0x16161A, opacity)
    }

    /// In the place of glass.
    public func solid(_ depth: Int) -> Color { depth < 2 ? role(0xF6F6FA, 0x1A1A1E) : role(0xFFFFFF, 0x242428) }
    /// Of one pixel around glass.
    public var glassStroke: Color { Color(0xFFFFFF).opacity(0.3) }
    /// Over artwork that fills the screen.
    public var backdropTint: Color { role(0xFFFFFF, 0x000000, 0.4) }
    public var separator: Color { role(0xE0E0E0, 0x38383A) }
    /// Along a sidebar and between the parts of a bar.
    public var sidebarSeparator: Color { text.opacity(isDark ? 0.2 : 0.1) }
    public var placeholder: Color { role(0xC7C7CC, 0x2C2C2E) }
    public var shadow: Color { Color(0x000000) }

    /// Where there is no artwork: deeper than the gradient around it.
    public func placeholder(in around: Gradient) -> Gradient {
        let depth: Float = isDark ? 0.14 : 0.55
        let toward = isDark ? Color(0xFFFFFF) : Color(0x6E6A9E)
        return Gradient(toward.opacity(depth * 0.55).over(around.end), toward.opacity(depth).over(around.start))
    }

    public var placeholderSymbol: Color { Color(0xFFFFFF).opacity(isDark ? 0.35 : 0.75) }

    // MARK: Text

    public var text: Color { role(0x000000, 0xFFFFFF) }
    public var secondaryText: Color { hasMoreContrast ? role(0x4A4A4E, 0xC8C8CE) : role(0x707070, 0xA0A0A6) }
    public var accent: Color { hasMoreContrast ? role(0x00489C, 0x8CC4FF) : role(0x0062CC, 0x4DA3FF) }
    /// On what is filled with the accent.
    public var onAccent: Color { role(0xFFFFFF, 0x00152B) }
    public var favourite: Color { role(0xD70015, 0xFF5A52) }
    public var danger: Color { role(0xC4000F, 0xFF6961) }

    // MARK: Measures and tags

    public var metricLow: Color { role(0xC4000F, 0xFF6961) }
    public var metricMedium: Color { role(0x9A5200, 0xFF9F0A) }
    public var metricHigh: Color { role(0x1A7431, 0x30D158) }
    public var tagHelped: Color { metricHigh }
    public var tagHindered: Color { metricLow }
    public var tagNeutral: Color { secondaryText }
    /// What large numbers are filled with, from left to right.
    public var numberGradient: Gradient {
        isDark ? Gradient(Color(0x8CC4FF), Color(0xD0A8FF)) : Gradient(Color(0x0062CC), Color(0x7A2FBF))
    }
    /// Under the word of a tag and a measure.
    public static let tagCover: Float = 0.14

    // MARK: Standby: as dim as can still be read

    public var standby: Color { Color(0x000000) }
    public var standbyClock: Color { Color(hasMoreContrast ? 0xD8C8B8 : 0xB09888) }
    public var standbyText: Color { Color(hasMoreContrast ? 0xC8B8A8 : 0x9C8878) }
    public var standbyDetail: Color { Color(hasMoreContrast ? 0xB0A090 : 0x8A7868) }

    // MARK: Transcript

    public var currentSentence: Color { role(0xE6F2FF, 0x1D3A5C) }
    public var currentSentenceText: Color { role(0x000000, 0xFFFFFF) }

    // MARK: Controls

    public var playDisc: Color { Color(0xFFFFFF).opacity(0.95) }
    public var playSymbol: Color { Color(0x111114) }
    /// Of the overlay that a player's buttons stand on.
    public var controlsTint: Color { role(0xFFFFFF, 0x000000, 0.3) }
    public var chip: Color { role(0x000000, 0xFFFFFF, 0.08) }
    /// A switch that is on.
    public var switchOn: Color { role(0x248A3D, 0x30D158) }
    public var switchThumb: Color { Color(0xFFFFFF) }
    /// What is chosen in a sidebar.
    public var selection: Color { accent.opacity(0.15) }
    /// Of what is still to come, under its own shape.
    public var skeleton: Color { role(0x000000, 0xFFFFFF, 0.09) }
    public var deleteFill: Color { role(0xC4000F, 0xD70015) }
    /// Over a screen that a sheet or a menu lies on.
    public var scrim: Color { Color(0x000000).opacity(0.4) }
    public var pill: Color { role(0x000000, 0xFFFFFF, 0.1) }
    /// Of a finger on something.
    public var pressed: Color { role(0x000000, 0xFFFFFF, 0.12) }
    /// The heart of a double tap, on any artwork.
    public var burst: Color { Color(0xFFFFFF).opacity(0.92) }
    /// A pill that must be seen on anything.
    public var solidPill: Color { role(0x1C1C1E, 0xE5E5EA) }
    public var solidPillText: Color { role(0xFFFFFF, 0x000000) }
    public var knob: Color { role(0x1C1C1E, 0xFFFFFF) }
    public var track: Color { role(0x000000, 0xFFFFFF, 0.22) }
    public var trackDone: Color { role(0x1C1C1E, 0xFFFFFF) }
}
