// SPDX-License-Identifier: Apache-2.0
import Core

/// The row "12:34 ███▌   -45:10": elapsed time, bar, remaining time. It changes only with the seconds. At another speed than the recorded
/// pace, "12:34 -45:10 (30:07)" adds the remaining listening time.
enum ProgressRow {
    /// Returns exactly `columns` codes. The fields keep their places for the whole item, so only digits and the bar's end move.
    static func codes(
        positionMilliseconds: Int, durationMilliseconds: Int?, columns: Int, speed: Speed = .own
    ) -> [UInt8] {
        let position = positionMilliseconds / 1000
        guard let durationMilliseconds else { return fill(clock(position), to: columns) }
        let duration = durationMilliseconds / 1000
        let total = clock(duration)
        let elapsed = pad(clock(position), to: total.count)
        var left = pad([UInt8(ascii: "-")] + clock(max(0, duration - position)), to: total.count + 1)
        if speed != .own {
            func seconds(_ milliseconds: Int) -> Int { Int(clamping: speed.clockMilliseconds(of: milliseconds) / 1000) }
            let atSpeed = clock(seconds(durationMilliseconds.subtractingSaturated(max(0, positionMilliseconds))))
            let second = pad(
                [UInt8(ascii: "(")] + atSpeed + [UInt8(ascii: ")")],
                to: clock(seconds(durationMilliseconds)).count + 2)
            // A short row omits the elapsed time, the least important one.
            if elapsed.count + left.count + second.count + 2 > columns, left.count + second.count < columns {
                return pad(left + [0x20] + second, to: columns)
            }
            if left.count + second.count < columns { left += [0x20] + second }
        }
        var barCells = columns - elapsed.count - left.count
        if barCells < 1 {
            barCells = columns - elapsed.count - 1
            if barCells < 1 { return fill(clock(position), to: columns) }
            return elapsed + [0x20] + bar(position, of: duration, cells: barCells)
        }
        if barCells == 1 && left.count > total.count + 1 { return elapsed + [0x20] + left }
        // Leave a gap around the bar if there is enough room.
        let before = barCells > 4 ? 1 : 0
        let after = barCells > 8 ? 1 : 0
        barCells -= before + after
        return elapsed + pad([], to: before) + bar(position, of: duration, cells: barCells) + pad([], to: after) + left
    }

    /// Returns `cells` codes: full cells, one in fifths, blanks.
    static func bar(_ value: Int, of whole: Int, cells: Int) -> [UInt8] {
        let steps = whole > 0 ? Int(Int64(min(value, whole)) * Int64(cells * 5) / Int64(whole)) : 0
        return (0..<cells).map { cell in
            let inCell = min(5, steps - cell * 5)
            return inCell > 0 ? Glyph.bar(inCell) : 0x20
        }
    }

    /// Returns 0:07, 12:34 or 1:02:03.
    static func clock(_ seconds: Int) -> [UInt8] {
        func twoDigits(_ value: Int) -> [UInt8] { [0x30 + UInt8(value / 10 % 10), 0x30 + UInt8(value % 10)] }
        let minutes = seconds / 60
        let tail = [UInt8(ascii: ":")] + twoDigits(seconds % 60)
        if minutes < 60 { return Array(String(minutes).utf8) + tail }
        return Array(String(minutes / 60).utf8) + [UInt8(ascii: ":")] + twoDigits(minutes % 60) + tail
    }

    private static func pad(_ codes: [UInt8], to width: Int) -> [UInt8] {
        [UInt8](repeating: 0x20, count: max(0, width - codes.count)) + codes
    }

    private static func fill(_ codes: [UInt8], to width: Int) -> [UInt8] {
        codes.prefix(width) + [UInt8](repeating: 0x20, count: max(0, width - codes.count))
    }
}
