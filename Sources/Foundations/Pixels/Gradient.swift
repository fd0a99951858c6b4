// SPDX-License-Identifier: Apache-2.0
/// A linear gradient between two colors.
public struct Gradient: Equatable, Sendable {
    public var start: Color
    public var end: Color
    /// The direction of the gradient: the place of its end, 0…1 of width and height from the starting corner. (1, 1) runs from top left to
    /// bottom right.
    public var across: Float
    public var down: Float

    public init(_ start: Color, _ end: Color, across: Float = 1, down: Float = 1) {
        self.start = start
        self.end = end
        self.across = across
        self.down = down
    }

    /// The extremes: no pixel of the gradient is darker than the first or lighter than the second.
    public var bounds: (low: Color, high: Color) {
        func color(_ level: (Int, Int) -> Int) -> Color {
            let (red, green) = (level(start.red, end.red), level(start.green, end.green))
            return Color(UInt32(red << 16 | green << 8 | level(start.blue, end.blue)))
        }
        return (color { min($0, $1) }, color { max($0, $1) })
    }

    /// Returns the thresholds of a 4 × 4 Bayer matrix, in 256ths, for four pixels and two channels each. The fraction of a level shows as
    /// more or fewer of sixteen pixels.
    @inline(__always)
    private static func thresholds(x: Int, y: Int) -> Rows.Lanes {
        let matrix = SIMD16<UInt32>(8, 136, 40, 168, 200, 72, 232, 104, 56, 184, 24, 152, 248, 120, 216, 88)
        var four = SIMD4<UInt32>()
        for pixel in 0..<4 { four[pixel] = matrix[(y & 3) &<< 2 | (x &+ pixel) & 3] }
        return unsafeBitCast(four | four &<< 16, to: Rows.Lanes.self)
    }

    /// Added to a number below 2^16 minus a half, it puts the whole part into the lowest bits.
    private static let units: Float = 8_388_608 + 65_536

    /// Fills the rectangle with ordered dither, which avoids bands even on a panel of 5 bits.
    /// - Parameter clip: the part to draw; nil for the surface's bounds.
    public func fill(_ surface: Surface, _ rect: PixelRect, clip: PixelRect? = nil) {
        let area = rect.intersection(clip ?? surface.bounds)
        if area.isEmpty { return }
        let way = Way(self, rect)
        for y in area.y..<area.maxY {
            let line = Float(y - rect.y) + 0.5
            let at = Float(area.x - rect.x) * way.right + line * way.below + way.right / 2
            row(surface.row(y) + area.x, count: area.width, y: y, x: area.x, at: at, way)
        }
    }

    /// Fills a run of the rectangle's row `y` from `x` on, both counted from its corner.
    /// - Parameter way: the slope within that rectangle.
    func fill(_ pixels: UnsafeMutablePointer<UInt32>, count: Int, x: Int, y: Int, _ way: Way) {
        let at = Float(x) * way.right + (Float(y) + 0.5) * way.below + way.right / 2
        row(pixels, count: count, y: y, x: x, at: at, way)
    }

    /// The slope within a rectangle.
    struct Way {
        /// The progress along the gradient for one pixel to the right, and one down.
        let right: Float
        let below: Float
        /// The change of blue and red, and of green, for four pixels to the right: in 256ths rounded toward zero, so that the steps never
        /// pass either end of the scale.
        let even: Rows.Lanes
        let odd: Rows.Lanes

        init(_ gradient: Gradient, _ rect: PixelRect) {
            let length = gradient.across + gradient.down
            let right = gradient.across / length / Float(max(1, rect.width))
            func change(_ from: Int, _ to: Int) -> UInt16 {
                UInt16(truncatingIfNeeded: Int(Float(to - from) * right * 4 * 256))
            }
            let blue = change(gradient.start.blue, gradient.end.blue)
            let red = change(gradient.start.red, gradient.end.red)
            let green = change(gradient.start.green, gradient.end.green)
            self.right = right
            below = gradient.down / length / Float(max(1, rect.height))
            even = Rows.Lanes(blue, red, blue, red, blue, red, blue, red)
            odd = Rows.Lanes(green, 0, green, 0, green, 0, green, 0)
        }
    }

    /// - Parameter at: the place of the first pixel along the gradient, 0…1.
    private func row(
        _ pixels: UnsafeMutablePointer<UInt32>, count: Int, y: Int, x: Int, at: Float, _ way: Way
    ) {
        let (first, last) = (start, end)
        // Returns a channel of four pixels in 256ths of a level.
        @inline(__always) func levels(_ from: Int, _ to: Int, _ places: SIMD4<Float>) -> SIMD4<UInt32> {
            let values = (SIMD4(repeating: Float(from)) + Float(to &- from) * places) * 256
            return unsafeBitCast(values - 0.5 + Gradient.units, to: SIMD4<UInt32>.self) & SIMD4(repeating: 0xFFFF)
        }
        let dither = Gradient.thresholds(x: x, y: y)
        let high = Rows.Lanes(repeating: 0xFF00)
        var index = 0
        // Over this length the rounding of steps never adds up to half a level.
        let stretch = 512
        while index < count {
            let end = min(count, index &+ stretch)
            var places = SIMD4<Float>()
            for pixel in 0..<4 { places[pixel] = min(1, max(0, at + way.right * Float(index &+ pixel))) }
            // The stepped values include the threshold.
            var even =
                unsafeBitCast(
                    levels(first.blue, last.blue, places) | levels(first.red, last.red, places) &<< 16,
                    to: Rows.Lanes.self) &+ dither
            var odd =
                unsafeBitCast(
                    levels(first.green, last.green, places) | SIMD4(repeating: 0xFF00_0000), to: Rows.Lanes.self)
                &+ dither & Rows.Lanes(0xFFFF, 0, 0xFFFF, 0, 0xFFFF, 0, 0xFFFF, 0)
            while index &+ 8 <= end {
                Rows.store(even &>> 8 | odd & high, pixels + index)
                even = even &+ way.even
                odd = odd &+ way.odd
                Rows.store(even &>> 8 | odd & high, pixels + (index &+ 4))
                even = even &+ way.even
                odd = odd &+ way.odd
                index &+= 8
            }
            while index < end {
                let four = unsafeBitCast(even &>> 8 | odd & high, to: SIMD4<UInt32>.self)
                let rest = min(4, end &- index)
                for pixel in 0..<rest { pixels[index &+ pixel] = four[pixel] }
                even = even &+ way.even
                odd = odd &+ way.odd
                index &+= rest
            }
        }
    }
}
