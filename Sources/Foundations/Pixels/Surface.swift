// SPDX-License-Identifier: Apache-2.0
import CPosix

/// A picture of opaque pixels, 0xFFRRGGBB each, row after row. One thread.
public final class Surface {
    public let width: Int
    public let height: Int
    public let pixels: UnsafeMutablePointer<UInt32>

    /// The size in bytes from which a surface has its own pages, which return to the system at once. A heap would keep them.
    private static let ownPages = 256 * 1024

    /// Makes a black surface.
    public convenience init(width: Int, height: Int) {
        self.init(unfilledWidth: width, height: height)
        Rows.fill(pixels, count: self.width * self.height, with: 0xFF00_0000)
    }

    /// Makes a surface without initial pixels, for callers that write all of them.
    public init(unfilledWidth width: Int, height: Int) {
        self.width = max(1, width)
        self.height = max(1, height)
        let count = self.width * self.height
        if count * 4 >= Surface.ownPages {
            let pages = mmap(nil, count * 4, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard let pages, pages != UnsafeMutableRawPointer(bitPattern: -1) else {
                fatalError("no memory for a picture")
            }
            pixels = pages.bindMemory(to: UInt32.self, capacity: count)
        } else {
            pixels = .allocate(capacity: count)
        }
    }

    deinit {
        let count = width * height
        if count * 4 >= Surface.ownPages { munmap(pixels, count * 4) } else { pixels.deallocate() }
    }

    public var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

    public func row(_ y: Int) -> UnsafeMutablePointer<UInt32> { pixels + y * width }

    public func pixel(x: Int, y: Int) -> Color { Color(pixels[y * width + x] & 0xFF_FFFF) }

    /// Returns true if both have the same size and the same pixels.
    public func isAlike(_ other: Surface) -> Bool {
        if width != other.width || height != other.height { return false }
        return self === other || memcmp(pixels, other.pixels, width * height * 4) == 0
    }

    /// Returns a copy of the rectangle, which must lie within this surface.
    public func part(_ rect: PixelRect) -> Surface {
        let part = Surface(unfilledWidth: rect.width, height: rect.height)
        for y in 0..<rect.height {
            Rows.copy(part.row(y), row(rect.y + y) + rect.x, count: rect.width)
        }
        return part
    }

    /// Copies a rectangle from another surface of the same size.
    public func copy(_ rect: PixelRect, of other: Surface) {
        for y in 0..<rect.height { Rows.copy(row(y), other.row(rect.y + y) + rect.x, count: rect.width) }
    }

    /// Copies a smaller surface to a place where it fits.
    public func put(_ part: Surface, x: Int, y: Int) {
        for line in 0..<part.height { Rows.copy(row(y + line) + x, part.row(line), count: part.width) }
    }

    /// Copies the part of a smaller surface, with its corner at `x` and `y`, that lies within the rectangle.
    public func put(_ part: Surface, x: Int, y: Int, within rect: PixelRect) {
        let area = PixelRect(x: x, y: y, width: part.width, height: part.height).intersection(rect)
        for line in area.y..<max(area.y, area.maxY) {
            Rows.copy(row(line) + area.x, part.row(line - y) + (area.x - x), count: area.width)
        }
    }

    /// Returns a picture prepared for darkening. Yellow and green, which would turn olive, move toward amber, and everything slightly
    /// toward gray.
    public func tonedForDark() -> Surface {
        let toned = Surface(unfilledWidth: width, height: height)
        for index in 0..<width * height {
            let pixel = pixels[index]
            var (r, g, b) = (Int(pixel >> 16 & 0xFF), Int(pixel >> 8 & 0xFF), Int(pixel & 0xFF))
            // The amount by which both red and green exceed blue is yellow.
            let yellow = max(0, min(r, g) - b)
            g -= (yellow * 150) >> 8
            r -= (yellow * 20) >> 8
            let grey = (r * 54 + g * 183 + b * 19) >> 8
            r += ((grey - r) * 40) >> 8
            g += ((grey - g) * 40) >> 8
            b += ((grey - b) * 40) >> 8
            toned.pixels[index] = 0xFF00_0000 | UInt32(r << 16 | g << 8 | b)
        }
        return toned
    }

    /// Returns the mean difference of levels to another surface of the same size, by samples: 0…255.
    public func meanDifference(from other: Surface) -> Float {
        var (sum, count) = (0, 0)
        for index in stride(from: 0, to: min(width * height, other.width * other.height), by: 61) {
            let (one, two) = (Color(pixels[index]), Color(other.pixels[index]))
            sum += abs(one.red - two.red) + abs(one.green - two.green) + abs(one.blue - two.blue)
            count += 3
        }
        return Float(sum) / Float(max(1, count))
    }

    /// The mean luminance, by samples of a large surface: 0…1.
    public var meanLuminance: Float {
        let step = max(1, width * height / 1024)
        let samples = stride(from: step / 2, to: width * height, by: step)
        var (sum, count) = (Float(0), 0)
        for index in samples {
            sum += Color(pixels[index] & 0xFF_FFFF).luminance
            count += 1
        }
        return sum / Float(max(1, count))
    }

    /// Returns the lowest and highest level of each channel in the rectangle: no pixel is darker or lighter than these. Costs a tenth of
    /// `extremes`.
    public func channelBounds(in rect: PixelRect) -> (low: Color, high: Color) {
        let area = rect.intersection(bounds)
        var low = SIMD16<UInt8>(repeating: 0xFF)
        var high = SIMD16<UInt8>()
        for y in area.y..<max(area.y, area.maxY) {
            let line = UnsafeRawPointer(row(y) + area.x)
            var at = 0
            while at &+ 8 <= area.width {
                let four = line.loadUnaligned(fromByteOffset: at &* 4, as: SIMD16<UInt8>.self)
                let next = line.loadUnaligned(fromByteOffset: at &* 4 &+ 16, as: SIMD16<UInt8>.self)
                low = Rows.least(Rows.least(low, four), next)
                high = Rows.most(Rows.most(high, four), next)
                at &+= 8
            }
            while at &+ 4 <= area.width {
                let four = line.loadUnaligned(fromByteOffset: at &* 4, as: SIMD16<UInt8>.self)
                low = Rows.least(low, four)
                high = Rows.most(high, four)
                at &+= 4
            }
            while at < area.width {
                let one = SIMD4<UInt32>(repeating: line.loadUnaligned(fromByteOffset: at &* 4, as: UInt32.self))
                low = Rows.least(low, unsafeBitCast(one, to: SIMD16<UInt8>.self))
                high = Rows.most(high, unsafeBitCast(one, to: SIMD16<UInt8>.self))
                at &+= 1
            }
        }
        func channel(_ lanes: SIMD16<UInt8>, _ index: Int, _ best: (UInt8, UInt8) -> UInt8) -> UInt32 {
            UInt32(best(best(lanes[index], lanes[index + 4]), best(lanes[index + 8], lanes[index + 12])))
        }
        func color(_ lanes: SIMD16<UInt8>, _ best: (UInt8, UInt8) -> UInt8) -> Color {
            Color(channel(lanes, 2, best) << 16 | channel(lanes, 1, best) << 8 | channel(lanes, 0, best))
        }
        return (color(low) { min($0, $1) }, color(high) { max($0, $1) })
    }

    /// Returns the darkest and the lightest pixel of the rectangle by luminance: the worst cases of contrast.
    public func extremes(in rect: PixelRect) -> (darkest: Color, lightest: Color) {
        let area = rect.intersection(bounds)
        var darkest = Color(0xFF_FFFF)
        var lightest = Color(0)
        var least: UInt32 = .max
        var most: UInt32 = 0
        for y in area.y..<max(area.y, area.maxY) {
            let line = row(y)
            for x in area.x..<area.maxX {
                let pixel = line[x]
                // Squares approximate the curve well enough to order pixels.
                let (r, g, b) = (pixel >> 16 & 0xFF, pixel >> 8 & 0xFF, pixel & 0xFF)
                let weight = 218 * r * r + 732 * g * g + 74 * b * b
                if weight < least {
                    least = weight
                    darkest = Color(pixel & 0xFF_FFFF)
                }
                if weight >= most {
                    most = weight
                    lightest = Color(pixel & 0xFF_FFFF)
                }
            }
        }
        return (darkest, lightest)
    }
}

/// The coverage of each pixel, 0…255, row after row. One thread.
public final class Mask {
    public let width: Int
    public let height: Int
    public let bytes: UnsafeMutablePointer<UInt8>

    /// Makes an empty mask.
    public init(width: Int, height: Int) {
        self.width = max(1, width)
        self.height = max(1, height)
        bytes = .allocate(capacity: self.width * self.height)
        memset(bytes, 0, self.width * self.height)
    }

    deinit { bytes.deallocate() }

    public func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { bytes + y * width }
}

extension Mask {
    /// Adds the coverage of another mask of the same size.
    public func add(_ other: Mask) {
        let count = min(width * height, other.width * other.height)
        var index = 0
        while index &+ 16 <= count {
            let place = UnsafeMutableRawPointer(bytes + index)
            let theirs = UnsafeRawPointer(other.bytes + index).loadUnaligned(as: SIMD16<UInt8>.self)
            place.storeBytes(of: Rows.most(place.loadUnaligned(as: SIMD16<UInt8>.self), theirs), as: SIMD16<UInt8>.self)
            index &+= 16
        }
        while index < count {
            bytes[index] = max(bytes[index], other.bytes[index])
            index &+= 1
        }
    }

    /// Adds the coverage of another mask at a place: two halves cover three quarters.
    public func add(_ bytes: UnsafePointer<UInt8>, pitch: Int, width: Int, height: Int, x: Int, y: Int) {
        let (left, right) = (max(0, x), min(self.width, x + width))
        if left >= right { return }
        for line in max(0, y)..<max(0, y, min(self.height, y + height)) {
            let from = bytes + ((line - y) * pitch - x)
            let to = row(line)
            var at = left
            while at < right {
                if at &+ 4 <= right, UnsafeRawPointer(to + at).loadUnaligned(as: UInt32.self) == 0 {
                    let four = UnsafeRawPointer(from + at).loadUnaligned(as: UInt32.self)
                    UnsafeMutableRawPointer(to + at).storeBytes(of: four, as: UInt32.self)
                    at &+= 4
                } else {
                    let (a, b) = (UInt32(to[at]), UInt32(from[at]))
                    to[at] = UInt8(truncatingIfNeeded: a &+ b &- (a &* b &+ 127) / 255)
                    at &+= 1
                }
            }
        }
    }
}
