// SPDX-License-Identifier: Apache-2.0
/// Neighbouring cells of one row, as character codes of the ROM (0x20…0xFF) and of `Glyph` (0…7).
public struct CellRun: Equatable {
    public var row: Int
    public var column: Int
    public var codes: [UInt8]
}

/// A glass of character cells: the wiring under `CharacterDisplay`'s policy. Control thread only.
public protocol CharacterSurface: AnyObject {
    /// Makes the glass ready: every cell blank, no cursor, the glyphs of `Glyph.all` defined. Called before the first
    /// `draw` and again after one failed. False: not now, ask again later.
    func prepare(columns: Int, rows: Int) -> Bool
    /// Writes cells in the order given, and returns how many: fewer than asked if that would take long (at least one),
    /// so that the caller can look after buttons before it offers the rest. nil: the glass is lost and what stood on it.
    func draw(_ runs: [CellRun]) -> Int?
    /// Leaves the glass blank and dark, if that is in its power: the program ends.
    func turnOff()
    /// Has its light on or off, if that is in its power.
    func setLit(_ isLit: Bool)
}

extension CharacterSurface {
    public func setLit(_ isLit: Bool) {}
}
