import Posix

/// What a person types at a raw terminal, edited as terminals do: backspace, Ctrl-U, Ctrl-W, Ctrl-C, the last line again with
/// the up arrow. Keys in; echo and finished lines out. Works byte by byte and takes any bytes.
struct LineEditor {
    enum Event: Equatable {
        /// Enter was pressed.
        case line([UInt8])
        /// Ctrl-C.
        case interrupt
    }

    /// Longer than any command a person types.
    static let maximumLineBytes = 1000

    private(set) var line: [UInt8] = []
    private var previousLine: [UInt8] = []
    private var sequences = EscapeSequences()
    private var isAfterCarriageReturn = false

    /// Takes one byte and adds what the terminal is to show for it to `echo`.
    mutating func receive(_ byte: UInt8, echo: inout ResponseBuffer) -> Event? {
        switch sequences.receive(byte) {
        case .byte(let byte): return take(byte, &echo)
        case .up:
            if previousLine.isEmpty { return nil }
            eraseAll(&echo)
            line = previousLine
            redraw(&echo)
            return nil
        // Other arrows and keys with Alt do nothing here.
        case .altered, .down, .left, .right, nil: return nil
        }
    }

    private mutating func take(_ byte: UInt8, _ echo: inout ResponseBuffer) -> Event? {
        let isSecondOfPair = isAfterCarriageReturn && byte == .newline
        isAfterCarriageReturn = byte == .carriageReturn
        if isSecondOfPair { return nil }
        switch byte {
        case .carriageReturn, .newline:
            echo.text("\n")
            let finished = line
            if !finished.isEmpty { previousLine = finished }
            line = []
            return .line(finished)
        case 0x03:
            echo.text("^C\n")
            line = []
            return .interrupt
        case 0x08, 0x7F:
            eraseCharacter(&echo)
        case 0x15:
            eraseAll(&echo)
        case 0x17:
            while line.last == .space { eraseCharacter(&echo) }
            while let last = line.last, last != .space { eraseCharacter(&echo) }
        case .tab:
            insert(.space, &echo)
        case 0..<0x20:
            break
        default:
            insert(byte, &echo)
        }
        return nil
    }

    /// Shows the half-typed line again, after something else was written.
    func redraw(_ echo: inout ResponseBuffer) {
        echo.text(String(decoding: line, as: UTF8.self))
    }

    private mutating func insert(_ byte: UInt8, _ echo: inout ResponseBuffer) {
        if line.count >= LineEditor.maximumLineBytes {
            echo.text("\u{7}")
        } else {
            line.append(byte)
            echo.byte(byte)
        }
    }

    /// Takes a whole UTF-8 character off the end. Wide ones leave a gap on the screen, which harms nothing.
    private mutating func eraseCharacter(_ echo: inout ResponseBuffer) {
        if line.isEmpty { return }
        while let last = line.popLast(), last & 0xC0 == 0x80 {}
        echo.text("\u{8} \u{8}")
    }

    private mutating func eraseAll(_ echo: inout ResponseBuffer) {
        while !line.isEmpty { eraseCharacter(&echo) }
    }
}
