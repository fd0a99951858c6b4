// SPDX-License-Identifier: Apache-2.0
import Posix
import TestSupport

@testable import Display

extension SeededGenerator {
    mutating func roll(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// True once in `n`.
    mutating func once(in n: Int) -> Bool { roll(1...n) == 1 }

    mutating func pick<T>(_ choices: [T]) -> T { choices[roll(0...choices.count - 1)] }

    /// Words of every length with every kind of letter among them.
    mutating func text(words: ClosedRange<Int>) -> String {
        let wild = [
            "naïve", "Ærøskøbing", "Straße", "Чехов", "Σωκράτης", "“quoted”", "…", "中文", "カタカナ", "🙂", "e\u{301}a", "α",
            "C:\\~", "Donaudampfschifffahrtsgesellschaftskapitän", "a", "I", "\u{0}\u{1B}[2J", "½",
        ]
        var result: [String] = []
        for _ in 0..<roll(words) {
            if once(in: 6) {
                result.append(pick(wild))
            } else {
                result.append(
                    String((0..<roll(1...11)).map { _ in Character(Unicode.Scalar(UInt8(roll(0x61...0x7A)))) }))
            }
        }
        return result.joined(separator: once(in: 10) ? "\n\t" : " ")
    }
}

extension MonotonicTime {
    static func milliseconds(_ value: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: 0).adding(milliseconds: value)
    }
}

/// The glass as strings, with the glyphs' symbols.
func picture(_ cells: [UInt8], columns: Int, rom: CharacterROM) -> [String] {
    stride(from: 0, to: cells.count, by: columns).map { start in
        var row = String.UnicodeScalarView()
        for code in cells[start..<start + columns] {
            row.append(Glyph.all.first { $0.code == code }?.symbol ?? rom.scalar(at: code) ?? "☠")
        }
        return String(row)
    }
}

/// A glass that takes nothing amiss in silence: cells out of bounds, written with what they already hold, written twice in
/// one frame, codes that no ROM has, or drawing before it is ready are recorded as mistakes.
final class MockGlass: CharacterSurface {
    var columns = 0
    var rows = 0
    var cells: [UInt8] = []
    var mistakes: [String] = []
    var frames = 0
    var cellsWritten = 0
    var isReady = false
    /// True to refuse the next calls.
    var refusesToPrepare = false
    var failsToDraw = false
    var cellsPerDraw = Int.max
    var allowed: Set<UInt8>

    init(rom: CharacterROM) {
        allowed = Set(
            (0...255).map { UInt8($0) }.filter { $0 >= 0x10 && rom.scalar(at: $0) != nil } + Glyph.all.map(\.code))
    }

    func turnOff() { isReady = false }

    func prepare(columns: Int, rows: Int) -> Bool {
        isReady = !refusesToPrepare
        self.columns = columns
        self.rows = rows
        cells = [UInt8](repeating: 0x20, count: columns * rows)
        return isReady
    }

    func draw(_ runs: [CellRun]) -> Int? {
        if !isReady { mistakes.append("drawn before it was ready") }
        if failsToDraw {
            isReady = false
            return nil
        }
        frames += 1
        if runs.isEmpty { mistakes.append("nothing to draw") }
        var written: Set<Int> = []
        var left = cellsPerDraw
        for run in runs {
            if run.codes.isEmpty { mistakes.append("empty run") }
            for (i, code) in run.codes.enumerated() where left > 0 {
                left -= 1
                let place = run.row * columns + run.column + i
                guard run.row >= 0, run.row < rows, run.column + i >= 0, run.column + i < columns else {
                    mistakes.append("row \(run.row) column \(run.column + i) is off the glass")
                    continue
                }
                if !written.insert(place).inserted { mistakes.append("cell \(place) written twice") }
                if cells[place] == code { mistakes.append("cell \(place) overdrawn") }
                if !allowed.contains(code) { mistakes.append("code \(code) at \(place)") }
                cells[place] = code
            }
        }
        cellsWritten += written.count
        return written.count
    }
}
