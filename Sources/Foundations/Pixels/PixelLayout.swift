// SPDX-License-Identifier: Apache-2.0
/// The pixel format of a panel: its bytes, and the bits of each color.
public struct PixelLayout: Equatable, Sendable {
    public struct Channel: Equatable, Sendable {
        /// The offset from the lowest bit.
        public var offset: Int
        public var bits: Int

        public init(offset: Int, bits: Int) {
            self.offset = offset
            self.bits = bits
        }

        /// Returns the upper bits of an 8-bit level, shifted to their place.
        /// - Parameter threshold: the dither threshold, 0…15, above which a level rounds up.
        @inline(__always)
        func place(_ level: UInt32, _ threshold: UInt32) -> UInt32 {
            let lost = UInt32(8 &- bits)
            // The top of a short scale is as bright as that of a long one, with any dither.
            let room = level &- (lost == 0 ? 0 : level &>> UInt32(bits))
            let part = lost > 4 ? threshold &<< (lost &- 4) : threshold &>> (4 &- lost)
            return ((room &+ part) &>> lost) &<< UInt32(offset)
        }
    }

    /// The bytes of a pixel, 2, 3 or 4, the lowest first.
    public let bytes: Int
    public let red: Channel
    public let green: Channel
    public let blue: Channel

    /// Returns nil for a layout that no panel has: fewer than 2 or more than 4 bytes, colors of 0 or more than 8 bits, or bits outside the
    /// pixel.
    public init?(bytes: Int, red: Channel, green: Channel, blue: Channel) {
        guard (2...4).contains(bytes) else { return nil }
        for channel in [red, green, blue] {
            guard (1...8).contains(channel.bits), channel.offset >= 0, channel.offset + channel.bits <= bytes * 8 else {
                return nil
            }
        }
        self.init(checked: bytes, red, green, blue)
    }

    private init(checked bytes: Int, _ red: Channel, _ green: Channel, _ blue: Channel) {
        self.bytes = bytes
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The layout of surfaces.
    public static let xrgb8888 = PixelLayout(
        checked: 4, Channel(offset: 16, bits: 8), Channel(offset: 8, bits: 8), Channel(offset: 0, bits: 8))
    public static let rgb565 = PixelLayout(
        checked: 2, Channel(offset: 11, bits: 5), Channel(offset: 5, bits: 6), Channel(offset: 0, bits: 5))

    /// The thresholds in Bayer's order: each of sixteen neighbors has another one, and similar ones lie far apart.
    private static let thresholds = SIMD16<UInt8>(0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5)

    @inline(__always)
    private static func threshold(_ x: Int, _ y: Int) -> UInt32 {
        UInt32(thresholds[(y & 3) &* 4 &+ (x & 3)])
    }

    /// Returns a surface's pixel in the panel's layout, dithered by its place. Neighbors share the difference between two levels, so that a
    /// gradient has no bands.
    @inline(__always)
    public func value(of pixel: UInt32, x: Int, y: Int) -> UInt32 {
        let threshold = PixelLayout.threshold(x, y)
        return red.place((pixel &>> 16) & 0xFF, threshold) | green.place((pixel &>> 8) & 0xFF, threshold)
            | blue.place(pixel & 0xFF, threshold)
    }

    /// Writes a run of pixels in the panel's layout.
    /// - Parameters:
    ///   - x: the first pixel's column on the panel.
    ///   - y: the row on the panel.
    public func write(_ from: UnsafePointer<UInt32>, count: Int, x: Int, y: Int, to: UnsafeMutableRawPointer) {
        if self == .xrgb8888 { return to.copyMemory(from: from, byteCount: count &* 4) }
        if self == .rgb565 { return PixelLayout.write565(from, count: count, x: x, y: y, to: to) }
        let target = to.assumingMemoryBound(to: UInt8.self)
        var place = 0
        for index in 0..<count {
            let value = value(of: from[index], x: x &+ index, y: y)
            target[place] = UInt8(truncatingIfNeeded: value)
            target[place &+ 1] = UInt8(truncatingIfNeeded: value &>> 8)
            if bytes > 2 { target[place &+ 2] = UInt8(truncatingIfNeeded: value &>> 16) }
            if bytes > 3 { target[place &+ 3] = UInt8(truncatingIfNeeded: value &>> 24) }
            place &+= bytes
        }
    }

    /// Writes eight pixels at a time. Red and blue share a lane, with green's gap between them.
    private static func write565(
        _ from: UnsafePointer<UInt32>, count: Int, x: Int, y: Int, to: UnsafeMutableRawPointer
    ) {
        var ofRedAndBlue = SIMD8<UInt32>()
        var ofGreen = SIMD8<UInt32>()
        for index in 0..<8 {
            let threshold = threshold(x &+ index, y)
            ofRedAndBlue[index] = (threshold &>> 1) &* 0x0001_0001
            ofGreen[index] = threshold &>> 2
        }
        let halves = to.assumingMemoryBound(to: UInt16.self)
        var index = 0
        while index &+ 8 <= count {
            let pixels = UnsafeRawPointer(from + index).loadUnaligned(as: SIMD8<UInt32>.self)
            var outer = pixels & 0x00FF_00FF
            outer = outer &- ((outer &>> 5) & 0x0007_0007) &+ ofRedAndBlue
            var green = (pixels &>> 8) & 0xFF
            green = green &- (green &>> 6) &+ ofGreen
            let values = (outer &>> 8) & 0xF800 | (green &<< 3) & 0x07E0 | (outer &>> 3) & 0x001F
            UnsafeMutableRawPointer(halves + index).storeBytes(
                of: SIMD8<UInt16>(truncatingIfNeeded: values), as: SIMD8<UInt16>.self)
            index &+= 8
        }
        while index < count {
            halves[index] = UInt16(truncatingIfNeeded: rgb565.value(of: from[index], x: x &+ index, y: y))
            index &+= 1
        }
    }
}
