import Pixels

/// The icons, drawn from paths on a plane of 24 × 24 at whatever size they are needed.
public enum Symbol: Int, CaseIterable, Sendable {
    case heart, heartFilled
    case play, pause
    case back, forward
    case library, bookmark, bookmarkFilled, settings
    case chevronLeft, chevronRight
    case tick, plus, minus, trash, list, podcast, moon, speaker, reload, cross, previous, next
    case book
    case warning
    case search, erase, pointer
    case home, homeFilled, compass, compassFilled, scope, checkCircle, checkCircleFilled, crossCircleFilled
    case bubble, bubbleFilled, share, person, personFilled, libraryFilled, gear, gearFilled

    /// The strokes' width.
    private static let pen: Float = 1.8

    func mask(size: Int) -> Mask {
        let scale = Float(size) / 24
        var path = Path()
        var isFilled = false
        var pen = Symbol.pen
        switch self {
        case .heart, .heartFilled:
            path.move(12, 20.6)
            path.curve(5.4, 15.9, 2.6, 12.4, 2.6, 8.6)
            path.curve(2.6, 5.6, 4.9, 3.4, 7.6, 3.4)
            path.curve(9.4, 3.4, 11, 4.3, 12, 6)
            path.curve(13, 4.3, 14.6, 3.4, 16.4, 3.4)
            path.curve(19.1, 3.4, 21.4, 5.6, 21.4, 8.6)
            path.curve(21.4, 12.4, 18.6, 15.9, 12, 20.6)
            isFilled = self == .heartFilled
        case .play:
            path.move(8.4, 5.4)
            path.line(18.8, 12)
            path.line(8.4, 18.6)
            path.close()
            isFilled = true
        case .pause:
            path.rect(7, 5.2, 2.6, 13.6, radius: 0.6)
            path.rect(14.4, 5.2, 2.6, 13.6, radius: 0.6)
            isFilled = true
        case .back, .forward:
            // A circle that is open at its top, and ends there in an arrow.
            let side: Float = self == .back ? 1 : -1
            path.move(12, 3.9)
            path.arc(12, 12.9, radius: 9, from: -90, to: -90 + side * 306)
            pen = 1.7
        case .library:
            path.rect(3.4, 4, 3.6, 16, radius: 0.8)
            path.rect(9, 4, 3.6, 16, radius: 0.8)
            path.move(14.4, 5.6)
            path.line(17.6, 4.6)
            path.line(21.8, 19)
            path.line(18.6, 20)
            path.close()
            pen = 1.6
        case .bookmark, .bookmarkFilled:
            path.move(6.4, 3.6)
            path.line(17.6, 3.6)
            path.line(17.6, 20.4)
            path.line(12, 16)
            path.line(6.4, 20.4)
            path.close()
            isFilled = self == .bookmarkFilled
        case .settings:
            for (y, x) in [(Float(6.2), Float(15.6)), (12, 8.4), (17.8, 13.6)] {
                path.move(3.4, y)
                path.line(x - 2.3, y)
                path.move(x + 2.3, y)
                path.line(20.6, y)
                path.circle(x, y, radius: 2.3)
            }
        case .chevronLeft:
            path.move(15, 4.5)
            path.line(7.5, 12)
            path.line(15, 19.5)
            pen = 2.2
        case .chevronRight:
            path.move(9, 4.5)
            path.line(16.5, 12)
            path.line(9, 19.5)
            pen = 2.2
        case .tick:
            path.move(4.5, 12.8)
            path.line(9.8, 18)
            path.line(19.5, 6.4)
            pen = 2.6
        case .plus:
            path.move(12, 5)
            path.line(12, 19)
            path.move(5, 12)
            path.line(19, 12)
            pen = 2.2
        case .minus:
            path.move(5, 12)
            path.line(19, 12)
            pen = 2.2
        case .trash:
            path.move(4.5, 6.5)
            path.line(19.5, 6.5)
            path.move(9.5, 6.3)
            path.line(9.5, 3.8)
            path.line(14.5, 3.8)
            path.line(14.5, 6.3)
            path.move(6.3, 6.8)
            path.line(7.2, 20.4)
            path.line(16.8, 20.4)
            path.line(17.7, 6.8)
            path.move(10.2, 10.4)
            path.line(10.4, 16.8)
            path.move(13.8, 10.4)
            path.line(13.6, 16.8)
            pen = 1.6
        case .list:
            for y in [Float(6.5), 12, 17.5] {
                path.move(8.6, y)
                path.line(20.6, y)
                path.move(3.8, y)
                path.line(3.9, y)
            }
            pen = 2
        case .podcast:
            path.rect(9.2, 3.2, 5.6, 11, radius: 2.8)
            path.move(5.6, 11)
            path.arc(12, 11.2, radius: 6.4, from: 180, to: 0)
            path.move(12, 17.7)
            path.line(12, 21)
            path.move(8.6, 21)
            path.line(15.4, 21)
        case .moon:
            // A circle that another, above and to the right, is taken out of.
            path.move(20.99, 12.79)
            path.arc(12, 12, radius: 9.03, from: 5, to: 265)
            path.arc(16.83, 7.17, radius: 7, from: 216.6, to: 53.4)
            path.close()
        case .speaker:
            path.move(3.6, 9.4)
            path.line(7.2, 9.4)
            path.line(11.8, 5.2)
            path.line(11.8, 18.8)
            path.line(7.2, 14.6)
            path.line(3.6, 14.6)
            path.close()
            path.move(15.4, 9)
            path.arc(12.6, 12, radius: 4.1, from: -46, to: 46)
            path.move(18, 6.4)
            path.arc(12.6, 12, radius: 7.8, from: -46, to: 46)
            pen = 1.7
        case .reload:
            path.move(18.4, 7.2)
            path.arc(12, 12, radius: 8, from: -37, to: -330)
            path.move(19, 3.4)
            path.line(18.6, 7.6)
            path.line(14.4, 7.2)
        case .search:
            path.arc(10.4, 10.4, radius: 6.6, from: 0, to: 360)
            path.move(15.3, 15.3)
            path.line(20.6, 20.6)
            pen = 2.2
        case .pointer:
            path.move(1, 0)
            path.line(1, 20)
            path.line(6, 15.4)
            path.line(9.4, 23)
            path.line(13, 21.4)
            path.line(9.6, 14)
            path.line(16, 14)
            path.close()
            isFilled = true
        case .erase:
            path.move(8.6, 5.4)
            path.line(20.4, 5.4)
            path.line(20.4, 18.6)
            path.line(8.6, 18.6)
            path.line(2.8, 12)
            path.close()
            path.move(11, 9.2)
            path.line(16.6, 14.8)
            path.move(16.6, 9.2)
            path.line(11, 14.8)
        case .cross:
            path.move(5.8, 5.8)
            path.line(18.2, 18.2)
            path.move(18.2, 5.8)
            path.line(5.8, 18.2)
            pen = 2.2
        case .previous, .next:
            let side: Float = self == .next ? 1 : -1
            path.move(12 - side * 6.4, 6)
            path.line(12 + side * 3.2, 12)
            path.line(12 - side * 6.4, 18)
            path.close()
            path.rect(12 + side * 5.6 - 1.1, 6, 2.2, 12, radius: 0.6)
            isFilled = true
        case .book:
            path.move(12, 6.6)
            path.curve(9.6, 4.6, 6, 4.2, 2.6, 4.8)
            path.line(2.6, 18.4)
            path.curve(6, 17.8, 9.6, 18.2, 12, 20.2)
            path.curve(14.4, 18.2, 18, 17.8, 21.4, 18.4)
            path.line(21.4, 4.8)
            path.curve(18, 4.2, 14.4, 4.6, 12, 6.6)
            path.line(12, 20.2)
            pen = 1.2
        case .warning:
            path.move(12, 3.6)
            path.line(22, 20.4)
            path.line(2, 20.4)
            path.close()
            path.move(12, 10)
            path.line(12, 14.6)
            path.move(12, 17.4)
            path.line(12, 17.5)
        case .home, .homeFilled, .compass, .compassFilled, .scope, .checkCircle, .checkCircleFilled, .crossCircleFilled,
            .bubble, .bubbleFilled, .share, .person, .personFilled, .libraryFilled, .gear, .gearFilled:
            return pictogram(size: size)
        }
        let mask = path.stroked(pen, width: size, height: size, scale: scale)
        if isFilled { mask.add(path.filled(width: size, height: size, scale: scale)) }
        if self == .back || self == .forward { mask.add(arrow.filled(width: size, height: size, scale: scale)) }
        return mask
    }

    private var arrow: Path {
        let side: Float = self == .back ? 1 : -1
        var path = Path()
        path.move(12 - side * 4.6, 3.9)
        path.line(12 + side * 0.4, 0.5)
        path.line(12 + side * 0.4, 7.3)
        path.close()
        return path
    }
}
