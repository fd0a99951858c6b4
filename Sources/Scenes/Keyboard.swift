import Design
import Pixels
import Typography

/// Letters to touch. Where ten of them stand beside each other they are laid out as on a typewriter; on small panels, and with large words, in
/// the order of the alphabet, which needs no more columns than there are.
struct Keyboard {
    private struct Key {
        var label: String
        var word: String
        var symbol: Symbol?
        var action: Element.TypedKey
        /// How many of the columns it takes.
        var span = 1
    }

    let hasDigits: Bool

    private static let typewriterColumns = 10

    private func width(_ stage: Stage) -> Int {
        let letter = stage.set("W", .headline, width: stage.width).width
        return max(stage.pixels(Metrics.target), letter + 2 * stage.pixels(Spacing.mini))
    }

    private func columns(_ stage: Stage, _ width: Int) -> Int {
        let gap = stage.pixels(Spacing.mini)
        return max(3, min(Keyboard.typewriterColumns, (width + gap) / (self.width(stage) + gap)))
    }

    private static func letters(_ text: StaticString) -> [Key] {
        (0..<text.utf8CodeUnitCount).map { index in
            let byte = text.utf8Start[index]
            return Key(label: String(decoding: [byte], as: UTF8.self), word: "", action: .letter(byte))
        }
    }

    private static let erase = Key(label: "", word: "Erase", symbol: .erase, action: .erase)

    private func rows(_ columns: Int) -> [[Key]] {
        let layer = Key(
            label: hasDigits ? "abc" : "123", word: hasDigits ? "Letters" : "Digits", action: .layer, span: 2)
        let done = Key(label: "Done", word: "Done", action: .done, span: 3)
        if columns == Keyboard.typewriterColumns {
            var rows =
                hasDigits
                ? [Keyboard.letters("1234567890"), Keyboard.letters("-'.,&!?:")]
                : [Keyboard.letters("qwertyuiop"), Keyboard.letters("asdfghjkl"), Keyboard.letters("zxcvbnm")]
            rows[rows.count - 1].append(Keyboard.erase)
            rows.append([layer, Key(label: "", word: "Space", action: .letter(0x20), span: 5), done])
            return rows
        }
        let keys = Keyboard.letters(hasDigits ? "1234567890-'.,&" : "abcdefghijklmnopqrstuvwxyz") + [Keyboard.erase]
        var rows: [[Key]] = []
        for start in stride(from: 0, to: keys.count, by: columns) {
            rows.append(Array(keys[start..<min(keys.count, start + columns)]))
        }
        let rest = columns - layer.span
        if rest < 4 {
            let space = Key(label: "", word: "Space", action: .letter(0x20), span: max(1, rest))
            return rows + [[layer, space], [Key(label: "Done", word: "Done", action: .done, span: columns)]]
        }
        let closing = Key(label: "Done", word: "Done", action: .done, span: max(2, rest / 2))
        return rows + [
            [layer, Key(label: "", word: "Space", action: .letter(0x20), span: rest - closing.span), closing]
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
                // A typewriter's shorter rows stand in the middle.
                if columns == Keyboard.typewriterColumns { _ = left.cutLeft((columns - spans) * (key + gap) / 2) }
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
            frame, radius: stage.pixels(Radius.thumbnail), with: isDone ? theme.accent : theme.chip)
        if let symbol = key.symbol {
            picture.draw(symbol, in: frame, points: Metrics.tabSymbol, theme.text)
        } else if key.action == .letter(0x20) {
            let line = frame.middle(width: frame.width / 2, height: stage.scale.line(2))
            picture.canvas.fill(line, radius: line.height / 2, with: theme.secondaryText)
        } else {
            picture.write(
                key.label, .headline, in: frame.inset(x: stage.pixels(Spacing.mini) / 2, y: 0),
                isDone ? theme.onAccent : theme.text, align: .center, on: isDone ? theme.accent : nil)
        }
        picture.add(
            frame, key.word.isEmpty ? key.label : key.word, hint: key.word.isEmpty ? "types it" : "",
            action: .type(key.action))
    }
}
