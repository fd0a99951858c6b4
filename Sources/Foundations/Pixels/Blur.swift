// SPDX-License-Identifier: Apache-2.0
/// A Gaussian blur at a quarter of the size: three box filters each way, then enlargement. That is 12 instructions a pixel where full size
/// would take 43. The error is at most 7 of 255.
public enum Blur {
    /// The reduction of the blurred picture.
    public static let reduction = 4

    /// Returns the picture at a quarter of its size, blurred as at full size.
    /// - Parameter sigma: the standard deviation, in pixels of full size.
    public static func quarter(_ surface: Surface, sigma: Float) -> Surface {
        let small = reduced(surface)
        // Subtract the blur of reduction and enlargement; a pixel of the small picture counts for 4.
        let variance = max(0, (sigma * sigma - 1.25 - 2.67) / 16)
        blur(small, variance: variance)
        return small
    }

    /// Blurs a small picture in place.
    /// - Parameter variance: the Gaussian's variance, in its own pixels.
    public static func blur(_ surface: Surface, variance: Float) {
        let widths = boxes(variance)
        let (width, height) = (surface.width, surface.height)
        // Floats throughout avoid rounding and conversion between the passes.
        let room = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: 2 * width * height)
        defer { room.deallocate() }
        var (from, to) = (room, room + width * height)
        for index in 0..<width * height { from[index] = AreaReducer.channels(surface.pixels + index) }
        for pass in 0..<6 {
            let radius = widths[pass % 3]
            if pass < 3 {
                for y in 0..<height { box(from + y * width, to + y * width, count: width, step: 1, radius: radius) }
            } else {
                for x in 0..<width { box(from + x, to + x, count: height, step: width, radius: radius) }
            }
            swap(&from, &to)
        }
        for index in 0..<width * height { AreaReducer.store(from[index], surface.pixels + index) }
    }

    /// Returns the radii of three box filters that together come closest to the variance.
    static func boxes(_ variance: Float) -> [Int] {
        // A box of width w has a variance of (w² - 1) / 12.
        let ideal = (4 * variance + 1).squareRoot()
        var narrow = max(1, Int(ideal))
        if narrow % 2 == 0 { narrow -= 1 }
        let wide = narrow + 2
        // The number of narrow filters among the three.
        let each = Float(wide * wide - narrow * narrow)
        let rest = 3 * Float(wide * wide) - (12 * variance + 3)
        let count = min(3, max(0, Int((rest / each).rounded())))
        return (0..<3).map { ($0 < count ? narrow : wide) / 2 }
    }

    /// Returns the picture reduced to the mean of 4 × 4 pixels.
    public static func reduced(_ surface: Surface) -> Surface {
        let n = reduction
        let small = Surface(unfilledWidth: (surface.width + n - 1) / n, height: (surface.height + n - 1) / n)
        for y in 0..<small.height {
            let to = small.row(y)
            let lines = min(n, surface.height - y * n)
            // Take four rows at once as long as each has four whole pixels.
            let wholes = lines == n ? surface.width / n : 0
            for x in 0..<wholes { to[x] = mean(surface.row(y * n) + x * n, surface.width) }
            for x in wholes..<small.width {
                let columns = min(n, surface.width - x * n)
                var even: UInt32 = 0
                var odd: UInt32 = 0
                for line in 0..<lines {
                    let from = surface.row(y * n + line) + x * n
                    for column in 0..<columns {
                        even &+= from[column] & 0xFF_00FF
                        odd &+= from[column] >> 8 & 0xFF_00FF
                    }
                }
                let count = UInt32(lines * columns)
                to[x] =
                    ((even & 0xFFFF) / count) | ((even >> 16) / count) << 16 | ((odd & 0xFFFF) / count) << 8
                    | 0xFF00_0000
            }
        }
        return small
    }

    /// Returns the mean of 4 × 4 pixels, rounded to nearest.
    /// - Parameter stride: the distance of rows, in pixels.
    @inline(__always)
    private static func mean(_ pixels: UnsafePointer<UInt32>, _ stride: Int) -> UInt32 {
        var even = SIMD4<UInt32>()
        var odd = SIMD4<UInt32>()
        for line in 0..<reduction {
            let four = UnsafeRawPointer(pixels + line &* stride).loadUnaligned(as: SIMD4<UInt32>.self)
            even &+= four & SIMD4(repeating: 0xFF_00FF)
            odd &+= four &>> 8 & SIMD4(repeating: 0xFF_00FF)
        }
        let (evens, odds) = (even.wrappedSum(), odd.wrappedSum())
        return (evens &+ 0x8_0008) >> 4 & 0xFF_00FF | ((odds &+ 0x8_0008) << 4 & 0xFF00_FF00)
    }

    /// Applies one box filter along pixels that lie `step` apart. The end pixels are repeated beyond the ends.
    private static func box(
        _ from: UnsafePointer<SIMD4<Float>>, _ to: UnsafeMutablePointer<SIMD4<Float>>, count: Int, step: Int,
        radius: Int
    ) {
        let last = count &- 1
        let part = SIMD4<Float>(repeating: 1 / Float(2 * radius + 1))
        var sum = SIMD4<Float>()
        for index in -radius...radius { sum += from[min(last, max(0, index)) &* step] }
        var place = to
        // Beyond an end, its pixel enters or leaves repeatedly: a step of 0.
        @inline(__always) func goOn(_ count: Int, leaves: Int, _ leaveStep: Int, enters: Int, _ enterStep: Int) {
            var (leaving, entering) = (from + leaves &* step, from + enters &* step)
            var left = count
            while left > 0 {
                place.pointee = sum * part
                sum += entering.pointee - leaving.pointee
                place += step
                leaving += leaveStep
                entering += enterStep
                left &-= 1
            }
        }
        let head = min(radius, count)
        let near = min(head, max(0, last &- radius))
        goOn(near, leaves: 0, 0, enters: radius &+ 1, step)
        goOn(head &- near, leaves: 0, 0, enters: last, 0)
        let middle = max(0, last &- radius &- head)
        goOn(middle, leaves: 0, step, enters: radius &+ 1 &+ head, step)
        goOn(count &- head &- middle, leaves: head &+ middle &- radius, step, enters: last, 0)
    }
}
