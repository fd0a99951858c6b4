// SPDX-License-Identifier: Apache-2.0
import CPosix

/// A cache of corners, frames and shadows by their measures. A design has few of each, so nothing is evicted. One thread.
public final class ShapeCache {
    private var cornersByRadius: [Int: Corners] = [:]
    private var frames: [Int: Mask] = [:]
    private var shadows: [Int: ShadowPatch] = [:]
    private var rings: [Ring] = []
    private struct Ring {
        let side: Int
        let pen: Float
        let part: Float
        let mask: Mask
    }
    /// The number of possible rings is unlimited.
    private static let mostRings = 24
    private let mirror: UnsafeMutablePointer<UInt8>
    private static let widest = 4096

    public init() {
        mirror = .allocate(capacity: ShapeCache.widest)
        mirror.initialize(repeating: 0, count: ShapeCache.widest)
    }

    deinit { mirror.deallocate() }

    func corners(_ radius: Int) -> Corners {
        let radius = min(radius, ShapeCache.widest)
        if let known = cornersByRadius[radius] { return known }
        let made = Corners(radius: radius)
        cornersByRadius[radius] = made
        return made
    }

    /// Returns a row of the right corner; valid until the next call.
    func mirrored(_ corners: Corners, row: Int) -> UnsafePointer<UInt8> {
        let from = corners.mask.row(row)
        for x in 0..<corners.radius { mirror[corners.radius - 1 - x] = from[x] }
        return UnsafePointer(mirror)
    }

    /// Returns the top left corner of a frame.
    func frame(radius: Int, width: Int) -> Mask {
        let radius = min(radius, ShapeCache.widest)
        // The key has 32 bits, the size of `Int` on some boards.
        let key = radius << 16 | width
        if let known = frames[key] { return known }
        let size = max(radius, width)
        let mask = Mask(width: size, height: size)
        let (outerRadius, innerRadius) = (Float(radius), Float(max(0, radius - width)))
        for y in 0..<size {
            for x in 0..<size {
                func cover(_ radius: Float, _ inset: Int) -> Float {
                    let (px, py) = (Float(x - inset) + 0.5, Float(y - inset) + 0.5)
                    if px < 0 || py < 0 { return 0 }
                    if px >= radius || py >= radius { return 1 }
                    let (dx, dy) = (radius - px, radius - py)
                    return min(1, max(0, radius + 0.5 - (dx * dx + dy * dy).squareRoot()))
                }
                mask.row(y)[x] = UInt8(max(0, cover(outerRadius, 0) - cover(innerRadius, width)) * 255 + 0.5)
            }
        }
        frames[key] = mask
        return mask
    }

    /// Returns a part of a circle, beginning at the top, within a square.
    /// - Parameter part: the part, 0…1.
    public func ring(side: Int, pen: Float, part: Float) -> Mask {
        for known in rings where known.side == side && known.pen == pen && known.part == part { return known.mask }
        let middle = Float(side) / 2
        let radius = middle - pen / 2 - 0.5
        var path = Path()
        if part >= 1 {
            path.circle(middle, middle, radius: radius)
        } else {
            path.arc(middle, middle, radius: radius, from: -90, to: -90 + 360 * part)
        }
        if rings.count >= ShapeCache.mostRings { rings.removeFirst() }
        let mask = path.stroked(pen, width: side, height: side, scale: 1)
        rings.append(Ring(side: side, pen: pen, part: part, mask: mask))
        return mask
    }

    /// - Parameter alpha: the opacity, 0…256.
    func shadow(radius: Int, blur: Int, alpha: Int) -> ShadowPatch {
        let key = min(radius, 0x7FF) << 20 | min(blur, 0x7FF) << 9 | alpha
        if let known = shadows[key] { return known }
        let made = ShadowPatch(radius: radius, blur: blur, alpha: alpha)
        shadows[key] = made
        return made
    }
}

/// The smallest blurred rounded rectangle. Its middle row and column are repeated for larger ones. Each pixel has its share of shadow of
/// 256, including the opacity.
final class ShadowPatch {
    /// Its visible reach beyond the rectangle.
    let reach: Int
    private let size: Int
    private let mask: Mask
    /// The empty margin of the mask.
    private let margin: Int

    init(radius: Int, blur: Int, alpha: Int) {
        // A wide shadow loses nothing at a fourth or an eighth of the size.
        let shift = blur >= 32 ? 3 : blur >= 16 ? 2 : blur >= 8 ? 1 : 0
        let step = 1 << shift
        let sigma = Float(blur) / 2 / Float(step)
        let boxes = Blur.boxes(sigma * sigma)
        let small = boxes.reduce(0, +) + 1
        // Small pixels stand in the middle of those they replace.
        let whole = step == 1 ? small : small * step - (step - 1) / 2
        let radius = (radius + step - 1) / step
        // In the middle the edges have no influence.
        let side = 2 * (2 * small + radius) + 1
        let blurred = ShadowPatch.blurred(side: side, reach: small, radius: radius, boxes)
        mask = ShadowPatch.enlarged(blurred, shift, alpha)
        // The shadow reaches furthest along the middle of a side.
        let middle = mask.row(mask.width / 2)
        var margin = 0
        while margin < whole && middle[margin] == 0 { margin += 1 }
        self.margin = margin
        reach = whole - margin
        size = mask.width - 2 * margin
    }

    /// Returns a blurred rounded rectangle with a margin of `reach` on all sides.
    private static func blurred(side: Int, reach: Int, radius: Int, _ boxes: [Int]) -> Mask {
        var from = Mask(width: side, height: side)
        let corners = Corners(radius: radius)
        let (first, last) = (reach, side - 1 - reach)
        for y in first...last {
            for x in first...last {
                let (dx, dy) = (min(x - first, last - x), min(y - first, last - y))
                from.row(y)[x] = dx < radius && dy < radius ? corners.mask.row(dy)[dx] : 255
            }
        }
        var to = Mask(width: side, height: side)
        let middle = (side + 1) / 2
        for pass in 0..<6 {
            let radius = boxes[pass % 3]
            let span = 2 * radius + 1
            let (half, divisor) = (UInt32(span / 2), UInt32(span))
            // Work on a quarter: the rest is its mirror image.
            for y in 0..<middle {
                let row = from.row(y)
                let mirrored = side &- 1 &- 2 &* y
                var sum: UInt32 = 0
                for x in 0...min(radius, side - 1) { sum &+= UInt32(row[x]) }
                var near = to.bytes + y
                var far = to.bytes + ((side - 1) * side + y)
                var x = 0
                while x < middle {
                    let byte = UInt8(truncatingIfNeeded: (sum &+ half) / divisor)
                    near[0] = byte
                    near[mirrored] = byte
                    far[0] = byte
                    far[mirrored] = byte
                    near += side
                    far -= side
                    if x &+ radius &+ 1 < side { sum &+= UInt32(row[x &+ radius &+ 1]) }
                    if x >= radius { sum &-= UInt32(row[x &- radius]) }
                    x &+= 1
                }
            }
            swap(&from, &to)
        }
        return from
    }

    /// Returns the mask enlarged so that its pixels stand `1 << shift` apart, with linear steps between. One quarter is computed and
    /// mirrored.
    private static func enlarged(_ small: Mask, _ shift: Int, _ alpha: Int) -> Mask {
        let step = 1 << shift
        let size = small.width * step - (step - 1)
        let mask = Mask(width: size, height: size)
        let half = (size + 1) / 2
        let rounding = step &* step / 2
        for y in 0..<half {
            let (line, down) = (y >> shift, y & (step &- 1))
            let upper = small.row(line)
            let lower = small.row(min(small.height - 1, line + 1))
            let to = mask.row(y)
            var x = 0
            var column = 0
            var left = Int(upper[0]) &* (step &- down) &+ Int(lower[0]) &* down
            while x < half {
                column = min(small.width &- 1, column &+ 1)
                let right = Int(upper[column]) &* (step &- down) &+ Int(lower[column]) &* down
                var value = left << shift &+ rounding
                let end = min(half, x &+ step)
                while x < end {
                    let cover = value >> (2 &* shift)
                    let byte = UInt8(truncatingIfNeeded: min(255, ((cover &+ cover >> 7) &* alpha) >> 8))
                    to[x] = byte
                    to[size &- 1 &- x] = byte
                    value &+= right &- left
                    x &+= 1
                }
                left = right
            }
            memcpy(mask.row(size - 1 - y), to, size)
        }
        return mask
    }

    /// Returns the patch's row for a row of a shadow of this height.
    func index(_ row: Int, of height: Int) -> Int {
        let half = size / 2
        // A small rectangle has no room for both halves: leave out rows of the middle.
        let cut = min(half, height / 2)
        if row < cut { return row }
        if row >= height - cut { return size - (height - row) }
        return half
    }

    func stretch(_ index: Int, to line: UnsafeMutablePointer<UInt8>, width: Int) {
        let from = mask.row(index + margin) + margin
        let half = min(size / 2, width / 2)
        memcpy(line, from, half)
        memset(line + half, Int32(from[size / 2]), width - 2 * half)
        memcpy(line + (width - half), from + (size - half), half)
    }
}
