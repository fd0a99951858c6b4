// SPDX-License-Identifier: Apache-2.0
/// Reduces a picture row by row: each pixel becomes the mean of its area. For pictures that are never whole in memory. Pixels have four
/// channels of 8 bits, with any meaning. One thread.
public final class AreaReducer {
    private let sourceWidth: Int
    private let sourceHeight: Int
    public let width: Int
    public let height: Int
    /// The sums of the current result row.
    private let sums: UnsafeMutablePointer<SIMD4<Float>>
    private let across: UnsafeMutablePointer<SIMD4<Float>>
    private var taken = 0
    private var produced = 0

    /// - Parameter width: at most the source's; the same for the height.
    public init(sourceWidth: Int, sourceHeight: Int, width: Int, height: Int) {
        self.sourceWidth = sourceWidth
        self.sourceHeight = sourceHeight
        self.width = max(1, min(width, sourceWidth))
        self.height = max(1, min(height, sourceHeight))
        sums = .allocate(capacity: self.width)
        sums.initialize(repeating: SIMD4(), count: self.width)
        across = .allocate(capacity: self.width)
        across.initialize(repeating: SIMD4(), count: self.width)
    }

    deinit {
        sums.deallocate()
        across.deallocate()
    }

    /// Takes the next row of the source.
    /// - Parameter target: returns the destination of a finished row, by its index.
    public func take(_ row: UnsafePointer<UInt32>, _ target: (Int) -> UnsafeMutablePointer<UInt32>) {
        if taken >= sourceHeight { return }
        reduceAcross(row)
        let scale = Float(height) / Float(sourceHeight)
        let top = Float(taken) * scale
        let bottom = Float(taken + 1) * scale
        taken += 1
        // Split this row between the current row of the result and the next.
        let border = Float(produced + 1)
        let isLast = taken == sourceHeight
        let first = min(bottom, border) - top
        add(first)
        if bottom >= border || isLast {
            let (to, sums, width) = (target(produced), sums, width)
            produced += 1
            var x = 0
            while x < width {
                AreaReducer.store(sums[x], to + x)
                sums[x] = SIMD4()
                x &+= 1
            }
            if !isLast { add(bottom - border) }
        }
    }

    private func add(_ part: Float) {
        if part <= 0 { return }
        let (sums, across, width) = (sums, across, width)
        var x = 0
        while x < width {
            sums[x] += across[x] * part
            x &+= 1
        }
    }

    private func reduceAcross(_ row: UnsafePointer<UInt32>) {
        let (across, width, sourceWidth) = (across, width, sourceWidth)
        let scale = Float(width) / Float(sourceWidth)
        if width == sourceWidth {
            for x in 0..<width { across[x] = AreaReducer.channels(row + x) }
            return
        }
        var x = 0
        var sum = SIMD4<Float>()
        var left: Float = 0
        var border: Float = 1
        var index = 0
        while index < sourceWidth {
            let channels = AreaReducer.channels(row + index)
            index &+= 1
            let right = Float(Int32(truncatingIfNeeded: index)) * scale
            if right < border || index == sourceWidth {
                sum += channels * (right - left)
                if index == sourceWidth { across[min(x, width - 1)] = sum }
            } else {
                sum += channels * (border - left)
                across[x] = sum
                x &+= 1
                sum = channels * (right - border)
                border += 1
            }
            left = right
        }
    }

    /// A float of this magnitude has its units as its lowest bits, which converts a whole vector at once.
    private static let units: Float = 8_388_608

    @inline(__always)
    static func channels(_ pixel: UnsafePointer<UInt32>) -> SIMD4<Float> {
        // Written so that the compiler makes two interleaving instructions of it.
        let four = UnsafeRawPointer(pixel).loadUnaligned(as: SIMD4<UInt8>.self)
        let bytes = SIMD16<UInt8>(
            four[0], four[0], four[0], four[0], four[1], four[1], four[1], four[1], four[2], four[2], four[2], four[2],
            four[3], four[3], four[3], four[3])
        let levels = unsafeBitCast(bytes, to: SIMD4<UInt32>.self) & SIMD4(repeating: 0xFF)
        return unsafeBitCast(levels | SIMD4(repeating: units.bitPattern), to: SIMD4<Float>.self)
            - SIMD4(repeating: units)
    }

    @inline(__always)
    static func store(_ sum: SIMD4<Float>, _ pixel: UnsafeMutablePointer<UInt32>) {
        // The parts may add up to slightly more than 1, but never by as much as rounding removes.
        let bytes = unsafeBitCast(sum + SIMD4(repeating: units), to: SIMD16<UInt8>.self)
        UnsafeMutableRawPointer(pixel).storeBytes(
            of: SIMD4<UInt8>(bytes[0], bytes[4], bytes[8], bytes[12]), as: SIMD4<UInt8>.self)
    }

    /// Returns a reduced copy of a surface.
    public static func reduced(_ surface: Surface, width: Int, height: Int) -> Surface {
        let reducer = AreaReducer(
            sourceWidth: surface.width, sourceHeight: surface.height, width: width, height: height)
        let result = Surface(unfilledWidth: reducer.width, height: reducer.height)
        for y in 0..<surface.height {
            reducer.take(surface.row(y)) { line in result.row(min(line, result.height - 1)) }
        }
        return result
    }
}
