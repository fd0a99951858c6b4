// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Testing

@testable import Scenes

/// The search's words stand out in its results.
@Suite(.serialized) struct FoundWordsTests {
    private func found(_ words: String, in text: String) -> [String] {
        let scalars = Array(text.unicodeScalars)
        return FoundWords(words).places(in: text).map { place in
            var part = String.UnicodeScalarView()
            part.append(contentsOf: scalars[place])
            return String(part)
        }
    }

    @Test func wordsThatBeginSo() {
        #expect(found("wind", in: "The Wind, the window; rewind") == ["Wind", "wind"])
        #expect(found("w wind", in: "windows") == ["wind"])
        #expect(found("é", in: "école Été") == ["é"])
        #expect(found("红", in: "红楼梦") == ["红"])
        #expect(found("", in: "wind").isEmpty && found("wind", in: "").isEmpty && found("'--", in: "a -- 'b").isEmpty)
        #expect(found("don", in: "Don't do") == ["Don"])
    }

    /// In the accent, where it can be read; all else as it was.
    @Test(arguments: [Theme.light, .dark, .night]) func theyStandOut(theme: Theme) throws {
        let stage = try Screens.stage((480, 320), theme)
        func draw(_ words: String) -> [UInt32] {
            let picture = Picture(stage)
            picture.canvas.fill(stage.bounds, with: theme.background)
            let row = ListRow(.song, name: "a", title: "The wind in the willows")
            RowView(row: row, picture: nil, found: FoundWords(words))
                .draw(picture, PixelRect(x: 0, y: 0, width: 480, height: 80))
            return Screens.pixels(picture.surface)
        }
        let (plain, marked, all) = (draw("nothing"), draw("wind"), draw("the wind in willows"))
        let changed = plain.indices.filter { plain[$0] != marked[$0] }
        let changedAll = plain.indices.filter { plain[$0] != all[$0] }
        if theme.isNight { return }
        #expect(changed.count > 30 && changedAll.count > 2 * changed.count)
        // One stretch of one line.
        let columns = changed.map { $0 % 480 }
        #expect(columns.max()! - columns.min()! < 60)
    }
}
