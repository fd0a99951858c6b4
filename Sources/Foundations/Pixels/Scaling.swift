// SPDX-License-Identifier: Apache-2.0
/// Draws a surface at another size, by bilinear interpolation. For less than half the size, see `AreaReducer`.
public struct Scaling {
    /// The part of the source to draw, in its pixels.
    let left: Float
    let top: Float
    /// The number of source pixels per pixel of the result.
    let acrossStep: Float
    let downStep: Float

    /// - Parameters:
    ///   - source: the size of the source.
    ///   - target: the size of the whole result.
    public init(source: (width: Int, height: Int), target: (width: Int, height: Int)) {
        acrossStep = Float(source.width) / Float(max(1, target.width))
        downStep = Float(source.height) / Float(max(1, target.height))
        left = 0
        top = 0
    }

    /// Fills a target of another shape with the middle part of the source, without distortion.
    public init(source: (width: Int, height: Int), filling target: (width: Int, height: Int)) {
        let step = min(
            Float(source.width) / Float(max(1, target.width)), Float(source.height) / Float(max(1, target.height)))
        acrossStep = step
        downStep = step
        left = (Float(source.width) - step * Float(target.width)) / 2
        top = (Float(source.height) - step * Float(target.height)) / 2
    }

    /// Draws `source` over the whole of a new surface.
    public func drawn(_ source: Surface, width: Int, height: Int) -> Surface {
        let result = Surface(unfilledWidth: width, height: height)
        for y in 0..<result.height {
            let drawn = row(y, of: source, result.row(y), count: result.width)
            if drawn != UnsafePointer(result.row(y)) { Rows.copy(result.row(y), drawn, count: result.width) }
        }
        return result
    }

    /// Makes one row of the result.
    /// - Returns: the row, at `to`, or in the source if that needs no scaling.
    func row(
        _ y: Int, of source: Surface, _ to: UnsafeMutablePointer<UInt32>, count: Int
    ) -> UnsafePointer<UInt32> {
        let (upper, lower, down) = place(top + (Float(y) + 0.5) * downStep - 0.5, source.height)
        let first = source.row(upper)
        if let start = wholeStart, down == 0, start >= 0, start <= source.width - count {
            return UnsafePointer(first + start)
        }
        let second = source.row(lower)
        if acrossStep == 0.25 && left == 0 && count == 4 * source.width {
            Scaling.quarter(first, second, by: Int(down), to, count: source.width)
            return UnsafePointer(to)
        }
        // A step in 65536ths of a source pixel.
        let step = Int(acrossStep * 65536)
        var at = Int((left + 0.5 * acrossStep - 0.5) * 65536)
        let last = source.width - 1
        var known = Int.min
        var leftPixel: UInt32 = 0
        var rightPixel: UInt32 = 0
        for x in 0..<count {
            let index = at >> 16
            if index != known {
                known = index
                let here = min(last, max(0, index))
                let next = min(last, max(0, index + 1))
                leftPixel = Rows.mix(first[here], second[here], by: down)
                rightPixel = Rows.mix(first[next], second[next], by: down)
            }
            to[x] = Rows.mix(leftPixel, rightPixel, by: UInt32(at >> 8 & 0xFF))
            at &+= step
        }
        return UnsafePointer(to)
    }

    /// Enlarges a row four times, as after a blur at a quarter of the size: the same steps between any two pixels.
    private static func quarter(
        _ first: UnsafePointer<UInt32>, _ second: UnsafePointer<UInt32>, by down: Int,
        _ to: UnsafeMutablePointer<UInt32>, count: Int
    ) {
        // The source pixels stand at the end of their destination, so each is read before it is overwritten.
        let mixed = to + 3 * count
        Rows.crossFade(mixed, first, second, count: count, part: down)
        let last = mixed[count - 1]
        let low = Rows.Lanes(repeating: 0x00FF)
        let by = Rows.Lanes(32, 32, 96, 96, 160, 160, 224, 224)
        let less = Rows.Lanes(repeating: 256) &- by
        @inline(__always) func four(_ pixel: UInt32) -> (even: Rows.Lanes, odd: Rows.Lanes) {
            let lanes = unsafeBitCast(SIMD4<UInt32>(repeating: pixel), to: Rows.Lanes.self)
            return (lanes & low, lanes &>> 8)
        }
        var left = four(mixed[0])
        // Outside the centers of the first and last pixel there is nothing to mix.
        (to[0], to[1]) = (mixed[0], mixed[0])
        var place = to + 2
        var index = 1
        while index < count {
            let right = four(mixed[index])
            let even = (left.even &* less &+ right.even &* by) &>> 8
            let odd = (left.odd &* less &+ right.odd &* by) & Rows.Lanes(repeating: 0xFF00)
            Rows.store(even | odd, place)
            left = right
            place += 4
            index &+= 1
        }
        (place[0], place[1]) = (last, last)
    }

    /// The start of the source pixels in each row if they are copied one to one; nil otherwise.
    private var wholeStart: Int? {
        let start = Int(left)
        return acrossStep == 1 && downStep == 1 && Float(start) == left ? start : nil
    }

    private func place(_ at: Float, _ count: Int) -> (Int, Int, UInt32) {
        let clamped = min(Float(count - 1), max(0, at))
        let index = Int(clamped)
        return (index, min(count - 1, index + 1), UInt32((clamped - Float(index)) * 256))
    }
}
