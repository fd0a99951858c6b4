import Design
import Pixels
import Testing

@testable import Scenes

/// The theme of the night, on every screen.
@Suite struct NightTests {
    /// Whatever the covers are: no blue, hardly any light, and every text can be read once it is shown in amber.
    @Test(arguments: Gallery.names) func nobodyIsWoken(name: String) throws {
        for size in [(240, 240), (800, 480), (480, 800)] {
            for (kind, theme) in [(1, Theme.night), (2, .night), (2, Theme.night.withMoreContrast())] {
                let stage = try Screens.stage(size, theme)
                stage.drawnTexts = []
                let picture = try #require(Screens.gallery(stage, "Up", artwork: kind).draw(name))
                NightTone().write(picture.bounds, of: picture, to: picture)
                let texts = stage.drawnTexts ?? []
                #expect(!texts.isEmpty)
                for text in texts where text.contrast < theme.textContrast - 0.05 {
                    Issue.record("\(name) \(size) artwork \(kind): \(text.text) has \(text.contrast)")
                }
                var light = Float(0)
                for index in 0..<size.0 * size.1 {
                    let color = Color(picture.pixels[index])
                    if color.blue != 0 { Issue.record("\(name) \(size): blue at \(index)") }
                    if index % 7 == 0 { light += color.luminance }
                }
                let mean = light / Float(size.0 * size.1 / 7)
                #expect(mean <= 0.1, "\(name) \(size) artwork \(kind)")
            }
        }
    }
}
