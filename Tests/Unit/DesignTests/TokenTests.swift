// SPDX-License-Identifier: Apache-2.0
import Pixels
import Testing

@testable import Design

/// The tokens, one by one, as the product documents give them.
@Suite struct Tokens {
    @Test func spacing() {
        #expect(
            [Spacing.micro, Spacing.mini, Spacing.small, Spacing.medium, Spacing.large, Spacing.xlarge, Spacing.huge]
                == [2, 4, 8, 16, 24, 32, 48])
        // 002 names 12 between related items; 004 names 20 between components, and between cards.
        #expect(Spacing.related == 12 && Metrics.gridSpacing == 20 && Spacing.rows == 16)
    }

    @Test func elevenTypeStyles() {
        let wanted: [(TypeStyle, TypeStyle)] = [
            (.largeTitle, TypeStyle(34, 41, .bold)), (.title1, TypeStyle(28, 34, .bold)),
            (.title2, TypeStyle(22, 28, .semibold)), (.title3, TypeStyle(20, 24, .semibold)),
            (.headline, TypeStyle(17, 22, .semibold)), (.body, TypeStyle(17, 22, .regular)),
            (.callout, TypeStyle(16, 21, .regular)), (.subheadline, TypeStyle(15, 20, .regular)),
            (.footnote, TypeStyle(13, 18, .regular)), (.caption1, TypeStyle(12, 16, .regular)),
            (.caption2, TypeStyle(11, 13, .regular)),
        ]
        for (style, token) in wanted { #expect(style == token) }
    }

    /// 003's own.
    @Test func typeOfThePlayerAndTheFavourites() {
        #expect(TypeStyle.appTitle == TypeStyle(28, 34, .bold))
        #expect(TypeStyle.date.size == 18 && TypeStyle.date.weight == .regular)
        #expect(TypeStyle.contentTitle.size == 24 && TypeStyle.contentTitle.weight == .bold)
        #expect(TypeStyle.screenTitle.size == 20 && TypeStyle.screenTitle.weight == .bold)
        #expect(TypeStyle.section.size == 24 && TypeStyle.section.weight == .bold)
        #expect(TypeStyle.rowTitle.size == 16 && TypeStyle.rowTitle.weight == .medium)
        #expect(TypeStyle.rowDetail.size == 14 && TypeStyle.rowDetail.weight == .regular)
        #expect(TypeStyle.tab.size == 12 && TypeStyle.tab.weight == .regular && TypeStyle.activeTab.weight == .bold)
        #expect(TypeStyle.sentence.weight == .regular)
        #expect(TypeStyle.cascade.size == 44 && TypeStyle.cascade.weight == .light)
        #expect(TypeStyle.cardTitle == .title3 && TypeStyle.cardArtist == .subheadline)
        #expect(TypeStyle.metricValue.size == 22 && TypeStyle.metricValue.weight == .bold)
    }

    @Test func radiiAndElevations() {
        #expect(Radius.card == 12 && Radius.sheet == 16 && Radius.chip == 8 && Radius.button == 12)
        #expect(Radius.glassCard == 20 && Radius.artwork == 16 && Radius.thumbnail == 8)
        #expect(Radius.televisionArtwork == 24 && Radius.fullBarArtwork == 10)
        #expect(Elevation.low == Elevation(opacity: 0.1, blur: 3, down: 1))
        #expect(Elevation.medium == Elevation(opacity: 0.15, blur: 8, down: 4))
        #expect(Elevation.high == Elevation(opacity: 0.2, blur: 16, down: 8))
        #expect(Elevation.artwork == Elevation(opacity: 0.1, blur: 4, down: 2))
        #expect(Elevation.glass == Elevation(opacity: 0.05, blur: 8, down: 0))
        #expect(Elevation.focused.blur == 20 && Elevation.focused.down == 10 && Metrics.focusScale == 1.1)
    }

    @Test func sizes() {
        #expect(Metrics.target == 44 && Metrics.playButton == 60 && Metrics.controlsHeight == 80)
        #expect(Metrics.artworkPart == 0.7 && Metrics.televisionArtwork == 300 && Metrics.progressHeight == 6)
        #expect(Metrics.tabBarHeight == 60 && Metrics.rowHeight == 80 && Metrics.rowThumbnail == 60)
        #expect(Metrics.miniBarHeight == 64 && Metrics.miniBarArtwork == 48)
        #expect(Metrics.fullBarHeight == 88 && Metrics.fullBarArtwork == 64 && Metrics.fullBarButton == 48)
        #expect(Metrics.fullBarInfo == 200 && Metrics.controlsWidth == 200 && Metrics.volumeWidth == 120)
        #expect(Metrics.fullBarSkip == 32 && Metrics.sliderTrack == 4 && Metrics.sliderThumb == 20)
        #expect(Metrics.sidebarCompact == 68 && Metrics.sidebarRegular == 220 && Metrics.sidebarItem == 44)
        #expect(Metrics.cardLeast == 150 && Metrics.cardMost == 250)
        #expect(Metrics.artworkBlur == 10 && Metrics.glassBlur == 12 && Metrics.dimmedTitle == 0.7)
        #expect(Metrics.artistOpacity == 0.8 && Metrics.buttonPadding == 20)
    }

    @Test func motion() {
        #expect(Motion.playback == 0.3 && Motion.sentence == 0.2 && Motion.content == 0.6 && Motion.scrollPause == 5)
        #expect(Motion.cascadeStagger == 0.012 && Motion.cascadeOffset == 6 && Motion.screenOffset == 12)
        #expect(Motion.overlay == 0.25 && Motion.quick == 0.15 && Motion.focus == 0.2)
        #expect(Spring.like == Spring(response: 0.3, dampingFraction: 0.6))
        #expect(Spring.press == Spring(response: 0.3, dampingFraction: 0.7))
        #expect(Spring.grid == Spring(response: 0.4, dampingFraction: 0.8))
        #expect(Spring.entrance == Spring(stiffness: 130, damping: 12))
    }

    @Test func colours() {
        let (light, dark) = (Theme.light, Theme.dark)
        #expect(light.text == Color(0x000000) && dark.text == Color(0xFFFFFF))
        #expect(light.secondaryText == Color(0x707070))
        #expect(light.currentSentence == Color(0xE6F2FF) && light.currentSentenceText == Color(0x000000))
        #expect(light.separator == Color(0xE0E0E0) && light.bar == Color(0xFFFFFF))
        #expect(light.row.pixel == 0xFFF8_F8F8)
        #expect(light.glassTint == Color(0xFFFFFF).opacity(0.7) && dark.glassTint == Color(0x000000).opacity(0.3))
        #expect(light.controlsTint.alpha == Color(0).opacity(0.3).alpha && dark.controlsTint == Color(0).opacity(0.3))
        #expect(light.glassStroke == Color(0xFFFFFF).opacity(0.3) && dark.glassStroke == light.glassStroke)
        #expect(light.selection == light.accent.opacity(0.15))
        #expect(light.placeholder == Color(0xC7C7CC) && dark.placeholder == Color(0x2C2C2E))
    }

    /// Each measure's colour can be read on every gradient, under its own tint.
    @Test func measuresCanBeRead() {
        for isDark in [false, true] {
            let theme = Theme(isDark: isDark)
            for color in [theme.metricLow, theme.metricMedium, theme.metricHigh] {
                #expect(color.contrast(with: theme.background) >= 4.5)
            }
        }
    }

    /// The twelve of 004, from top left to bottom right, in its order.
    @Test func twelveGradients() {
        let wanted: [(UInt32, UInt32, UInt32, UInt32)] = [
            (0xFDE4D2, 0xF9C7D6, 0x362128, 0x412932), (0xD3F6F1, 0xB7E8F4, 0x13313D, 0x14444F),
            (0xE9E7FD, 0xDCD3F9, 0x24203B, 0x2E2946), (0xDFF2FD, 0xD8DEFF, 0x15283A, 0x1C2541),
            (0xE8F9E3, 0xFFF0CB, 0x29372A, 0x3A3724), (0xFFF8DB, 0xFFE4C2, 0x3B3623, 0x46341F),
            (0xE6FAFF, 0xE9E6FF, 0x1F3540, 0x252B4A), (0xFCD5E8, 0xE5D1F8, 0x3A2436, 0x301E41),
            (0xFEE3D6, 0xEBD6F5, 0x3A2723, 0x33263B), (0xE5F8D4, 0xCBF1E2, 0x283827, 0x1F4033),
            (0xFDE6D4, 0xF7E1FD, 0x3D2720, 0x2F233A), (0xF3D8F2, 0xD8E1FF, 0x3A2638, 0x212849),
        ]
        #expect(GradientToken.allCases.count == wanted.count)
        for (token, colors) in zip(GradientToken.allCases, wanted) {
            #expect(token.gradient(in: .light) == Gradient(Color(colors.0), Color(colors.1)))
            #expect(token.gradient(in: .dark) == Gradient(Color(colors.2), Color(colors.3)))
        }
    }
}

/// The sizes of things on a panel.
@Suite struct PanelScales {
    @Test(arguments: [
        (240, 240, 23), (320, 240, 58), (480, 320, 73), (800, 480, 154), (1024, 600, 154), (1920, 1080, 223),
    ])
    func targetsAreAsLargeAsFingertips(width: Int, height: Int, millimetres: Int) {
        let scale = PanelScale(width: width, height: height, millimetres: millimetres)
        let target = Float(scale.pixels(Metrics.target)) * Float(millimetres) / Float(width)
        // Of the smallest too little would be left.
        let hasRoom = scale.points(min(width, height)) > 301
        #expect(target >= 6.9 || !hasRoom, "\(target) mm")
        #expect(scale.points(min(width, height)) >= 280)
    }

    @Test func withoutMillimetresItGoesByPixels() {
        func factor(_ width: Int, _ height: Int, _ millimetres: Int? = nil) -> Float {
            PanelScale(width: width, height: height, millimetres: millimetres).factor
        }
        #expect(factor(240, 240) == 0.85 && factor(320, 240) == 0.85 && factor(480, 320) == 0.85)
        #expect(factor(800, 480) == 1 && factor(480, 800) == 1)
        // Wide ones have room for more, and not for larger things.
        #expect(factor(1024, 600) == 1.25 && factor(1280, 800) == 1.25 && factor(1920, 1080) == 1.25)
        // What cannot be.
        for lie in [0, 1, -5, 3000, Int.max] { #expect(factor(800, 480, lie) == 1) }
        // A television is far away: nothing becomes smaller for it.
        #expect(factor(1920, 1080, 1200) == 1.25)
    }

    @Test func noLettersAreLowerThanElevenPixels() {
        for style in [TypeStyle.times, .footnote, .caption1, .body] {
            for factor in [Float(0.25), 0.5, 0.85, 1, 2] {
                let size = style.pixels(factor)
                #expect(size.size >= 11 * 64 - 1 && size.lineHeight * 64 >= size.size)
                if factor * style.size >= 11 { #expect(size.size == Int((style.size * factor * 64).rounded())) }
            }
        }
    }
}
