import CPosix
import Pixels

/// Signs of a few strokes, outlined or filled; what is filled has its inner strokes cut out.
extension Symbol {
    private struct Drawing {
        var outline = Path()
        /// Strokes within it: cut out of what is filled.
        var inner = Path()
        var isFilled = false
        /// What the inner strokes enclose is cut out too.
        var hasHole = false
        var pen: Float = 1.8
    }

    func pictogram(size: Int) -> Mask {
        let drawing = drawing()
        let scale = Float(size) / 24
        let mask = drawing.outline.stroked(drawing.pen, width: size, height: size, scale: scale)
        let inner = drawing.inner.stroked(drawing.pen, width: size, height: size, scale: scale)
        if !drawing.isFilled {
            mask.add(inner)
            return mask
        }
        mask.add(drawing.outline.filled(width: size, height: size, scale: scale))
        if drawing.hasHole { inner.add(drawing.inner.filled(width: size, height: size, scale: scale)) }
        for y in 0..<size {
            let (row, cut) = (mask.row(y), inner.row(y))
            for x in 0..<size { row[x] = UInt8((Int(row[x]) * (255 - Int(cut[x])) + 127) / 255) }
        }
        return mask
    }

    private func drawing() -> Drawing {
        var made = Drawing()
        switch self {
        case .home, .homeFilled:
            made.outline.move(3.4, 11.4)
            made.outline.line(12, 3.6)
            made.outline.line(20.6, 11.4)
            made.outline.line(18.4, 11.4)
            made.outline.line(18.4, 20.2)
            made.outline.line(5.6, 20.2)
            made.outline.line(5.6, 11.4)
            made.outline.close()
            made.inner.move(12, 20.2)
            made.inner.line(12, 14.6)
            made.isFilled = self == .homeFilled
        case .compass, .compassFilled:
            made.outline.circle(12, 12, radius: 9)
            made.inner.move(16, 8)
            made.inner.line(13.6, 13.6)
            made.inner.line(8, 16)
            made.inner.line(10.4, 10.4)
            made.inner.close()
            made.isFilled = self == .compassFilled
            made.hasHole = true
        case .scope:
            made.outline.circle(12, 12, radius: 7.4)
            for (x, y) in [(Float(0), Float(-1)), (0, 1), (-1, 0), (1, 0)] {
                made.inner.move(12 + x * 10.4, 12 + y * 10.4)
                made.inner.line(12 + x * 4.4, 12 + y * 4.4)
            }
        case .checkCircle, .checkCircleFilled:
            made.outline.circle(12, 12, radius: 9)
            made.inner.move(7.8, 12.4)
            made.inner.line(10.9, 15.4)
            made.inner.line(16.2, 8.8)
            made.isFilled = self == .checkCircleFilled
        case .crossCircleFilled:
            made.outline.circle(12, 12, radius: 9)
            made.inner.move(8.8, 8.8)
            made.inner.line(15.2, 15.2)
            made.inner.move(15.2, 8.8)
            made.inner.line(8.8, 15.2)
            made.isFilled = true
        case .bubble, .bubbleFilled:
            made.outline.move(12, 4)
            made.outline.curve(17.4, 4, 21, 7.2, 21, 11.2)
            made.outline.curve(21, 13.6, 19.8, 15.7, 17.9, 17)
            made.outline.line(18.6, 20.6)
            made.outline.line(14.6, 18.2)
            made.outline.curve(7.6, 19.4, 3, 15.6, 3, 11.2)
            made.outline.curve(3, 7.2, 6.6, 4, 12, 4)
            made.isFilled = self == .bubbleFilled
        case .share:
            made.outline.move(8.4, 9.4)
            made.outline.line(5.4, 9.4)
            made.outline.line(5.4, 20.6)
            made.outline.line(18.6, 20.6)
            made.outline.line(18.6, 9.4)
            made.outline.line(15.6, 9.4)
            made.inner.move(12, 14.8)
            made.inner.line(12, 3.2)
            made.inner.move(8.2, 6.8)
            made.inner.line(12, 3)
            made.inner.line(15.8, 6.8)
        case .person, .personFilled:
            made.outline.circle(12, 12, radius: 9)
            made.inner.circle(12, 9.8, radius: 2.9)
            made.inner.move(6.4, 18.2)
            made.inner.curve(7.6, 14.6, 16.4, 14.6, 17.6, 18.2)
            made.isFilled = self == .personFilled
            made.hasHole = true
        case .libraryFilled:
            made.outline.rect(3.4, 4, 3.6, 16, radius: 0.8)
            made.outline.rect(9, 4, 3.6, 16, radius: 0.8)
            made.outline.move(14.4, 5.6)
            made.outline.line(17.6, 4.6)
            made.outline.line(21.8, 19)
            made.outline.line(18.6, 20)
            made.outline.close()
            made.isFilled = true
            made.pen = 1.6
        default:
            // The gear: eight teeth around a hole.
            let (root, tip) = (Float(7.2), Float(9.8))
            for tooth in 0..<8 {
                let middle = Float(tooth) * .pi / 4
                for (angle, radius) in [(Float(-0.29), root), (-0.18, tip), (0.18, tip), (0.29, root)] {
                    let (x, y) = (12 + radius * cosf(middle + angle), 12 + radius * sinf(middle + angle))
                    if tooth == 0 && angle == -0.29 { made.outline.move(x, y) } else { made.outline.line(x, y) }
                }
            }
            made.outline.close()
            made.inner.circle(12, 12, radius: 3)
            made.isFilled = self == .gearFilled
            made.hasHole = true
            made.pen = 1.6
        }
        return made
    }
}
