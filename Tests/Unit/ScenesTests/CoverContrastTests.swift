// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Testing

@testable import Scenes

/// Every text on a cover can be read on the worst pixel beneath it, for any cover: 4.5:1, and 7:1 with more contrast.
@Suite(.serialized) struct CoverContrast {
    /// Tall, square, wide, and wide with a rail.
    static let panels = [(240, 400), (240, 240), (320, 240), (424, 300)]
    /// Other things on covers: words over the player or over a list of them.
    static let others = ["standby", "toast", "library", "banner", "favourites", "book"]

    private static let themes = [Theme.light, .dark, .night]

    /// Each in every theme, paused and playing, with both contrasts; with glass and, now and then, without it.
    @Test(arguments: 0..<8) func everyTextOfThePlayerCanBeRead(part: Int) throws {
        let stages = try CoverContrast.panels.map { try Screens.stage($0) }
        let state = Players.state("The Wind in the Willows and Other Stories")
        for index in stride(from: part, to: GeneratedCovers.count, by: 8) {
            let cover = GeneratedCovers.cover(index)
            for (number, plain) in CoverContrast.themes.enumerated() {
                let turn = index / 8 + number
                let stage = stages[(turn + part) % 4]
                for hasMore in [false, true] {
                    stage.theme = hasMore ? plain.withMoreContrast() : plain
                    stage.comfort.reducesTransparency = turn % 6 == 1
                    stage.comfort.savesPower = turn % 6 == 4
                    let scene = PlayerScene(stage, artwork: cover, gradient: .butterLemon)
                    // Of the two looks the one that plays has more words on it.
                    for isPlaying in hasMore == (turn % 2 == 0) ? [true] : [false, true] {
                        let texts = scene.compose(state, isPlaying: isPlaying, auditsTexts: true).texts
                        #expect(texts.count >= 5)
                        check(texts, stage, GeneratedCovers.name(index) + (isPlaying ? ", playing" : ", paused"))
                    }
                }
            }
        }
    }

    /// Those on the screens around the player, each cover on one of them in every theme.
    @Test(arguments: 0..<8) func everyTextOfOtherScreensCanBeRead(part: Int) throws {
        let stages = try [(424, 300), (300, 560), (320, 240)].map { try Screens.stage($0) }
        for index in stride(from: part, to: GeneratedCovers.count, by: 8) {
            let cover = GeneratedCovers.cover(index)
            for (number, plain) in CoverContrast.themes.enumerated() {
                let turn = index / 8 + number
                let stage = stages[turn % 3]
                stage.theme = turn % 4 < 2 ? plain : plain.withMoreContrast()
                let name = CoverContrast.others[(index / 10 + index) % CoverContrast.others.count]
                let gallery = Gallery(stage, lines: Screens.lines("The River Bank")) { _, _ in cover }
                stage.drawnTexts = []
                _ = gallery.draw(name)
                check(stage.drawnTexts ?? [], stage, GeneratedCovers.name(index) + ", " + name)
                stage.drawnTexts = nil
            }
        }
    }

    private func check(_ texts: [DrawnText], _ stage: Stage, _ place: String) {
        let theme = stage.theme
        for text in texts where text.contrast < theme.textContrast {
            Issue.record(
                """
                \(place) at \(stage.width)x\(stage.height), dark \(theme.isDark), night \(theme.isNight), more \
                \(theme.hasMoreContrast), blur \(stage.hasBlur): \(text.text) has \(text.contrast) of \(theme.textContrast)
                """)
        }
    }
}
