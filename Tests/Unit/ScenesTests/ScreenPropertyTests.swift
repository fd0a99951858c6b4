// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Testing

@testable import Scenes

/// The properties of every screen, with any content and of any size.
@Suite(.serialized) struct ScreenProperties {
    /// Every text can be read on the worst pixel that lies beneath it: 4.5:1, and 7:1 with increased contrast.
    @Test(arguments: Gallery.names) func everyTextCanBeRead(name: String) throws {
        for size in [(240, 240), (800, 480), (480, 800)] {
            for isDark in [false, true] {
                for hasMore in [false, true] {
                    for isSolid in hasMore ? [false] : [false, true] {
                        for kind in [0, 1, 2] {
                            let theme = Theme(isDark: isDark, hasMoreContrast: hasMore)
                            let stage = try Screens.stage(size, theme)
                            stage.comfort.reducesTransparency = isSolid
                            let texts = texts(Screens.gallery(stage, "Up", artwork: kind), stage, name)
                            #expect(!texts.isEmpty)
                            for text in texts where text.contrast < theme.textContrast - 0.05 {
                                Issue.record(
                                    "\(name) \(size) dark \(isDark) more \(hasMore) solid \(isSolid) artwork \(kind): \(text.text) has \(text.contrast)"
                                )
                            }
                        }
                    }
                }
            }
        }
    }

    /// The same at the sizes between, over what is hardest to write on.
    @Test(arguments: Gallery.names) func everyTextCanBeReadAtEverySize(name: String) throws {
        for size in [(320, 240), (480, 320), (1024, 600), (1280, 800)] {
            for isDark in [false, true] {
                for textSize in [Float(1), 2] {
                    let theme = Theme(isDark: isDark)
                    let stage = try Screens.stage(size, theme, textSize: textSize)
                    for text in texts(Screens.gallery(stage, "Up", artwork: 1), stage, name)
                    where text.contrast < theme.textContrast - 0.05 {
                        Issue.record(
                            "\(name) \(size) dark \(isDark) text \(textSize): \(text.text) has \(text.contrast)")
                    }
                }
            }
        }
    }

    /// And on each of the twelve gradients, which any screen may lie on.
    @Test(arguments: GradientToken.allCases) func everyTextCanBeReadOnEveryGradient(token: GradientToken) throws {
        for name in ["player", "library", "chapters", "podcasts", "favourites", "settings", "error", "empty"] {
            for isDark in [false, true] {
                for hasMore in [false, true] {
                    let theme = Theme(isDark: isDark, hasMoreContrast: hasMore)
                    let stage = try Screens.stage((300, 500), theme)
                    let scene = try #require(Screens.gallery(stage, "Up").scene(name))
                    scene.lie(on: token)
                    scene.show(SpeakerStatus(lines: Screens.lines("Up")), at: 0)
                    stage.drawnTexts = []
                    _ = scene.draw(on: Surface(width: 300, height: 500), at: 0)
                    for text in stage.drawnTexts ?? [] where text.contrast < theme.textContrast - 0.05 {
                        Issue.record(
                            "\(name) on \(token) dark \(isDark) more \(hasMore): \(text.text) has \(text.contrast)")
                    }
                }
            }
        }
    }

    /// A large panel that is looked at from near has a sidebar with words and a bar with all controls.
    @Test(arguments: Gallery.names) func largePanelsHaveAllControls(name: String) throws {
        for textSize in [Float(1), 1.2, 2] {
            for title in Screens.titles {
                let stage = try Stage(
                    width: 1280, height: 800, scale: PanelScale(factor: 1, textSize: textSize), theme: .light)
                let gallery = Screens.gallery(stage, title)
                let texts = texts(gallery, stage, name)
                check(texts, on: stage, "\(name) text \(textSize)")
                check(targets: gallery.elements, on: stage, "\(name) text \(textSize)")
                if name == "library" && textSize == 1 {
                    #expect(gallery.elements.contains { $0.label == "Volume" && $0.role == .slider })
                }
            }
        }
    }

    /// Nothing is cut without an ellipsis, leaves the panel, or overlaps another element. The targets of a finger are at least 44 points
    /// large.
    @Test(arguments: Gallery.names) func nothingIsCutOrOverlaps(name: String) throws {
        for size in Screens.sizes {
            for textSize in [Float(1), 1.5, 2, 3.1] {
                // Every script at two of the sizes; a short and a long title at all.
                let isWhole = size == (320, 240) || size == (800, 480)
                for title in isWhole ? Screens.titles : Array(Screens.titles.prefix(2)) {
                    let stage = try Screens.stage(size, .light, textSize: textSize)
                    let gallery = Screens.gallery(stage, title)
                    let texts = texts(gallery, stage, name)
                    let place = "\(name) \(size) text \(textSize)"
                    check(texts, on: stage, place)
                    check(targets: gallery.elements, on: stage, place)
                }
            }
        }
    }

    /// A screen's own file says what its tab, its picture and its page are.
    @Test(arguments: ScreenName.allCases) func everyScreenSaysWhatItIs(name: ScreenName) throws {
        #expect(Destination(name).tab == name)
        #expect(!Destination(name).name.isEmpty)
        #expect(Gallery.names.contains(name.rawValue))
        if name == .player { return }
        let gallery = Screens.gallery(try Screens.stage((800, 480)), "Up")
        _ = gallery.draw(name.rawValue)
        #expect(gallery.elements.filter { $0.role == .tab && $0.isSelected }.map { $0.action } == [.show(name)])
    }

    /// However little room there is: a voice at another speed than its own is said to be so.
    @Test func thePlayerSaysItsSpeed() throws {
        for size in Screens.sizes {
            for textSize in [Float(1), 1.5, 2, 3.1] {
                for title in Screens.titles.prefix(2) {
                    let stage = try Screens.stage(size, .light, textSize: textSize)
                    let texts = texts(Screens.gallery(stage, title), stage, "player")
                    #expect(texts.contains { $0.text == "1.25×" }, "\(size) text \(textSize)")
                }
            }
        }
    }

    private func texts(_ gallery: Gallery, _ stage: Stage, _ name: String) -> [DrawnText] {
        stage.drawnTexts = []
        defer { stage.drawnTexts = nil }
        _ = gallery.draw(name)
        return stage.drawnTexts ?? []
    }

    private func check(_ texts: [DrawnText], on stage: Stage, _ place: String) {
        for fault in ScreenFaults.of(texts, on: stage) { Issue.record("\(place): \(fault)") }
    }

    private func check(targets elements: [Element], on stage: Stage, _ place: String) {
        for fault in ScreenFaults.of(targets: elements, on: stage) { Issue.record("\(place): \(fault)") }
    }
}
