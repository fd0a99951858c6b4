// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Pixels

/// The same picture each time, of every colour.
func noise(_ count: Int, seed: UInt32 = 1) -> [UInt32] {
    var state = seed
    return (0..<count).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return state | 0xFF00_0000
    }
}

/// Computes the blend with whole numbers, a channel at a time: the expected result of the rows.
private func plain(_ from: UInt32, _ to: UInt32, _ part: Int) -> UInt32 {
    var result: UInt32 = 0xFF00_0000
    for shift in [UInt32(0), 8, 16] {
        let (a, b) = (Int(from >> shift & 0xFF), Int(to >> shift & 0xFF))
        result |= UInt32((a * (256 - part) + b * part) >> 8) << shift
    }
    return result
}

@Suite struct RowsOfPixels {
    /// Runs of every length, so that each kind of end is met.
    @Test(arguments: [0, 1, 3, 4, 5, 7, 8, 9, 31, 64]) func crossFade(count: Int) {
        let (first, second) = (noise(count), noise(count, seed: 9))
        for part in [0, 1, 77, 128, 255, 256] {
            var result = [UInt32](repeating: 0, count: count)
            Rows.crossFade(&result, first, second, count: count, part: part)
            for index in 0..<count {
                #expect(result[index] & 0xFF_FFFF == plain(first[index], second[index], part) & 0xFF_FFFF)
            }
        }
    }

    @Test(arguments: [0, 1, 4, 6, 33]) func oneColour(count: Int) {
        for alpha in [0, 1, 100, 255, 256] {
            let before = noise(count)
            var result = before
            Rows.blend(&result, count: count, with: 0xFF12_34F6, alpha: alpha)
            for index in 0..<count {
                #expect(result[index] & 0xFF_FFFF == plain(before[index], 0x12_34F6, alpha) & 0xFF_FFFF)
            }
        }
    }

    /// Gathered ink, which is drawn often, gives the same as its mask, in whole and in part.
    @Test func ink() {
        let (width, height) = (64, 9)
        let mask = Mask(width: width, height: height)
        for (index, pixel) in noise(width * height, seed: 5).enumerated() where index / 8 % 3 != 0 && index / width != 4
        {
            mask.bytes[index] = UInt8(truncatingIfNeeded: pixel >> 8)
        }
        let ink = Ink(mask)
        for alpha in [256, 255, 100, 0] {
            let (wanted, drawn) = (Surface(width: 90, height: 20), Surface(width: 90, height: 20))
            for (index, pixel) in noise(90 * 20).enumerated() {
                (wanted.pixels[index], drawn.pixels[index]) = (pixel, pixel)
            }
            let color = Color(0xFF8000, alpha: alpha)
            let shapes = ShapeCache()
            for (surface, isInk) in [(wanted, false), (drawn, true)] {
                let canvas = Canvas(surface, shapes: shapes)
                // Its upper rows are cut off.
                canvas.clipped(to: PixelRect(x: 0, y: 6, width: 90, height: 20)) {
                    if isInk {
                        canvas.draw(ink, x: 7, y: 4, with: color) { _ in 256 }
                    } else {
                        canvas.draw(mask, x: 7, y: 4, with: color)
                    }
                }
            }
            for index in 0..<90 * 20 { #expect(wanted.pixels[index] == drawn.pixels[index]) }
        }
    }

    @Test func masks() {
        let count = 300
        let before = noise(count)
        // Long stretches of nothing, of all, and everything between.
        var mask = [UInt8](repeating: 0, count: count)
        for index in 40..<count { mask[index] = index > 280 ? 255 : UInt8(min(255, index - 30)) }
        for alpha in [256, 128, 3] {
            var result = before
            Rows.blend(&result, mask: mask, count: count, with: 0xFFFF_8000, alpha: alpha)
            for index in 0..<count {
                let cover = Int(mask[index]) + Int(mask[index]) >> 7
                #expect(result[index] & 0xFF_FFFF == plain(before[index], 0xFF_8000, (cover * alpha) >> 8) & 0xFF_FFFF)
            }
        }
    }

    @Test func picturesWithOpacity() {
        // Half covered white over black is grey; covered by nothing it stays.
        var pixels: [UInt32] = [0xFF00_0000, 0xFF11_2233, 0xFF00_0000]
        Rows.blend(&pixels, premultiplied: [0x8080_8080, 0, 0xFFFF_FFFF], count: 3, alpha: 256)
        #expect(pixels == [0xFF80_8080, 0xFF11_2233, 0xFFFF_FFFF])
    }
}

@Suite struct Gradients {
    /// Dither may be off by one level, and what the steps lose by less than another half.
    @Test(arguments: [(800, 480), (480, 800), (33, 7), (5, 3)]) func isRight(size: (Int, Int)) {
        let surface = Surface(width: size.0, height: size.1)
        let gradient = Gradient(Color(0x36_2128), Color(0xF9_C7D6))
        gradient.fill(surface, surface.bounds)
        var sum = 0.0
        for y in 0..<surface.height {
            for x in 0..<surface.width {
                let place = (Double(x) + 0.5) / Double(size.0) / 2 + (Double(y) + 0.5) / Double(size.1) / 2
                let pixel = surface.pixel(x: x, y: y)
                for (got, from, to) in [
                    (pixel.red, 0x36, 0xF9), (pixel.green, 0x21, 0xC7), (pixel.blue, 0x28, 0xD6),
                ] {
                    let wanted = Double(from) + Double(to - from) * place
                    #expect(abs(Double(got) - wanted) < 1.6)
                    sum += Double(got) - wanted
                }
            }
        }
        // On the whole it is neither lighter nor darker.
        #expect(abs(sum / Double(size.0 * size.1 * 3)) < 0.3)
    }

    /// Rounding losses take no level below 0 or above 255, where it would wrap around.
    @Test func nothingTurnsRoundAtTheEndsOfTheScale() {
        var random = SeededGenerator(seed: 255)
        for _ in 0..<150 {
            let ends = (0..<2).map { _ in
                (0..<3).map { _ in [0, 0, 1, 128, 225, 254, 255, 255].randomElement(using: &random)! }
            }
            let colors = ends.map { Color(UInt32($0[0] << 16 | $0[1] << 8 | $0[2])) }
            let surface = Surface(width: .random(in: 1...1300, using: &random), height: 5)
            let way = [(1, 1), (1, 0), (0, 1)].randomElement(using: &random)!
            Gradient(colors[0], colors[1], across: Float(way.0), down: Float(way.1)).fill(surface, surface.bounds)
            var worst = 0
            for y in 0..<surface.height {
                for x in 0..<surface.width {
                    let pixel = surface.pixel(x: x, y: y)
                    for (channel, got) in [pixel.red, pixel.green, pixel.blue].enumerated() {
                        let (least, most) = (
                            min(ends[0][channel], ends[1][channel]), max(ends[0][channel], ends[1][channel])
                        )
                        worst = max(worst, least - got, got - most)
                    }
                }
            }
            #expect(worst <= 1, "\(ends) \(surface.width)")
        }
    }

    /// Dithering breaks up bands that a panel of 8 bits would show: no run of one color is as long as a level is wide.
    @Test func isDithered() {
        let surface = Surface(width: 800, height: 8)
        Gradient(Color(0x20_2020), Color(0x28_2828), across: 1, down: 0).fill(surface, surface.bounds)
        var longest = 0
        var run = 0
        for x in 1..<800 {
            run = surface.pixel(x: x, y: 3) == surface.pixel(x: x - 1, y: 3) ? run + 1 : 0
            longest = max(longest, run)
        }
        #expect(longest < 60)
    }
}
