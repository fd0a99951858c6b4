// SPDX-License-Identifier: Apache-2.0
import Design
import Model
import Pixels
import Testing

@testable import Scenes

/// The spoken sentence comes before the title, the date and the cover, on every panel and at every text size.
@Suite struct SentenceFirst {
    static let panels = [(240, 240), (320, 240), (480, 320), (300, 500), (800, 480), (480, 800)]
    static let textSizes: [Float] = [1, 1.2, 1.5, 2, 3.1]

    private static func state(_ title: String) -> SpeakerStatus {
        var state = Players.state(title)
        state.segments = (0..<30).map { index in
            Segment(
                text: "Sentence \(index) of a long evening, which nobody wanted to end before the tide had turned.",
                startMilliseconds: 35_900_000 + index * 10_000, endMilliseconds: 35_909_000 + index * 10_000)
        }
        return state
    }

    /// Larger letters on panels with room for many lines of them, and for larger ones.
    @Test func aLargePanelHasLargeLetters() throws {
        let sizes = try [(800, 480), (1280, 800), (1920, 1080), (1080, 1920)].map {
            PlayerLayout(try Screens.stage($0, .dark)).sentence.size
        }
        #expect(sizes == [17, 20, 30, 30], "\(sizes)")
    }

    @Test(arguments: panels) func aWholeLineIsSeen(size: (Int, Int)) throws {
        for textSize in SentenceFirst.textSizes {
            for isPlaying in [true, false] {
                for title in Players.titles.prefix(2) {
                    let stage = try Screens.stage(size, .dark, textSize: textSize)
                    let scene = PlayerScene(stage, artwork: Players.artwork(3), gradient: .mintAqua)
                    let state = SentenceFirst.state(title)
                    let composed = scene.compose(state, isPlaying: isPlaying, auditsTexts: true)
                    let spoken = try #require(state.currentSegment.map { state.segments[$0].text })
                    let drawn = composed.texts.first { $0.text == spoken }
                    let place = "\(size), text \(textSize), playing \(isPlaying), \(title.utf8.count) bytes of title"
                    guard let drawn else {
                        Issue.record("no line at \(place)")
                        continue
                    }
                    // All lines that it has, or as many as there is room for.
                    let line = stage.lineHeight(PlayerLayout(stage).sentence)
                    let area = scene.transcriptArea(state, isPlaying: isPlaying)
                    let room = (area.height - stage.pixels(Spacing.small)) / line
                    #expect(drawn.frame.height / line >= min(2, room), "\(place): \(drawn.frame) of \(area)")
                    #expect(composed.surface.bounds.contains(drawn.frame), "\(place)")
                    for other in composed.texts where other != drawn {
                        #expect(other.frame.intersection(drawn.frame).isEmpty, "\(other.text) at \(place)")
                    }
                }
            }
        }
    }
}
