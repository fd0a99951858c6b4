// SPDX-License-Identifier: Apache-2.0
import CPosix

extension Path {
    /// Reads the `d` of one of our own SVG paths: M, L, H, V, C, Z, and A for parts of circles, with absolute coordinates. There is no
    /// check for errors.
    ///
    /// https://www.w3.org/TR/SVG2/paths.html
    public init(svg: StaticString) {
        self.init()
        var numbers = Numbers(text: UnsafeBufferPointer(start: svg.utf8Start, count: svg.utf8CodeUnitCount))
        var (x, y) = (Float(0), Float(0))
        while let command = numbers.command() {
            switch command {
            case UInt8(ascii: "Z"): close()
            case UInt8(ascii: "H"):
                x = numbers.next()
                line(x, y)
            case UInt8(ascii: "V"):
                y = numbers.next()
                line(x, y)
            case UInt8(ascii: "C"):
                let (x1, y1, x2, y2) = (numbers.next(), numbers.next(), numbers.next(), numbers.next())
                (x, y) = (numbers.next(), numbers.next())
                curve(x1, y1, x2, y2, x, y)
            case UInt8(ascii: "A"):
                let radius = numbers.next()
                _ = (numbers.next(), numbers.next())
                let (isLarge, isClockwise) = (numbers.next() == 1, numbers.next() == 1)
                let from = Point(x: x, y: y)
                (x, y) = (numbers.next(), numbers.next())
                arc(radius, from: from, to: Point(x: x, y: y), isLarge: isLarge, isClockwise: isClockwise)
            default:
                (x, y) = (numbers.next(), numbers.next())
                if command == UInt8(ascii: "M") { move(x, y) } else { line(x, y) }
            }
        }
    }

    /// SVG gives an arc by its ends; the center lies beside the middle of the line between them.
    private mutating func arc(_ radius: Float, from: Point, to: Point, isLarge: Bool, isClockwise: Bool) {
        let (dx, dy) = ((to.x - from.x) / 2, (to.y - from.y) / 2)
        let half = dx * dx + dy * dy
        let aside = max(0, radius * radius / max(half, 1e-9) - 1).squareRoot() * (isLarge != isClockwise ? 1 : -1)
        let (x, y) = (from.x + dx + aside * -dy, from.y + dy + aside * dx)
        let start = atan2f(from.y - y, from.x - x) * 180 / .pi
        var end = atan2f(to.y - y, to.x - x) * 180 / .pi
        if isClockwise && end <= start { end += 360 }
        if !isClockwise && end >= start { end -= 360 }
        arc(x, y, radius: radius, from: start, to: end)
    }

    private struct Numbers {
        let text: UnsafeBufferPointer<UInt8>
        var at = 0

        /// Returns the next command letter.
        mutating func command() -> UInt8? {
            while at < text.count {
                at += 1
                if text[at - 1] >= UInt8(ascii: "A") { return text[at - 1] }
            }
            return nil
        }

        /// Returns the next decimal number, which follows a space.
        mutating func next() -> Float {
            while at < text.count && text[at] == UInt8(ascii: " ") { at += 1 }
            var (value, place, isNegative) = (Float(0), Float(0), false)
            while at < text.count {
                switch text[at] {
                case UInt8(ascii: "-"): isNegative = true
                case UInt8(ascii: "."): place = 1
                case UInt8(ascii: "0")...UInt8(ascii: "9"):
                    value = value * 10 + Float(text[at] - UInt8(ascii: "0"))
                    place *= 10
                default: return (isNegative ? -value : value) / max(1, place)
                }
                at += 1
            }
            return (isNegative ? -value : value) / max(1, place)
        }
    }
}
