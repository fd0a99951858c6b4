// SPDX-License-Identifier: Apache-2.0
/// Text for a terminal in the making, as bytes.
struct TerminalText {
    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(256) }

    @inline(never)
    mutating func add(_ text: String) { bytes += text.utf8 }

    @inline(never)
    mutating func add(_ scalar: Unicode.Scalar) {
        bytes += String(Character(scalar)).utf8
    }

    /// Moves the cursor; both count from 1.
    mutating func move(row: Int, column: Int) { add("\u{1B}[\(row);\(column)H") }
}
