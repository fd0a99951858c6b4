// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Testing

@testable import Scenes

/// The theme of the night, on every screen.
@Suite struct NightTests {
    private static let block = 32

    /// On tall panels hours stand over minutes, and the digits use the width.
    @Test(arguments: [(480, 800), (300, 500), (800, 480), (320, 240)]) func aClockUsesThePanel(size: (Int, Int)) throws
    {
        let stage = try Screens.stage(size, .night)
        stage.drawnTexts = []
        _ = Screens.gallery(stage, "Up").draw("standby")
        let digits = (stage.drawnTexts ?? []).filter { ["23:07", "23", "07"].contains($0.text) }
        #expect(digits.count == (size.1 > size.0 ? 2 : 1), "\(digits)")
        for text in digits {
            #expect(stage.bounds.contains(text.frame) && !text.isTruncated)
            if size.1 > size.0 { #expect(text.frame.width * 100 > 65 * size.0, "\(text.frame)") }
        }
    }

    /// For any covers: no blue, hardly any light, and every text is readable in amber.
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
                // Letters and signs are lit, and nothing that is filled.
                let isLit = { (x: Int, y: Int) in Color(picture.pixels[y * size.0 + x]).red >= 0x80 }
                for y in stride(from: 0, to: size.1 - NightTests.block, by: 4) {
                    for x in stride(from: 0, to: size.0 - NightTests.block, by: 4)
                    where (0..<64).allSatisfy({ isLit(x + $0 % 8 * 4, y + $0 / 8 * 4) }) {
                        Issue.record("\(name) \(size): filled with light at \(x),\(y)")
                    }
                }
                let mean = light / Float(size.0 * size.1 / 7)
                #expect(mean <= 0.05, "\(name) \(size) artwork \(kind)")
            }
        }
    }
}
