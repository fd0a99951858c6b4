// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// The character LCD in a terminal: a lit box with the real one's cells, the keys below it, and the last messages below those. While the
/// terminal accepts nothing, output is dropped; then the newest picture is drawn. Control thread only; call `enter` before and `leave`
/// after.
public final class TerminalLCD: CharacterSurface {
    public enum Colours: Equatable, Sendable {
        case none, basic, many
    }

    private let descriptor: Int32
    private let output: SharedOutput
    private let rom: CharacterROM
    private let columns: Int
    private let rows: Int
    private let help: [String]
    private let colours: Colours
    /// The content of the box, to redraw it after the window has changed.
    private var cells: [UInt8]
    /// The rows of the last messages.
    private var messages: [String] = []
    private static let messageRows = 3
    private static let messageColumns = 76
    /// True if output was dropped, so that everything must be redrawn.
    private var needsRedraw = false

    /// - Parameters:
    ///   - columns: the columns of its `CharacterDisplay`; the same for `rows`.
    ///   - help: the lines that explain the keys.
    ///   - colors: the colors; nil to follow the environment (NO_COLOR, TERM, COLORTERM).
    public init(
        descriptor: Int32 = 1, columns: Int, rows: Int, rom: CharacterROM, help: [String], colours: Colours? = nil
    ) {
        self.descriptor = descriptor
        output = SharedOutput(sharing: descriptor)
        self.columns = columns
        self.rows = rows
        self.rom = rom
        self.help = help
        self.colours = colours ?? Self.coloursOfEnvironment()
        cells = [UInt8](repeating: 0x20, count: columns * rows)
    }

    /// Takes over the terminal: `input` gives keys without echo from now on.
    public func enter(input: Int32 = 0) {
        TerminalMode.enter(input: input, output: output.number)
        redraw()
    }

    /// Restores the terminal; `TerminalMode.leave` does the same in a signal handler.
    public func leave() { TerminalMode.leave() }

    /// Redraws everything, after SIGWINCH and SIGCONT.
    public func redraw() {
        needsRedraw = true
        guard output.flush() else { return }
        needsRedraw = false
        var text = TerminalText()
        // Switch to a blank alternate screen without a cursor.
        text.add("\u{1B}[?1049h\u{1B}[?25l\u{1B}[0m\u{1B}[2J")
        border(left: 0x256D, right: 0x256E, row: 0, in: &text)
        for row in 0..<rows {
            move(to: 1 + row, 0, in: &text)
            text.add(bezel)
            text.add(Self.vertical)
            text.add(off)
            text.add(glass)
            text.add(" ")
            for code in cells[row * columns..<(row + 1) * columns] { text.add(scalar(code)) }
            text.add(" ")
            text.add(off)
            // Set the position, since a terminal may have drawn a glyph too wide.
            move(to: 1 + row, columns + 3, in: &text)
            text.add(bezel)
            text.add(Self.vertical)
            text.add(off)
        }
        border(left: 0x2570, right: 0x256F, row: rows + 1, in: &text)
        for (i, line) in help.enumerated() {
            move(to: rows + 3 + i, 0, in: &text)
            text.add(faint)
            text.add(line)
            text.add(off)
        }
        addMessages(to: &text)
        finish(&text)
    }

    /// Shows a message under the help, in rows of whole words; the last few stay.
    public func log(_ message: String) {
        var size = winsize()
        let isKnown = ns_window_size(descriptor, &size) == 0 && size.ws_col > 0
        let columns = isKnown ? min(Self.messageColumns, max(20, Int(size.ws_col) - 4)) : Self.messageColumns
        messages += wrapped(printable(message, columns: .max), columns: columns, rows: Self.messageRows)
        messages.removeFirst(max(0, messages.count - Self.messageRows))
        needsRedraw = needsRedraw || !output.flush()
        if needsRedraw { return }
        var text = TerminalText()
        addMessages(to: &text)
        finish(&text)
    }

    // MARK: CharacterSurface

    public func prepare(columns: Int, rows: Int) -> Bool {
        guard columns == self.columns, rows == self.rows, output.flush() else { return false }
        if needsRedraw { redraw() }
        var text = TerminalText()
        text.add(glass)
        for i in cells.indices {
            cells[i] = 0x20
            if i % columns == 0 { move(to: 1 + i / columns, 2, in: &text) }
            text.add(" ")
        }
        text.add(off)
        return finish(&text)
    }

    public func turnOff() {}

    public func draw(_ runs: [CellRun]) -> Int? {
        guard output.flush() else {
            needsRedraw = true
            return nil
        }
        if needsRedraw { redraw() }
        var text = TerminalText()
        text.add(glass)
        var count = 0
        for run in runs {
            var needsMove = true
            for (i, code) in run.codes.enumerated() {
                if needsMove { move(to: 1 + run.row, 2 + run.column + i, in: &text) }
                let scalar = scalar(code)
                text.add(scalar)
                // Terminals disagree on the width of some symbols.
                needsMove = scalar.value > 0x7E
                cells[run.row * columns + run.column + i] = code
            }
            count += run.codes.count
        }
        text.add(off)
        return finish(&text) ? count : nil
    }

    // MARK: Pieces

    private static let vertical: Unicode.Scalar = "│"

    private func border(left: UInt16, right: UInt16, row: Int, in text: inout TerminalText) {
        move(to: row, 0, in: &text)
        text.add(bezel)
        text.add(Unicode.Scalar(left) ?? "+")
        for _ in 0..<columns + 2 { text.add("─" as Unicode.Scalar) }
        text.add(Unicode.Scalar(right) ?? "+")
        text.add(off)
    }

    private func addMessages(to text: inout TerminalText) {
        for (i, message) in messages.enumerated() {
            move(to: rows + 4 + help.count + i, 0, in: &text)
            text.add("\u{1B}[2K")
            text.add(message)
        }
    }

    private func scalar(_ code: UInt8) -> Unicode.Scalar {
        for glyph in Glyph.all where glyph.code == code { return glyph.symbol }
        return rom.scalar(at: code) ?? " "
    }

    /// Moves to a place counted from the box's upper left corner.
    private func move(to row: Int, _ column: Int, in text: inout TerminalText) {
        text.move(row: row + 2, column: column + 3)
    }

    /// Writes the text, and leaves the cursor where output of others does not land in the box. Returns false if the terminal is gone.
    @discardableResult
    private func finish(_ text: inout TerminalText) -> Bool {
        move(to: rows + 4 + help.count + Self.messageRows, 0, in: &text)
        output.write(text.bytes)
        return !output.isClosed
    }

    /// The colors of the box: dark on lit green.
    private var glass: String {
        switch colours {
        case .none: ""
        case .basic: "\u{1B}[30;42m"
        case .many: "\u{1B}[38;5;22;48;5;149m"
        }
    }
    private var bezel: String {
        switch colours {
        case .none: ""
        case .basic: "\u{1B}[32m"
        case .many: "\u{1B}[38;5;65m"
        }
    }
    private var faint: String { colours == .none ? "" : "\u{1B}[2m" }
    private var off: String { colours == .none ? "" : "\u{1B}[0m" }

    private static func coloursOfEnvironment() -> Colours {
        func value(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        let type = value("TERM")
        // https://no-color.org: set and not empty.
        if !value("NO_COLOR").isEmpty || type.isEmpty || type == "dumb" { return .none }
        return type.utf8.suffix(8).elementsEqual("256color".utf8) || !value("COLORTERM").isEmpty ? .many : .basic
    }
}
