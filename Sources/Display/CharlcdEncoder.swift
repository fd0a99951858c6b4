// SPDX-License-Identifier: Apache-2.0
/// Encodes cells for charlcd. It tracks the kernel's cursor, to move it as little as possible.
struct CharlcdEncoder {
    private var cursorRow = 0
    private var cursorColumn = 0

    /// The approximate number of controller operations for `preparation`: ten for each of eight glyphs, and a few.
    static let preparationOperations = 90

    /// Returns the bytes that blank the display, switch cursor and blink off (the kernel starts with both), and define the glyphs.
    mutating func preparation(isLit: Bool) -> [UInt8] {
        // The newline ends an escape sequence that a killed writer may have left open.
        var bytes = Array("\n\u{1B}[LD\u{1B}[Lc\u{1B}[Lb".utf8)
        bytes += CharlcdEncoder.light(isLit)
        for glyph in Glyph.all {
            bytes += Array("\u{1B}[LG".utf8)
            bytes.append(UInt8(ascii: "0") + glyph.code)
            for i in 0..<8 {
                bytes.append(Self.hexadecimal(glyph.rows[i] >> 4))
                bytes.append(Self.hexadecimal(glyph.rows[i] & 15))
            }
            bytes.append(UInt8(ascii: ";"))
        }
        bytes.append(0x0C)
        cursorRow = 0
        cursorColumn = 0
        return bytes
    }

    static func light(_ isLit: Bool) -> [UInt8] { Array((isLit ? "\u{1B}[L+" : "\u{1B}[L-").utf8) }

    mutating func append(_ run: CellRun, to bytes: inout [UInt8]) {
        if run.row != cursorRow || run.column != cursorColumn {
            bytes += Array("\u{1B}[Lx\(run.column)y\(run.row);".utf8)
        }
        bytes += run.codes
        cursorRow = run.row
        // After the last column the kernel's cursor is unpredictable, but no run begins there.
        cursorColumn = run.column + run.codes.count
    }

    private static func hexadecimal(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x61 + value - 10 }
}
