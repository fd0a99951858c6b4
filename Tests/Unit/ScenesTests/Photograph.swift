// SPDX-License-Identifier: Apache-2.0
import Pixels

/// A cover like a photograph: a face in front of a garden in the evening, with a light that is out of focus, and a sensor's grain. Made of whole
/// numbers alone, so that it is the same on every machine.
enum Photograph {
    static func picture(side: Int) -> Surface {
        let surface = Surface(width: side, height: side)
        for y in 0..<side {
            for x in 0..<side { surface.row(y)[x] = pixel(x * 1024 / side, y * 1024 / side, grain: hash(x, y, 99)) }
        }
        return surface
    }

    /// - Parameter grain: 0…255.
    private static func pixel(_ x: Int, _ y: Int, grain: Int) -> UInt32 {
        // The sky, darker towards the top, and leaves that begin at no straight line.
        var color = mix((38, 54, 84), (222, 160, 112), y * 256 / 620)
        let leaves = (cloud(x, y, cell: 90, 1) * 3 + cloud(x, y, cell: 31, 2) * 2 + cloud(x, y, cell: 11, 3)) / 6
        let edge = 520 + (cloud(x, 0, cell: 130, 4) - 128) * 3 / 2
        color = mix(color, mix((18, 34, 16), (122, 150, 62), leaves), (y - edge) * 6)
        // Lights, which cover what lies behind them by half, with a soft edge.
        for (lightX, lightY, radius) in [(760, 250, 120), (900, 420, 70), (590, 130, 50)] {
            let away = (x - lightX) * (x - lightX) + (y - lightY) * (y - lightY)
            color = mix(color, (255, 232, 182), min(140, (radius * radius - away) * 256 / (radius * radius)))
        }
        // A face, lit from the right, over hair.
        let (acrossHair, downHair) = (x - 360, y - 570)
        let hair = 256 - (acrossHair * acrossHair * 256 / 72_000 + downHair * downHair * 256 / 110_000)
        color = mix(color, mix((28, 18, 14), (84, 52, 34), cloud(x * 3, y, cell: 40, 5)), hair * 4)
        let (across, down) = (x - 375, y - 610)
        let face = 256 - (across * across * 256 / 36_000 + down * down * 256 / 68_000)
        let lit = 140 + across * 2 / 3 + (cloud(x, y, cell: 60, 6) - 128) / 8
        color = mix(color, mix((104, 60, 46), (240, 190, 154), lit), face * 5)
        let noise = grain / 16 - 8
        func level(_ value: Int) -> UInt32 { UInt32(min(255, max(0, value + noise))) }
        return 0xFF00_0000 | level(color.0) << 16 | level(color.1) << 8 | level(color.2)
    }

    private typealias Levels = (Int, Int, Int)

    /// - Parameter part: the share of the second, 0…256; a value beyond is one of the two.
    private static func mix(_ from: Levels, _ to: Levels, _ part: Int) -> Levels {
        let part = min(256, max(0, part))
        func level(_ a: Int, _ b: Int) -> Int { (a * (256 - part) + b * part) / 256 }
        return (level(from.0, to.0), level(from.1, to.1), level(from.2, to.2))
    }

    /// Smooth noise of patches of a size: 0…255.
    private static func cloud(_ x: Int, _ y: Int, cell: Int, _ seed: Int) -> Int {
        let (column, row) = (x / cell, y / cell)
        func smooth(_ part: Int) -> Int { part * part * (768 - 2 * part) / 65_536 }
        let (right, down) = (smooth(x % cell * 256 / cell), smooth(y % cell * 256 / cell))
        let upper = hash(column, row, seed) * (256 - right) + hash(column + 1, row, seed) * right
        let lower = hash(column, row + 1, seed) * (256 - right) + hash(column + 1, row + 1, seed) * right
        return (upper * (256 - down) + lower * down) / 65_536
    }

    /// 0…255.
    private static func hash(_ x: Int, _ y: Int, _ seed: Int) -> Int {
        var bits = UInt32(truncatingIfNeeded: x &* 374_761 &+ y &* 668_265 &+ seed &* 69_069)
        bits = (bits ^ bits >> 13) &* 1_274_126_177
        return Int((bits ^ bits >> 16) & 0xFF)
    }
}
