// SPDX-License-Identifier: Apache-2.0
/// Rows of a picture into a smaller one, each pixel the mean of the area it stands for: for pictures that come row by row and are never
/// whole in memory. Pixels of four channels of 8 bits, with any meaning. One thread.
public final class AreaReducer {
    private let sourceWidth: Int
    private let sourceHeight: Int
    public let width: Int
    public let height: Int
    /// The part of the result that is done, row after row.
    private let sums: UnsafeMutablePointer<SIMD4<Float>>
    private let across: UnsafeMutablePointer<SIMD4<Float>>
    private var taken = 0
    private var produced = 0

    /// - Parameter width: at most that of the source; so the height.
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

    /// Takes the next row of the source. - Parameter target: returns the destination of a finished row, by its index.
    public func take(_ row: UnsafePointer<UInt32>, _ target: (Int) -> UnsafeMutablePointer<UInt32>) {
        if taken >= sourceHeight { return }
        reduceAcross(row)
        let scale = Float(height) / Float(sourceHeight)
        let top = Float(taken) * scale
        let bottom = Float(taken + 1) * scale
        taken += 1
        // The part of this row that belongs to the row of the result at hand, and what belongs to the next.
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

    /// A float of this has the units of its number as its lowest bits: conversions of a whole vector at once.
    private static let units: Float = 8_388_608

    @inline(__always)
    static func channels(_ pixel: UnsafePointer<UInt32>) -> SIMD4<Float> {
        // Spelled so that it becomes two instructions that weave bytes.
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
        // The sum of the parts may be a little more than 1, but never as much as rounding takes off.
        let bytes = unsafeBitCast(sum + SIMD4(repeating: units), to: SIMD16<UInt8>.self)
        UnsafeMutableRawPointer(pixel).storeBytes(
            of: SIMD4<UInt8>(bytes[0], bytes[4], bytes[8], bytes[12]), as: SIMD4<UInt8>.self)
    }

    /// All of a surface, made smaller.
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
