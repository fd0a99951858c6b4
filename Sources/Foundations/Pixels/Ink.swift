// SPDX-License-Identifier: Apache-2.0
/// The coverage of letters in a form that is cheap to draw repeatedly at other heights. It matches the lanes of four pixels, and stores
/// only what is covered. One thread.
public final class Ink {
    public let height: Int
    /// A run of adjacent groups of four pixels.
    private struct Run {
        /// Its first pixel.
        var x: Int32
        /// The number of groups.
        var count: Int32
    }

    private let groups: UnsafeMutablePointer<Rows.Lanes>
    private var runs: [Run] = []
    /// The first run and the first group of each row, and a final entry.
    private var starts: [(run: Int, group: Int)] = []

    /// - Parameter mask: the mask; a remainder of its width beyond a multiple of four is dropped.
    public init(_ mask: Mask) {
        height = mask.height
        let width = mask.width & ~3
        var count = 0
        for y in 0..<mask.height {
            let row = UnsafeRawPointer(mask.row(y))
            var x = 0
            while x < width {
                if row.loadUnaligned(fromByteOffset: x, as: UInt32.self) != 0 { count &+= 1 }
                x &+= 4
            }
        }
        groups = .allocate(capacity: max(1, count))
        starts.reserveCapacity(height + 1)
        count = 0
        for y in 0..<mask.height {
            starts.append((runs.count, count))
            let row = UnsafePointer(mask.row(y))
            var x = 0
            while x < width {
                let begin = count
                while x < width, UnsafeRawPointer(row + x).loadUnaligned(as: UInt32.self) != 0 {
                    (groups + count).initialize(to: Rows.covers(row + x))
                    count &+= 1
                    x &+= 4
                }
                if count > begin {
                    runs.append(Run(x: Int32(x &- (count &- begin) &* 4), count: Int32(count &- begin)))
                }
                // Most of a row is empty.
                while x &+ 8 <= width, UnsafeRawPointer(row + x).loadUnaligned(as: UInt64.self) == 0 { x &+= 8 }
                if x < width, UnsafeRawPointer(row + x).loadUnaligned(as: UInt32.self) == 0 { x &+= 4 }
            }
        }
        starts.append((runs.count, count))
    }

    deinit { groups.deallocate() }

    /// Blends a color into a row of pixels through a row of the ink.
    /// - Parameters:
    ///   - columns: the columns of the ink, with both ends multiples of four.
    ///   - alpha: the opacity of the whole, 0…256.
    func draw(
        row: Int, columns: Range<Int>, on pixels: UnsafeMutablePointer<UInt32>, _ paint: Rows.Paint, alpha: Int
    ) {
        if alpha <= 0 || columns.isEmpty { return }
        var group = groups + starts[row].group
        let part = Rows.Lanes(repeating: UInt16(truncatingIfNeeded: alpha))
        var index = starts[row].run
        let count = starts[row + 1].run
        while index < count {
            let run = runs[index]
            let (start, end) = (Int(run.x), Int(run.x) &+ Int(run.count) &* 4)
            let (first, beyond) = (max(start, columns.lowerBound), min(end, columns.upperBound))
            let next = group + Int(run.count)
            group += max(0, first &- start) / 4
            var place = pixels + first
            let last = pixels + max(first, beyond)
            if alpha < 256 {
                while place < last {
                    paint.lay(on: place, by: (group.pointee &* part) &>> 8)
                    place += 4
                    group += 1
                }
            } else {
                while place < last {
                    paint.lay(on: place, by: group.pointee)
                    place += 4
                    group += 1
                }
            }
            group = next
            index &+= 1
        }
    }
}
