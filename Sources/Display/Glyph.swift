// SPDX-License-Identifier: Apache-2.0
/// The custom characters in the controller's eight places. Their codes 0…7 are not among charlcd's control bytes (\b \t \n \f \r ESC), so
/// they can be written directly.
public struct Glyph: Sendable {
    /// The place in the character generator RAM, which is also the character code.
    public let code: UInt8
    /// Eight rows from the top; bit 4 is the leftmost of five dots.
    public let rows: InlineArray<8, UInt8>
    /// The terminal's substitute, one column wide.
    public let symbol: Unicode.Scalar

    static let play: UInt8 = 0
    static let pause: UInt8 = 1
    static let heart: UInt8 = 2
    /// Returns a cell of the progress bar with 1…5 of its five columns set. The fifth is also the "stopped" sign.
    static func bar(_ steps: Int) -> UInt8 { UInt8(truncatingIfNeeded: 2 + steps) }
    static let stop = bar(5)

    public static let all: [Glyph] = [
        Glyph(code: play, rows: [0x10, 0x18, 0x1C, 0x1E, 0x1C, 0x18, 0x10, 0x00], symbol: "▶"),
        Glyph(code: pause, rows: [0x1B, 0x1B, 0x1B, 0x1B, 0x1B, 0x1B, 0x1B, 0x00], symbol: "⏸"),
        Glyph(code: heart, rows: [0x00, 0x0A, 0x1F, 0x1F, 0x1F, 0x0E, 0x04, 0x00], symbol: "♥"),
        Glyph(code: bar(1), rows: [0x00, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x00], symbol: "▎"),
        Glyph(code: bar(2), rows: [0x00, 0x18, 0x18, 0x18, 0x18, 0x18, 0x18, 0x00], symbol: "▍"),
        Glyph(code: bar(3), rows: [0x00, 0x1C, 0x1C, 0x1C, 0x1C, 0x1C, 0x1C, 0x00], symbol: "▋"),
        Glyph(code: bar(4), rows: [0x00, 0x1E, 0x1E, 0x1E, 0x1E, 0x1E, 0x1E, 0x00], symbol: "▊"),
        Glyph(code: bar(5), rows: [0x00, 0x1F, 0x1F, 0x1F, 0x1F, 0x1F, 0x1F, 0x00], symbol: "█"),
    ]
}
