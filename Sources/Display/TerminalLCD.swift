import CPosix
import Posix

/// The character LCD drawn in a terminal: a lit box with the very cells of the real one, the keys below it, and the last
/// messages below those. Control thread only; call `enter` before, `leave` after.
public final class TerminalLCD: CharacterSurface {
    public enum Colours: Equatable, Sendable {
        case none, basic, many
    }

    private let descriptor: Int32
    private let rom: CharacterROM
    private let columns: Int
    private let rows: Int
    private let help: [String]
    private let colours: Colours
    /// What stands in the box, to draw it again after the window has changed.
    private var cells: [UInt8]
    private var messages: [String] = []
    private static let messageRows = 3

    /// - Parameters:
    ///   - columns: of the `CharacterDisplay` on it; likewise `rows`.
    ///   - help: lines that say which key does what.
    ///   - colours: nil for what the environment says (NO_COLOR, TERM, COLORTERM).
    public init(
        descriptor: Int32 = 1, columns: Int, rows: Int, rom: CharacterROM, help: [String], colours: Colours? = nil
    ) {
        self.descriptor = descriptor
        self.columns = columns
        self.rows = rows
        self.rom = rom
        self.help = help
        self.colours = colours ?? Self.coloursOfEnvironment()
        cells = [UInt8](repeating: 0x20, count: columns * rows)
    }

    /// Takes the terminal over: `input` gives keys unechoed from now on.
    public func enter(input: Int32 = 0) {
        TerminalMode.enter(input: input, output: descriptor)
        redraw()
    }

    /// Gives the terminal back; `TerminalMode.leave` does the same from a signal handler.
    public func leave() { TerminalMode.leave() }

    /// Draws everything afresh; after SIGWINCH and SIGCONT.
    public func redraw() {
        // A screen of its own, blank, without cursor.
        var out = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[0m\u{1B}[2J"
        let border = String(repeating: "─", count: columns + 2)
        out += moved(0, 0) + bezel + "╭" + border + "╮" + off
        for row in 0..<rows {
            out += moved(1 + row, 0) + bezel + "│" + off + glass + " "
            for column in 0..<columns { out.unicodeScalars.append(scalar(cells[row * columns + column])) }
            // Placed, since a terminal may have drawn a glyph wider than it should be.
            out += " " + off + moved(1 + row, columns + 3) + bezel + "│" + off
        }
        out += moved(rows + 1, 0) + bezel + "╰" + border + "╯" + off
        for (i, line) in help.enumerated() { out += moved(rows + 3 + i, 0) + faint + line + off }
        out += messageText() + parked
        write(out)
    }

    /// Shows a message for the person at the terminal under the help; the last few stay.
    public func log(_ message: String) {
        messages.append(message)
        if messages.count > Self.messageRows { messages.removeFirst() }
        write(messageText() + parked)
    }

    // MARK: CharacterSurface

    public func prepare(columns: Int, rows: Int) -> Bool {
        guard columns == self.columns, rows == self.rows else { return false }
        for i in cells.indices { cells[i] = 0x20 }
        var out = glass
        for row in 0..<rows { out += moved(1 + row, 2) + String(repeating: " ", count: columns) }
        return write(out + off + parked)
    }

    public func draw(_ runs: [CellRun]) -> Int? {
        var out = glass
        var count = 0
        for run in runs {
            var needsMove = true
            for (i, code) in run.codes.enumerated() {
                if needsMove { out += moved(1 + run.row, 2 + run.column + i) }
                let scalar = scalar(code)
                out.unicodeScalars.append(scalar)
                // Terminals disagree on how wide some symbols are.
                needsMove = scalar.value > 0x7E
                cells[run.row * columns + run.column + i] = code
            }
            count += run.codes.count
        }
        return write(out + off + parked) ? count : nil
    }

    // MARK: Escape sequences

    private func scalar(_ code: UInt8) -> Unicode.Scalar {
        for glyph in Glyph.all where glyph.code == code { return glyph.symbol }
        return rom.scalar(at: code) ?? " "
    }

    private func moved(_ row: Int, _ column: Int) -> String { "\u{1B}[\(row + 2);\(column + 3)H" }

    /// Where the cursor waits, so that what others write to the terminal does not land in the box.
    private var parked: String { moved(rows + 4 + help.count + Self.messageRows, 0) }

    private func messageText() -> String {
        var out = ""
        for (i, message) in messages.enumerated() {
            out += moved(rows + 4 + help.count + i, 0) + "\u{1B}[2K" + moved(rows + 4 + help.count + i, 0)
            out += printable(message, columns: 76)
        }
        return out
    }

    /// Dark on lit green.
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
        return type.utf8.count > 8 && type.hasSuffix("256color") || !value("COLORTERM").isEmpty ? .many : .basic
    }

    /// False where the terminal is gone.
    @discardableResult
    private func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var done = 0
            while done < bytes.count {
                let count = CPosix.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
                if count < 0 && ns_errno() == EINTR { continue }
                if count <= 0 { return false }
                done += count
            }
            return true
        }
    }
}
