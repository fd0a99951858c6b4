// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Text
import Typography

/// Letters to touch. If ten fit beside each other, Latin letters are laid out as on a typewriter. Small panels, large words and other
/// scripts use the alphabet's order, which needs fewer columns.
struct Keyboard {
    private struct Key {
        var label: String
        var word: String
        var symbol: Symbol?
        var action: Element.TypedKey
        /// The number of columns that the key spans.
        var span = 1
    }

    let layout: KeyboardLayout
    /// The next layout, for the key that switches to it.
    let next: KeyboardLayout
    /// The letters that the library named.
    var told = ToldLetters()

    private static let typewriterColumns = 10

    private func width(_ stage: Stage) -> Int {
        let letter = stage.set("W", .headline, width: stage.width).width
        return max(stage.pixels(Metrics.target), letter + 2 * stage.pixels(Spacing.mini))
    }

    private func columns(_ stage: Stage, _ width: Int) -> Int {
        let gap = stage.pixels(Spacing.mini)
        return max(3, min(Keyboard.typewriterColumns, (width + gap) / (self.width(stage) + gap)))
    }

    private static func letters(_ text: String) -> [Key] {
        text.unicodeScalars.map { Key(label: String($0), word: "", action: .letter($0.value)) }
    }

    private static var erase: Key { Key(label: "", word: translated("Erase"), symbol: .erase, action: .erase) }

    private func rows(_ columns: Int) -> [[Key]] {
        let layer = Key(label: next.label, word: next.name, action: .layer, span: 2)
        let done = Key(label: translated("Done"), word: translated("Done"), action: .done, span: 3)
        if columns == Keyboard.typewriterColumns, let typewriter = layout.typewriter {
            var rows = typewriter.map { Keyboard.letters($0) }
            rows[rows.count - 1].append(Keyboard.erase)
            rows.append([layer, Key(label: "", word: translated("Space"), action: .letter(0x20), span: 5), done])
            return rows
        }
        var keys = Keyboard.letters(layout.letters)
        if layout == .titles {
            keys = Keyboard.letters(told.letters)
            if told.hasMore || told.start > 0 {
                keys.append(Key(label: "…", word: translated("More letters"), action: .more))
            }
        }
        keys.append(Keyboard.erase)
        var rows: [[Key]] = []
        for start in stride(from: 0, to: keys.count, by: columns) {
            let row = keys[start..<min(keys.count, start + columns)]
            rows.append(layout.isRightToLeft ? row.reversed() : Array(row))
        }
        let rest = columns - layer.span
        if rest < 4 {
            let space = Key(label: "", word: translated("Space"), action: .letter(0x20), span: max(1, rest))
            return rows + [
                [layer, space],
                [Key(label: translated("Done"), word: translated("Done"), action: .done, span: columns)],
            ]
        }
        let closing = Key(label: translated("Done"), word: translated("Done"), action: .done, span: max(2, rest / 2))
        return rows + [
            [
                layer, Key(label: "", word: translated("Space"), action: .letter(0x20), span: rest - closing.span),
                closing,
            ]
        ]
    }

    func layOut(_ column: inout Column) {
        let stage = column.stage
        let gap = stage.pixels(Spacing.mini)
        let columns = columns(stage, column.width)
        let most = max(stage.pixels(Metrics.keyMost), width(stage))
        let key = min(most, (column.width - (columns - 1) * gap) / columns)
        let height = max(stage.pixels(Metrics.target), stage.lineHeight(.headline) + gap)
        for row in rows(columns) {
            column.add(height) { picture, frame in
                let spans = row.reduce(0) { $0 + $1.span }
                var left = frame.middle(width: columns * (key + gap) - gap)
                // Shorter rows are centered on a typewriter, and start at the leading side otherwise.
                if columns == Keyboard.typewriterColumns {
                    _ = left.cutLeft((columns - spans) * (key + gap) / 2)
                } else if layout.isRightToLeft {
                    _ = left.cutLeft((columns - spans) * (key + gap))
                }
                for one in row { draw(one, picture, left.cutLeft(one.span * (key + gap) - gap, gap: gap)) }
            }
            column.space(Spacing.mini)
        }
    }

    private func draw(_ key: Key, _ picture: Picture, _ frame: PixelRect) {
        let stage = picture.stage
        let theme = picture.theme
        let isDone = key.action == .done
        picture.canvas.fill(
            frame, radius: stage.pixels(Radius.thumbnail), with: isDone ? theme.fill : theme.chip)
        if let symbol = key.symbol {
            picture.draw(symbol, in: frame, points: Metrics.tabSymbol, theme.text)
        } else if key.action == .letter(0x20) {
            let line = frame.middle(width: frame.width / 2, height: stage.scale.line(2))
            picture.canvas.fill(line, radius: line.height / 2, with: theme.secondaryText)
        } else {
            picture.write(
                key.label, .headline, in: frame.inset(x: stage.pixels(Spacing.mini) / 2, y: 0),
                isDone ? theme.onFill : theme.text, align: .center, on: isDone ? theme.fill : nil)
        }
        picture.add(
            frame, key.word.isEmpty ? key.label : key.word, hint: key.word.isEmpty ? translated("types it") : "",
            action: .type(key.action))
    }
}
