// SPDX-License-Identifier: Apache-2.0
/// What Linux's charlcd.c and hd44780_common.c do with the bytes of /dev/lcd, and what an HD44780 then shows: written
/// after the kernel's source, so that the tests know the glass and not our own idea of it.
final class KernelLCD {
    /// Until 5.10 the kernel's cursor ran on to the buffer's end (40 columns) past a narrower glass; since then it is held at
    /// the last column.
    enum Kernel: CaseIterable {
        case before511, since511
    }

    let columns: Int
    let rows: Int
    private let kernel: Kernel
    /// Columns of the controller's memory that a row has: 40, but for four rows the two lines are cut in two.
    private let bufferWidth: Int

    private var memory = [UInt8](repeating: 0x20, count: 128)
    private(set) var glyphs = [[UInt8]](repeating: [UInt8](repeating: 0, count: 8), count: 8)
    /// The controller's address counter.
    private var address = 0
    /// The driver's idea of the cursor.
    private var x = 0
    private var y = 0
    private var escape: [UInt8]?

    private(set) var cursorIsOn = true
    private(set) var blinkIsOn = true
    private(set) var displayIsOn = true
    private(set) var backlightIsOn = false
    /// Characters sent to the controller, those off the glass too.
    private(set) var charactersWritten = 0
    private(set) var mistakes: [String] = []

    init(columns: Int, rows: Int, kernel: Kernel) {
        self.columns = columns
        self.rows = rows
        self.kernel = kernel
        bufferWidth = rows > 2 ? columns : 40
    }

    var cells: [UInt8] {
        (0..<rows).flatMap { row in (0..<columns).map { memory[addressOf($0, row)] } }
    }

    func write(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { write(byte) }
    }

    private func write(_ byte: UInt8) {
        if byte != 0x0A, escape != nil {
            escape?.append(byte)
        } else {
            escape = nil
            switch byte {
            case 0x1B: escape = []
            case 0x08:
                mistakes.append("backspace")
            case 0x0C:
                for i in memory.indices { memory[i] = 0x20 }
                (x, y) = (0, 0)
                goto()
            case 0x0A:
                while x < (kernel == .since511 ? columns : bufferWidth) {
                    send(0x20)
                    x += 1
                }
                x = 0
                y = (y + 1) % rows
                goto()
            case 0x0D:
                x = 0
                goto()
            case 0x09: put(0x20)
            default: put(byte)
            }
        }
        guard let sequence = escape, sequence.count >= 2 else { return }
        var isDone = false
        if sequence == Array("[2J".utf8) || sequence == Array("[H".utf8) {
            mistakes.append("not used by us")
            isDone = true
        } else if sequence.count >= 3, sequence[0] == UInt8(ascii: "["), sequence[1] == UInt8(ascii: "L") {
            isDone = special(Array(sequence[2...]))
        }
        if isDone {
            escape = nil
        } else if sequence.count >= 24 {
            mistakes.append("escape sequence too long")
            escape = nil
        }
    }

    private func special(_ sequence: [UInt8]) -> Bool {
        switch sequence[0] {
        case UInt8(ascii: "D"): displayIsOn = true
        case UInt8(ascii: "d"): displayIsOn = false
        case UInt8(ascii: "C"): cursorIsOn = true
        case UInt8(ascii: "c"): cursorIsOn = false
        case UInt8(ascii: "B"): blinkIsOn = true
        case UInt8(ascii: "b"): blinkIsOn = false
        case UInt8(ascii: "+"): backlightIsOn = true
        case UInt8(ascii: "-"): backlightIsOn = false
        case UInt8(ascii: "G"):
            guard sequence.contains(UInt8(ascii: ";")) else { return false }
            let place = Int(sequence[1]) - 0x30
            guard (0...7).contains(place) else {
                mistakes.append("glyph place \(place)")
                return true
            }
            let digits = sequence[2...].compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            if digits.count != 16 { mistakes.append("\(digits.count) digits for a glyph") }
            for i in 0..<min(8, digits.count / 2) { glyphs[place][i] = UInt8(digits[2 * i] * 16 + digits[2 * i + 1]) }
            goto()
        case UInt8(ascii: "x"), UInt8(ascii: "y"):
            guard sequence.last == UInt8(ascii: ";") else { return false }
            move(sequence.dropLast())
        default:
            // Not understood: collected until it is too long.
            return false
        }
        return true
    }

    private func move(_ sequence: ArraySlice<UInt8>) {
        var newX = x
        var newY = y
        var rest = sequence
        while let axis = rest.popFirst() {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard let value = Int(String(decoding: digits, as: UTF8.self)) else {
                mistakes.append("move without a number")
                return
            }
            rest = rest.dropFirst(digits.count)
            if axis == UInt8(ascii: "x") { newX = value } else { newY = value }
        }
        if newX >= columns || newY >= rows { mistakes.append("moved off the glass") }
        (x, y) = (newX, newY)
        goto()
    }

    private func put(_ byte: UInt8) {
        send(byte)
        if x < bufferWidth { x += 1 }
        if x == (kernel == .since511 ? columns : bufferWidth) { goto() }
    }

    /// hd44780_common_print: nothing past the row's memory.
    private func send(_ byte: UInt8) {
        guard x < bufferWidth else { return }
        memory[address] = byte
        charactersWritten += 1
        address += 1
        if address == 0x28 { address = 0x40 }
        if address == 0x68 { address = 0 }
    }

    private func goto() {
        let last = kernel == .since511 ? columns - 1 : bufferWidth - 1
        address = addressOf(min(x, last), y)
    }

    private func addressOf(_ x: Int, _ y: Int) -> Int {
        x + (y & 1 == 1 ? 0x40 : 0) + (y & 2 == 2 ? bufferWidth : 0)
    }
}
