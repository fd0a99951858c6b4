// SPDX-License-Identifier: Apache-2.0
/// Adjacent cells of one row, as character codes of the ROM (0x20…0xFF) and of `Glyph` (0…7).
public struct CellRun: Equatable {
    public var row: Int
    public var column: Int
    public var codes: [UInt8]
}

/// A surface of character cells: the wiring under `CharacterDisplay`. Control thread only.
public protocol CharacterSurface: AnyObject {
    /// Prepares the surface: blank cells, no cursor, the glyphs of `Glyph.all` defined. Called before the first `draw`, and again after a
    /// failure. Returns false to be asked again later.
    func prepare(columns: Int, rows: Int) -> Bool
    /// Writes cells in the given order. Returns their number, at least one; fewer than given if that would take long, so that the caller
    /// can handle buttons first. Nil if the surface is lost with its content.
    func draw(_ runs: [CellRun]) -> Int?
    /// Blanks and darkens the surface, if possible, at the end of the program.
    func turnOff()
    /// Switches the light on or off, if possible.
    func setLit(_ isLit: Bool)
}

extension CharacterSurface {
    public func setLit(_ isLit: Bool) {}
}
