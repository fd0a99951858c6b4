// SPDX-License-Identifier: Apache-2.0
import Posix
import Wire

/// A line editor for a raw terminal: arrows, Home and End, backspace, Ctrl-U, Ctrl-W, Ctrl-C, earlier lines with the arrows up and down,
/// and Tab to complete commands. Keys in; echo and finished lines out. Works byte by byte and takes any bytes. It assumes one column for
/// each character, and one row for the line: otherwise the screen is wrong, but not the line.
struct LineEditor {
    enum Event: Equatable {
        /// Enter was pressed.
        case line([UInt8])
        /// Ctrl-C was pressed.
        case interrupt
        /// Ctrl-D was pressed on an empty line.
        case end
        /// Text was written below the line: show the prompt and the line again.
        case listed
    }

    static let prompt = "nightstand> "
    /// The limit of a line: longer than any typed command.
    static let maximumLineBytes = 1000
    static let mostEarlierLines = 20

    private(set) var line: [UInt8] = []
    /// The index of the next byte.
    private(set) var cursor = 0
    /// The earlier lines, the oldest first.
    private var earlier: [[UInt8]] = []
    /// The index of the recalled line; the number of earlier lines for a new one.
    private var place = 0
    /// The new line, while an earlier one is shown.
    private var newLine: [UInt8] = []
    private var sequences = EscapeSequences()
    private var isAfterCarriageReturn = false

    /// Takes one byte, and adds the terminal's output for it to `echo`.
    mutating func receive(_ byte: UInt8, echo: inout ResponseBuffer) -> Event? {
        switch sequences.receive(byte) {
        case .byte(let byte): return take(byte, &echo)
        case .up: callUp(place - 1, &echo)
        case .down: callUp(place + 1, &echo)
        case .left: move(to: characterStart, &echo)
        case .right:
            let next = line[cursor...].dropFirst().firstIndex { !LineEditor.continues($0) }
            move(to: next ?? line.count, &echo)
        case .home: move(to: 0, &echo)
        case .end: move(to: line.count, &echo)
        // Keys with Alt do nothing here.
        case .altered, nil: break
        }
        return nil
    }

    private mutating func take(_ byte: UInt8, _ echo: inout ResponseBuffer) -> Event? {
        let isSecondOfPair = isAfterCarriageReturn && byte == .newline
        isAfterCarriageReturn = byte == .carriageReturn
        if isSecondOfPair { return nil }
        switch byte {
        case .carriageReturn, .newline:
            echo.text("\n")
            return .line(finish())
        case .control("A"): move(to: 0, &echo)
        case .control("C"):
            move(to: line.count, &echo)
            echo.text("^C\n")
            reset()
            return .interrupt
        case .control("D"): return line.isEmpty ? .end : nil
        case .control("E"): move(to: line.count, &echo)
        case .control("H"), 0x7F: erase(from: characterStart, &echo)
        case .control("U"):
            move(to: line.count, &echo)
            erase(from: 0, &echo)
        case .control("W"):
            let word = line[..<cursor].lastIndex { $0 != .space } ?? 0
            erase(from: line[..<word].lastIndex(of: .space).map { $0 + 1 } ?? 0, &echo)
        case .tab: return complete(&echo)
        case 0..<0x20: break
        default: insert([byte], &echo)
        }
        return nil
    }

    /// Shows the unfinished line again, after other output.
    func redraw(_ echo: inout ResponseBuffer) {
        echo.bytes(line[..<cursor])
        showRest(&echo)
    }

    private mutating func insert(_ bytes: [UInt8], _ echo: inout ResponseBuffer) {
        if bytes.isEmpty { return }
        if line.count + bytes.count > LineEditor.maximumLineBytes { return echo.text("\u{7}") }
        line.insert(contentsOf: bytes, at: cursor)
        cursor += bytes.count
        echo.bytes(bytes[...])
        // The next byte would be inside an unfinished character.
        let lead = line[characterStart]
        if cursor - characterStart >= max(1, (~lead).leadingZeroBitCount) { showRest(&echo) }
    }

    private mutating func erase(from start: Int, _ echo: inout ResponseBuffer) {
        let columns = LineEditor.columns(line[start..<cursor])
        echo.bytes([UInt8](repeating: .backspace, count: columns)[...])
        line.removeSubrange(start..<cursor)
        cursor = start
        showRest(&echo, erased: columns)
    }

    private mutating func move(to place: Int, _ echo: inout ResponseBuffer) {
        if place < cursor {
            echo.bytes([UInt8](repeating: .backspace, count: LineEditor.columns(line[place..<cursor]))[...])
        } else {
            echo.bytes(line[cursor..<place])
        }
        cursor = place
    }

    /// Shows the text behind the cursor, and blanks over the erased text.
    private func showRest(_ echo: inout ResponseBuffer, erased: Int = 0) {
        echo.bytes(line[cursor...])
        echo.bytes([UInt8](repeating: .space, count: erased)[...])
        echo.bytes([UInt8](repeating: .backspace, count: LineEditor.columns(line[cursor...]) + erased)[...])
    }

    // MARK: Earlier lines

    private mutating func finish() -> [UInt8] {
        let finished = line
        if !finished.isEmpty && finished != earlier.last { earlier.append(finished) }
        if earlier.count > LineEditor.mostEarlierLines { earlier.removeFirst() }
        reset()
        return finished
    }

    private mutating func reset() {
        (line, cursor, place) = ([], 0, earlier.count)
    }

    private mutating func callUp(_ wanted: Int, _ echo: inout ResponseBuffer) {
        if wanted < 0 || wanted > earlier.count { return }
        if place == earlier.count { newLine = line }
        place = wanted
        move(to: line.count, &echo)
        erase(from: 0, &echo)
        insert(wanted < earlier.count ? earlier[wanted] : newLine, &echo)
    }

    // MARK: Completion

    /// Completes the command's name; behind the name, Tab is a space.
    private mutating func complete(_ echo: inout ResponseBuffer) -> Event? {
        let start = line[..<cursor]
        if start.contains(.space) {
            insert([.space], &echo)
            return nil
        }
        let names = ProtocolCommand.names { $0.name.utf8.starts(with: start) }
        if names.count == 1 {
            insert(names[0].utf8.dropFirst(start.count) + [.space], &echo)
        } else if !names.isEmpty {
            echo.text("\n")
            ProtocolCommand.wrap(names, firstIndent: "", indent: "", to: &echo)
            return .listed
        }
        return nil
    }

    // MARK: Characters of UTF-8

    private static func continues(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    private static func columns(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count { !continues($0) } }

    /// The start of the character before the cursor.
    private var characterStart: Int { line[..<cursor].lastIndex { !LineEditor.continues($0) } ?? 0 }
}

extension UInt8 {
    fileprivate static let backspace: UInt8 = 0x08

    /// Returns the byte that a terminal sends for Ctrl and a letter.
    static func control(_ letter: Unicode.Scalar) -> UInt8 { UInt8(ascii: letter) & 0x1F }
}
