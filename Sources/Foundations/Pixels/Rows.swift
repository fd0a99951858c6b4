// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Operations on runs of pixels, four at a time on lanes of 16 bits. The even and the odd bytes of pixels stay apart, so nothing must be
/// widened. Single pixels at the end use the same arithmetic, so the result does not depend on where a run is cut.
public enum Rows {
    @usableFromInline typealias Lanes = SIMD8<UInt16>

    @inline(__always)
    static func load(_ pixels: UnsafePointer<UInt32>) -> Lanes {
        UnsafeRawPointer(pixels).loadUnaligned(as: Lanes.self)
    }

    @inline(__always)
    static func store(_ lanes: Lanes, _ pixels: UnsafeMutablePointer<UInt32>) {
        UnsafeMutableRawPointer(pixels).storeBytes(of: lanes, as: Lanes.self)
    }

    /// Returns `from` mixed with `by` parts of 256 of `to`.
    @inline(__always)
    static func mix(_ from: Lanes, _ to: Lanes, by lanes: Lanes, less: Lanes) -> Lanes {
        let low = Lanes(repeating: 0x00FF)
        let even = ((from & low) &* less &+ (to & low) &* lanes) &>> 8
        let odd = ((from &>> 8) &* less &+ (to &>> 8) &* lanes) & Lanes(repeating: 0xFF00)
        return even | odd
    }

    /// Mixes single pixels; `by` is 0…256.
    @inline(__always)
    public static func mix(_ from: UInt32, _ to: UInt32, by part: UInt32) -> UInt32 {
        let less = 256 &- part
        let even = ((from & 0xFF_00FF) &* less &+ (to & 0xFF_00FF) &* part) >> 8 & 0xFF_00FF
        let odd = ((from >> 8 & 0xFF_00FF) &* less &+ (to >> 8 & 0xFF_00FF) &* part) & 0xFF00_FF00
        return even | odd
    }

    public static func fill(_ to: UnsafeMutablePointer<UInt32>, count: Int, with pixel: UInt32) {
        var index = 0
        let four = SIMD4<UInt32>(repeating: pixel)
        while index &+ 4 <= count {
            UnsafeMutableRawPointer(to + index).storeBytes(of: four, as: SIMD4<UInt32>.self)
            index &+= 4
        }
        while index < count {
            to[index] = pixel
            index &+= 1
        }
    }

    /// Copies pixels by the C library: Swift's own copy moves one pixel at a time.
    public static func copy(_ to: UnsafeMutablePointer<UInt32>, _ from: UnsafePointer<UInt32>, count: Int) {
        memcpy(to, from, count * 4)
    }

    /// Blends one color over the run.
    /// - Parameter alpha: the opacity, 0…256.
    public static func blend(_ to: UnsafeMutablePointer<UInt32>, count: Int, with pixel: UInt32, alpha: Int) {
        if alpha <= 0 { return }
        if alpha >= 256 { return fill(to, count: count, with: pixel) }
        let part = UInt32(alpha)
        let less = Lanes(repeating: UInt16(256 - alpha))
        let low = Lanes(repeating: 0x00FF)
        // The color adds the same everywhere.
        let colour = unsafeBitCast(SIMD4<UInt32>(repeating: pixel), to: Lanes.self)
        let by = Lanes(repeating: UInt16(alpha))
        let evenAdds = (colour & low) &* by
        let oddAdds = (colour &>> 8) &* by
        @inline(__always) func lay(_ pixels: UnsafeMutablePointer<UInt32>) {
            let from = load(pixels)
            let even = ((from & low) &* less &+ evenAdds) &>> 8
            let odd = ((from &>> 8) &* less &+ oddAdds) & Lanes(repeating: 0xFF00)
            store(even | odd, pixels)
        }
        var index = 0
        while index &+ 8 <= count {
            lay(to + index)
            lay(to + (index &+ 4))
            index &+= 8
        }
        while index < count {
            to[index] = mix(to[index], pixel, by: part)
            index &+= 1
        }
    }

    /// Writes `first` mixed with `part` of 256 of `second`: a frame of a cross-fade.
    public static func crossFade(
        _ to: UnsafeMutablePointer<UInt32>, _ first: UnsafePointer<UInt32>, _ second: UnsafePointer<UInt32>, count: Int,
        part: Int
    ) {
        let by = Lanes(repeating: UInt16(part))
        let less = Lanes(repeating: UInt16(256 - part))
        var index = 0
        while index &+ 8 <= count {
            store(mix(load(first + index), load(second + index), by: by, less: less), to + index)
            store(mix(load(first + (index &+ 4)), load(second + (index &+ 4)), by: by, less: less), to + (index &+ 4))
            index &+= 8
        }
        while index < count {
            to[index] = mix(first[index], second[index], by: UInt32(part))
            index &+= 1
        }
    }

    /// Moves a drawing from one background to another: adds `part` of 128 of their difference to each channel.
    public static func rebase(
        _ row: UnsafeMutablePointer<UInt32>, from old: UnsafePointer<UInt32>, to new: UnsafePointer<UInt32>, part: Int,
        count: Int
    ) {
        let by = Int32(truncatingIfNeeded: part)
        let row = UnsafeMutableRawPointer(row).assumingMemoryBound(to: UInt8.self)
        let old = UnsafeRawPointer(old).assumingMemoryBound(to: UInt8.self)
        let new = UnsafeRawPointer(new).assumingMemoryBound(to: UInt8.self)
        for index in 0..<count &* 4 {
            let value = Int32(row[index]) &+ ((Int32(new[index]) &- Int32(old[index])) &* by) >> 7
            row[index] = UInt8(truncatingIfNeeded: max(0, min(255, value)))
        }
    }

    /// A color on lanes, with its even and odd bytes apart.
    @usableFromInline
    struct Paint {
        let even: Lanes
        let odd: Lanes

        @inline(__always)
        init(_ pixel: UInt32) {
            let colour = unsafeBitCast(SIMD4<UInt32>(repeating: pixel), to: Lanes.self)
            even = colour & Lanes(repeating: 0x00FF)
            odd = colour &>> 8
        }

        /// Blends the color into four pixels.
        /// - Parameter by: each pixel's share in 256ths, twice, since a pixel has two lanes.
        @inline(__always)
        func lay(on pixels: UnsafeMutablePointer<UInt32>, by: Lanes) {
            let less = Lanes(repeating: 256) &- by
            let from = Rows.load(pixels)
            let evenBytes = ((from & Lanes(repeating: 0x00FF)) &* less &+ even &* by) &>> 8
            let oddBytes = ((from &>> 8) &* less &+ odd &* by) & Lanes(repeating: 0xFF00)
            Rows.store(evenBytes | oddBytes, pixels)
        }
    }

    /// Returns the lesser of two vectors, lane by lane. The standard library's function is not inlined.
    @inline(__always)
    static func least(_ first: SIMD16<UInt8>, _ second: SIMD16<UInt8>) -> SIMD16<UInt8> {
        var result = SIMD16<UInt8>()
        for lane in 0..<16 { result[lane] = min(first[lane], second[lane]) }
        return result
    }

    @inline(__always)
    static func most(_ first: SIMD16<UInt8>, _ second: SIMD16<UInt8>) -> SIMD16<UInt8> {
        var result = SIMD16<UInt8>()
        for lane in 0..<16 { result[lane] = max(first[lane], second[lane]) }
        return result
    }

    /// Spreads four bytes onto the two lanes of each pixel.
    @inline(__always)
    static func spread(_ mask: UnsafePointer<UInt8>) -> Lanes {
        // Written so that the compiler makes two interleaving instructions of it.
        let four = UnsafeRawPointer(mask).loadUnaligned(as: SIMD4<UInt8>.self)
        let bytes = SIMD16<UInt8>(
            four[0], four[0], four[0], four[0], four[1], four[1], four[1], four[1], four[2], four[2], four[2], four[2],
            four[3], four[3], four[3], four[3])
        return unsafeBitCast(bytes, to: Lanes.self) & Lanes(repeating: 0x00FF)
    }

    /// Returns the coverage of four mask bytes, of 256, each twice.
    @inline(__always)
    static func covers(_ mask: UnsafePointer<UInt8>) -> Lanes {
        let by = spread(mask)
        // 255 covers fully: 256 of 256.
        return by &+ by &>> 7
    }

    /// Blends one color through a mask.
    /// - Parameter alpha: the opacity of the whole, 0…256.
    public static func blend(
        _ to: UnsafeMutablePointer<UInt32>, mask: UnsafePointer<UInt8>, count: Int, with pixel: UInt32, alpha: Int
    ) {
        blend(to, stride: 0, mask: mask, pitch: 0, width: count, height: 1, with: pixel, alpha: alpha)
    }

    /// Blends one color through a mask of many rows.
    /// - Parameters:
    ///   - stride: the distance of the picture's rows, in pixels.
    ///   - pitch: the distance of the mask's rows, in bytes.
    public static func blend(
        _ to: UnsafeMutablePointer<UInt32>, stride: Int, mask: UnsafePointer<UInt8>, pitch: Int, width: Int,
        height: Int, with pixel: UInt32, alpha: Int
    ) {
        let paint = Paint(pixel)
        let part = Lanes(repeating: UInt16(truncatingIfNeeded: alpha))
        var (to, mask) = (to, mask)
        var row = 0
        while row < height {
            var index = 0
            while index &+ 4 <= width {
                // Most bytes of many masks are empty.
                if UnsafeRawPointer(mask + index).loadUnaligned(as: UInt32.self) != 0 {
                    let by = covers(mask + index)
                    paint.lay(on: to + index, by: alpha < 256 ? (by &* part) &>> 8 : by)
                }
                index &+= 4
            }
            while index < width {
                let cover = UInt32(mask[index])
                if cover != 0 {
                    to[index] = mix(
                        to[index], pixel, by: ((cover &+ cover >> 7) &* UInt32(truncatingIfNeeded: alpha)) >> 8)
                }
                index &+= 1
            }
            to += stride
            mask += pitch
            row &+= 1
        }
    }

    /// Draws a picture through a mask.
    public static func blend(
        _ to: UnsafeMutablePointer<UInt32>, mask: UnsafePointer<UInt8>, count: Int, picture: UnsafePointer<UInt32>
    ) {
        var index = 0
        while index &+ 4 <= count {
            let by = covers(mask + index)
            store(
                mix(load(to + index), load(picture + index), by: by, less: Lanes(repeating: 256) &- by), to + index)
            index &+= 4
        }
        while index < count {
            let cover = UInt32(mask[index])
            to[index] = mix(to[index], picture[index], by: cover &+ cover >> 7)
            index &+= 1
        }
    }

    /// Draws black over some rows.
    /// - Parameters:
    ///   - stride: the distance of the picture's rows, in pixels.
    ///   - parts: the share of black of each pixel in a row, of 256; the same for all rows.
    static func darken(
        _ to: UnsafeMutablePointer<UInt32>, stride: Int, by parts: UnsafePointer<UInt8>, width: Int, height: Int
    ) {
        let low = Lanes(repeating: 0x00FF)
        // Black adds nothing but its opacity.
        let opaque = Lanes(0, 0xFF, 0, 0xFF, 0, 0xFF, 0, 0xFF)
        var to = to
        var row = 0
        while row < height {
            var index = 0
            while index &+ 4 <= width {
                let by = spread(parts + index)
                let less = Lanes(repeating: 256) &- by
                let from = load(to + index)
                let even = ((from & low) &* less) &>> 8
                let odd = ((from &>> 8) &* less &+ opaque &* by) & Lanes(repeating: 0xFF00)
                store(even | odd, to + index)
                index &+= 4
            }
            while index < width {
                to[index] = mix(to[index], 0xFF00_0000, by: UInt32(parts[index]))
                index &+= 1
            }
            to += stride
            row &+= 1
        }
    }

    /// Removes a part of the effect of `darken`.
    /// - Parameters:
    ///   - parts: the share of black of each pixel, of 256.
    ///   - part: the part of it to remove, of 256.
    static func lighten(
        _ to: UnsafeMutablePointer<UInt32>, by parts: UnsafePointer<UInt8>, count: Int, part: UInt32
    ) {
        for index in 0..<count where parts[index] != 0 {
            let by = UInt32(parts[index])
            let more = ((256 &- (by &* (256 &- part)) >> 8) << 12) / (256 &- by)
            var pixel: UInt32 = 0xFF00_0000
            for shift in [UInt32(0), 8, 16] {
                pixel |= min(255, ((to[index] >> shift & 0xFF) &* more &+ 2048) >> 12) << shift
            }
            to[index] = pixel
        }
    }

    /// Blends premultiplied pixels.
    /// - Parameter alpha: the opacity of the whole, 0…256.
    public static func blend(
        _ to: UnsafeMutablePointer<UInt32>, premultiplied: UnsafePointer<UInt32>, count: Int, alpha: Int
    ) {
        for index in 0..<count {
            var pixel = premultiplied[index]
            if pixel == 0 { continue }
            if alpha < 256 { pixel = mix(0, pixel, by: UInt32(alpha)) }
            let cover = pixel >> 24
            let rest = 256 &- (cover &+ cover >> 7)
            let beneath = mix(0, to[index], by: rest)
            to[index] = (beneath &+ pixel) | 0xFF00_0000
        }
    }
}
