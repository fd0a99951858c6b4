// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Pixels

/// A true Gaussian along and across, in double precision; beyond the edge is as the edge.
private func gaussian(_ surface: Surface, _ sigma: Double) -> [Double] {
    let reach = Int(sigma * 4)
    let kernel = (-reach...reach).map { expOf(-Double($0 * $0) / (2 * sigma * sigma)) }
    let total = kernel.reduce(0, +)
    let (width, height) = (surface.width, surface.height)
    var across = [Double](repeating: 0, count: width * height)
    for y in 0..<height {
        for x in 0..<width {
            var sum = 0.0
            for offset in -reach...reach {
                sum += kernel[offset + reach] * Double(surface.pixel(x: min(width - 1, max(0, x + offset)), y: y).green)
            }
            across[y * width + x] = sum / total
        }
    }
    var result = across
    for y in 0..<height {
        for x in 0..<width {
            var sum = 0.0
            for offset in -reach...reach {
                sum += kernel[offset + reach] * across[min(height - 1, max(0, y + offset)) * width + x]
            }
            result[y * width + x] = sum / total
        }
    }
    return result
}

/// e to the power, for negative powers.
private func expOf(_ power: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    let small = power / 64
    for index in 1..<20 {
        term *= small / Double(index)
        sum += term
    }
    var result = sum
    for _ in 0..<6 { result *= result }
    return result
}

@Suite struct Blurring {
    @Test(arguments: [Float(7), 10, 22.5]) func isNearlyGaussian(sigma: Float) {
        let surface = Surface(width: 240, height: 160)
        // Squares with hard edges: the hardest there is.
        for y in 0..<160 {
            for x in 0..<240 { surface.row(y)[x] = (x / 40 + y / 40) % 2 == 0 ? 0xFF20_2020 : 0xFFE0_E0E0 }
        }
        let wanted = gaussian(surface, Double(sigma))
        let small = Blur.quarter(surface, sigma: sigma)
        let result = Scaling(source: (small.width, small.height), target: (240, 160)).drawn(
            small, width: 240, height: 160)
        var squares = 0.0
        var worst = 0.0
        var count = 0.0
        for y in 30..<130 {
            for x in 30..<210 {
                let off = abs(Double(result.pixel(x: x, y: y).green) - wanted[y * 240 + x])
                squares += off * off
                worst = max(worst, off)
                count += 1
            }
        }
        // The smaller the blur, the more the boxes' whole widths tell.
        #expect((squares / count).squareRoot() < (sigma < 10 ? 4.5 : 2.5))
        #expect(worst < (sigma < 10 ? 9 : 8))
    }

    @Test func sizesThatAreNoMultiplesOfFour() {
        for (width, height) in [(41, 45), (1, 1), (7, 130), (242, 3)] {
            let surface = Surface(width: width, height: height)
            Rows.fill(surface.pixels, count: width * height, with: 0xFF80_4020)
            let small = Blur.quarter(surface, sigma: 10)
            for y in 0..<small.height {
                for x in 0..<small.width {
                    let pixel = small.pixel(x: x, y: y)
                    #expect(abs(pixel.red - 0x80) <= 3 && abs(pixel.green - 0x40) <= 3 && abs(pixel.blue - 0x20) <= 3)
                }
            }
        }
    }

    @Test func boxesHaveTheVariance() {
        for variance in stride(from: Float(0.5), to: 120, by: 0.7) {
            let got = Blur.boxes(variance).map { Float((2 * $0 + 1) * (2 * $0 + 1) - 1) / 12 }.reduce(0, +)
            // Half of the way from one set of boxes to the next.
            #expect(abs(got - variance) < ((4 * variance + 1).squareRoot() + 1) / 6 + 0.3)
        }
    }
}

@Suite struct Sizes {
    /// The mean of all stays what it was.
    @Test(arguments: [(640, 480, 100, 75), (301, 207, 300, 200), (17, 1000, 5, 333), (50, 50, 50, 50)])
    func reducing(sizes: (Int, Int, Int, Int)) {
        let (width, height, toWidth, toHeight) = sizes
        let surface = Surface(width: width, height: height)
        surface.pixels.update(from: noise(width * height), count: width * height)
        let small = AreaReducer.reduced(surface, width: toWidth, height: toHeight)
        #expect(small.width == toWidth && small.height == toHeight)
        func mean(_ surface: Surface) -> Double {
            var sum = 0
            for index in 0..<surface.width * surface.height { sum += Int(surface.pixels[index] >> 8 & 0xFF) }
            return Double(sum) / Double(surface.width * surface.height)
        }
        #expect(abs(mean(small) - mean(surface)) < 1)
    }

    /// As large as it is, all of it or its middle, it is what it was.
    @Test func nothingIsScaledAtItsOwnSize() {
        var random = SeededGenerator(seed: 5)
        let source = Surface(width: 37, height: 41)
        for index in 0..<37 * 41 {
            source.pixels[index] = 0xFF00_0000 | UInt32.random(in: 0...0xFF_FFFF, using: &random)
        }
        let whole = Scaling(source: (37, 41), filling: (37, 41)).drawn(source, width: 37, height: 41)
        let middle = Scaling(source: (37, 41), filling: (37, 35)).drawn(source, width: 37, height: 35)
        #expect(whole.isAlike(source))
        #expect(middle.isAlike(source.part(PixelRect(x: 0, y: 3, width: 37, height: 35))))
        // By half a pixel it is between two.
        let shifted = Scaling(source: (37, 41), filling: (37, 40)).drawn(source, width: 37, height: 40)
        #expect(!shifted.isAlike(source.part(PixelRect(x: 0, y: 0, width: 37, height: 40))))
    }

    /// Each pixel of a quarter is the mean of sixteen, rounded to the nearest.
    @Test func aQuarterIsTheMean() {
        var random = SeededGenerator(seed: 6)
        let source = Surface(width: 37, height: 24)
        for index in 0..<37 * 24 {
            source.pixels[index] = 0xFF00_0000 | UInt32.random(in: 0...0xFF_FFFF, using: &random)
        }
        let small = Blur.reduced(source)
        for y in 0..<6 {
            for x in 0..<9 {
                for shift in [0, 8, 16, 24] as [UInt32] {
                    var sum: UInt32 = 8
                    for index in 0..<16 { sum += source.row(y * 4 + index / 4)[x * 4 + index % 4] >> shift & 0xFF }
                    #expect(small.row(y)[x] >> shift & 0xFF == sum / 16)
                }
            }
        }
    }

    @Test func enlargingKeepsWhatIsEven() {
        let surface = Surface(width: 9, height: 5)
        Rows.fill(surface.pixels, count: 45, with: 0xFF33_6699)
        let large = Scaling(source: (9, 5), filling: (200, 30)).drawn(surface, width: 200, height: 30)
        for index in 0..<6000 { #expect(large.pixels[index] == 0xFF33_6699) }
    }
}
