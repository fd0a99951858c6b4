// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Lines and curves on a plane of any unit, y downward: the material of icons.
public struct Path: Sendable {
    struct Point: Equatable, Sendable {
        var x: Float
        var y: Float
    }

    /// The runs of points joined by straight lines; a closed run ends at its start.
    private(set) var runs: [[Point]] = []
    /// The number of straight lines for a curve: enough for icons of 100 pixels.
    private static let pieces = 12

    public init() {}

    /// True if there is nothing to draw.
    public var isEmpty: Bool { runs.isEmpty }

    public mutating func move(_ x: Float, _ y: Float) { runs.append([Point(x: x, y: y)]) }

    public mutating func line(_ x: Float, _ y: Float) {
        if runs.isEmpty { return move(x, y) }
        runs[runs.count - 1].append(Point(x: x, y: y))
    }

    /// Adds a cubic curve from the present point, by its two control points.
    public mutating func curve(_ x1: Float, _ y1: Float, _ x2: Float, _ y2: Float, _ x: Float, _ y: Float) {
        guard let from = runs.last?.last else { return move(x, y) }
        for piece in 1...Path.pieces {
            let t = Float(piece) / Float(Path.pieces)
            let u = 1 - t
            let (a, b, c, d) = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
            line(a * from.x + b * x1 + c * x2 + d * x, a * from.y + b * y1 + c * y2 + d * y)
        }
    }

    /// Adds a part of a circle, by angles in degrees, clockwise from the right. A line joins it to the present point.
    public mutating func arc(_ x: Float, _ y: Float, radius: Float, from: Float, to: Float) {
        let count = max(2, Int(abs(to - from) / 6))
        for index in 0...count {
            let angle = (from + (to - from) * Float(index) / Float(count)) * .pi / 180
            line(x + radius * cosf(angle), y + radius * sinf(angle))
        }
    }

    public mutating func close() {
        guard let first = runs.last?.first, runs[runs.count - 1].last != first else { return }
        runs[runs.count - 1].append(first)
    }

    public mutating func circle(_ x: Float, _ y: Float, radius: Float) {
        move(x + radius, y)
        arc(x, y, radius: radius, from: 0, to: 360)
        close()
    }

    // MARK: Into pixels

    /// Returns the coverage of the filled path.
    /// - Parameter scale: the pixels per unit.
    public func filled(width: Int, height: Int, scale: Float) -> Mask {
        var cover = Coverage(width: width, height: height)
        for run in runs where run.count > 2 {
            for index in 1..<run.count { cover.add(run[index - 1], run[index], scale) }
            cover.add(run[run.count - 1], run[0], scale)
        }
        return cover.mask()
    }

    /// Returns the coverage of a round pen of that width along the path.
    public func stroked(_ pen: Float, width: Int, height: Int, scale: Float) -> Mask {
        let mask = Mask(width: width, height: height)
        let reach = pen * scale / 2
        for run in runs where run.count > 1 {
            for index in 1..<run.count {
                let (ax, ay) = (run[index - 1].x * scale, run[index - 1].y * scale)
                let (dx, dy) = (run[index].x * scale - ax, run[index].y * scale - ay)
                let square = dx * dx + dy * dy
                let top = max(0, Int(min(ay, ay + dy) - reach - 1))
                let bottom = min(height - 1, Int(max(ay, ay + dy) + reach + 1))
                let left = max(0, Int(min(ax, ax + dx) - reach - 1))
                let right = min(width - 1, Int(max(ax, ax + dx) + reach + 1))
                if top > bottom || left > right { continue }
                let inverse = square > 0 ? 1 / square : 0
                // The squared distances at which the pen covers a pixel's center fully, and not at all.
                let (inner, outer) = (max(0, reach - 0.5) * max(0, reach - 0.5), (reach + 0.5) * (reach + 0.5))
                for y in top...bottom {
                    let row = mask.row(y)
                    let py = Float(y) + 0.5 - ay
                    var x = left
                    while x <= right {
                        // The distance of the pixel's center from the line.
                        let px = Float(x) + 0.5 - ax
                        let along = min(1, max(0, (px * dx + py * dy) * inverse))
                        let (ex, ey) = (px - along * dx, py - along * dy)
                        let away = ex * ex + ey * ey
                        if away < outer {
                            let cover = away <= inner ? min(1, reach + 0.5) : reach + 0.5 - away.squareRoot()
                            let byte = UInt8(truncatingIfNeeded: Int32(min(1, max(0, cover)) * 255 + 0.5))
                            if byte > row[x] { row[x] = byte }
                        }
                        x &+= 1
                    }
                }
            }
        }
        return mask
    }
}

/// Computes the exact coverage of polygons: signed areas beside their edges, summed along the rows.
private struct Coverage {
    private let width: Int
    private let height: Int
    private var areas: [Float]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        // An edge on or beyond the right border writes next to the row's end.
        areas = [Float](repeating: 0, count: (width + 2) * height)
    }

    mutating func add(_ from: Path.Point, _ to: Path.Point, _ scale: Float) {
        if from.y == to.y { return }
        let sign: Float = from.y < to.y ? 1 : -1
        let (upper, lower) = from.y < to.y ? (from, to) : (to, from)
        let slope = (lower.x - upper.x) / (lower.y - upper.y)
        let (top, bottom) = (upper.y * scale, lower.y * scale)
        let first = max(0, Int(top))
        let last = min(height, Int(bottom.rounded(.up)))
        if first >= last { return }
        for y in first..<last {
            let start = max(top, Float(y))
            let end = min(bottom, Float(y + 1))
            if end <= start { continue }
            let limit = Float(width)
            let x0 = min(limit, max(0, upper.x * scale + (start - top) * slope))
            let x1 = min(limit, max(0, upper.x * scale + (end - top) * slope))
            addRow(y, sign * (end - start), min(x0, x1), max(x0, x1))
        }
    }

    /// Adds a piece of an edge within one row, of this height, from `left` to `right`.
    private mutating func addRow(_ y: Int, _ height: Float, _ left: Float, _ right: Float) {
        let base = y * (width + 2)
        let first = Int(left)
        let last = Int(right)
        if first == last {
            let covered = 1 - ((left + right) / 2 - Float(first))
            areas[base + first] += height * covered
            areas[base + first + 1] += height * (1 - covered)
            return
        }
        // The edge crosses several pixels: each gets its share.
        let perPixel = height / (right - left)
        var before: Float = 0
        for x in first...last {
            let from = max(left, Float(x))
            let to = min(right, Float(x + 1))
            if to < from { continue }
            let share = perPixel * (to - from)
            let covered = 1 - ((from + to) / 2 - Float(x))
            areas[base + x] += share * covered + before
            before = share * (1 - covered)
        }
        areas[base + last + 1] += before
    }

    func mask() -> Mask {
        let mask = Mask(width: width, height: height)
        areas.withUnsafeBufferPointer { areas in
            guard var place = areas.baseAddress else { return }
            for y in 0..<height {
                let row = mask.row(y)
                var sum: Float = 0
                var x = 0
                while x < width {
                    sum += place[x]
                    row[x] = UInt8(truncatingIfNeeded: Int32(min(1, abs(sum)) * 255 + 0.5))
                    x &+= 1
                }
                place += width + 2
            }
        }
        return mask
    }
}
