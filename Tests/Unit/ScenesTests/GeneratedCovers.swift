// SPDX-License-Identifier: Apache-2.0
import Pixels
import TestSupport

/// Covers of any kind, each hard to write on in its own way.
enum GeneratedCovers {
    static let count = 200

    /// The same for the same index, on every machine.
    static func cover(_ index: Int) -> Surface {
        var random = SeededGenerator(seed: UInt64(index))
        let side = 64
        // Most are as high as they are wide.
        let surface = Surface(width: side, height: index % 7 == 3 ? 40 : index % 11 == 5 ? 90 : side)
        let paint = painter(index % 10, &random)
        for y in 0..<surface.height {
            for x in 0..<surface.width { surface.row(y)[x] = paint(x, y) | 0xFF00_0000 }
        }
        return surface
    }

    static func name(_ index: Int) -> String { "cover \(index), \(names[index % 10])" }

    private static let names = [
        "dark", "light", "upright stripes", "level stripes", "checks", "gradient", "saturated", "noise", "halves",
        "lights",
    ]

    private static func painter(_ kind: Int, _ random: inout SeededGenerator) -> (Int, Int) -> UInt32 {
        func level(_ range: ClosedRange<UInt32>) -> UInt32 { UInt32.random(in: range, using: &random) }
        func color(_ range: ClosedRange<UInt32> = 0...255) -> UInt32 {
            level(range) << 16 | level(range) << 8 | level(range)
        }
        let period = Int.random(in: 1...24, using: &random)
        let shift = Int.random(in: 0...63, using: &random)
        switch kind {
        case 0:
            let (all, spot) = (color(0...60), color(0...60))
            return { x, y in (x / period + y / period) % 3 == 0 ? spot : all }
        case 1:
            let (all, spot) = (color(190...255), color(190...255))
            return { x, y in (x / period + y / period) % 3 == 0 ? spot : all }
        case 2: return { x, _ in (x + shift) / period % 2 == 0 ? 0xFF_FFFF : 0 }
        case 3: return { _, y in (y + shift) / period % 2 == 0 ? 0xFF_FFFF : 0 }
        case 4: return { x, y in ((x + shift) / period + y / period) % 2 == 0 ? 0xFF_FFFF : 0 }
        case 5:
            let (from, to, across) = (color(), color(), Int.random(in: 0...64, using: &random))
            return { x, y in Rows.mix(from, to, by: UInt32(min(256, (x * across + y * (64 - across)) / 16))) }
        case 6:
            let pure: [UInt32] = [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFF00, 0x00FFFF, 0xFF00FF]
            let first = shift % 6
            return { x, y in pure[(first + x / (period + 4) + y / (period + 9) * 2) % 6] }
        case 7:
            let grains = (0..<1021).map { _ in color() }
            return { x, y in grains[(x + y * 67) % 1021] }
        case 8:
            let (one, other): (UInt32, UInt32) = shift % 2 == 0 ? (0, 0xFF_FFFF) : (0xFF_FFFF, 0)
            let (across, down) = (period % 5 - 2, period % 3 + 1)
            let edge = (across * 64 + down * 64) * shift / 64
            return { x, y in x * across + y * down < edge ? one : other }
        default:
            // A few lights in the dark, or holes in what is light.
            let (ground, light): (UInt32, UInt32) = shift % 2 == 0 ? (color(0...40), 0xFF_FFFF) : (color(200...255), 0)
            let spots = (0..<5).map { _ in (Int(level(0...63)), Int(level(0...63)), Int(level(1...14))) }
            return { x, y in
                spots.contains { ($0.0 - x) * ($0.0 - x) + ($0.1 - y) * ($0.1 - y) < $0.2 * $0.2 } ? light : ground
            }
        }
    }
}
