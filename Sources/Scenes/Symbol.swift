// SPDX-License-Identifier: Apache-2.0
import Pixels

/// The icons, drawn at any size. Each is a row of `sign`: SVG paths on a 24 × 24 plane, as any drawing program exports them.
public enum Symbol: Int, CaseIterable, Sendable {
    case heart, heartFilled
    case play, pause
    case back, forward
    case library, bookmark, bookmarkFilled
    case chevronLeft
    case tick, plus, minus, trash, list, podcast, moon, speaker, reload, cross, previous, next
    case book
    case warning
    case search, erase, pointer
    case libraryFilled, gear, gearFilled

    private struct Sign {
        /// The stroked path.
        let outline: StaticString
        /// The inner stroked path. It is cut out of the filled one.
        let inner: StaticString
        /// The filled path, not stroked.
        let solid: StaticString
        /// The width of the pen.
        let pen: Float
        let isFilled: Bool
        /// True cuts out the area within the inner path, too.
        let hasHole: Bool

        init(
            _ outline: StaticString, inner: StaticString = "", solid: StaticString = "", pen: Float = 1.8,
            isFilled: Bool = false, hasHole: Bool = false
        ) {
            self.outline = outline
            self.inner = inner
            self.solid = solid
            self.pen = pen
            self.isFilled = isFilled
            self.hasHole = hasHole
        }
    }

    func mask(size: Int) -> Mask {
        let sign = sign
        let scale = Float(size) / 24
        func drawn(_ path: Path) -> Mask { path.stroked(sign.pen, width: size, height: size, scale: scale) }
        func filled(_ path: Path) -> Mask { path.filled(width: size, height: size, scale: scale) }
        let (outline, inner) = (Path(svg: sign.outline), Path(svg: sign.inner))
        let mask = drawn(outline)
        let solid = Path(svg: sign.solid)
        if !solid.isEmpty { mask.add(filled(solid)) }
        if !sign.isFilled {
            if !inner.isEmpty { mask.add(drawn(inner)) }
            return mask
        }
        mask.add(filled(outline))
        if inner.isEmpty { return mask }
        let lines = drawn(inner)
        if sign.hasHole { lines.add(filled(inner)) }
        for y in 0..<size {
            let (row, cut) = (mask.row(y), lines.row(y))
            for x in 0..<size { row[x] = UInt8((Int(row[x]) * (255 - Int(cut[x])) + 127) / 255) }
        }
        return mask
    }

    private var sign: Sign {
        switch self {
        case .heart, .heartFilled:
            Sign(
                """
                M12 20.6C5.4 15.9 2.6 12.4 2.6 8.6C2.6 5.6 4.9 3.4 7.6 3.4C9.4 3.4 11 4.3 12 6\
                C13 4.3 14.6 3.4 16.4 3.4C19.1 3.4 21.4 5.6 21.4 8.6C21.4 12.4 18.6 15.9 12 20.6
                """,
                isFilled: self == .heartFilled)
        case .play: Sign("M8.4 5.4L18.8 12L8.4 18.6Z", isFilled: true)
        case .pause:
            Sign(
                """
                M7.6 5.2H9A0.6 0.6 0 0 1 9.6 5.8V18.2A0.6 0.6 0 0 1 9 18.8H7.6A0.6 0.6 0 0 1 7 18.2V5.8\
                A0.6 0.6 0 0 1 7.6 5.2ZM15 5.2H16.4A0.6 0.6 0 0 1 17 5.8V18.2A0.6 0.6 0 0 1 16.4 18.8H15\
                A0.6 0.6 0 0 1 14.4 18.2V5.8A0.6 0.6 0 0 1 15 5.2Z
                """,
                isFilled: true)
        case .back: Sign("M12 3.9A9 9 0 1 1 4.72 7.61", solid: "M7.4 3.9L12.4 0.5L12.4 7.3Z", pen: 1.7)
        case .forward: Sign("M12 3.9A9 9 0 1 0 19.28 7.61", solid: "M16.6 3.9L11.6 0.5L11.6 7.3Z", pen: 1.7)
        case .library, .libraryFilled:
            Sign(
                """
                M4.2 4H6.2A0.8 0.8 0 0 1 7 4.8V19.2A0.8 0.8 0 0 1 6.2 20H4.2A0.8 0.8 0 0 1 3.4 19.2V4.8\
                A0.8 0.8 0 0 1 4.2 4ZM9.8 4H11.8A0.8 0.8 0 0 1 12.6 4.8V19.2A0.8 0.8 0 0 1 11.8 20H9.8\
                A0.8 0.8 0 0 1 9 19.2V4.8A0.8 0.8 0 0 1 9.8 4ZM14.4 5.6L17.6 4.6L21.8 19L18.6 20Z
                """,
                pen: 1.6,
                isFilled: self == .libraryFilled)
        case .bookmark, .bookmarkFilled:
            Sign(
                "M6.4 3.6L17.6 3.6L17.6 20.4L12 16L6.4 20.4Z",
                isFilled: self == .bookmarkFilled)
        case .chevronLeft: Sign("M15 4.5L7.5 12L15 19.5", pen: 2.2)
        case .tick: Sign("M4.5 12.8L9.8 18L19.5 6.4", pen: 2.6)
        case .plus: Sign("M12 5L12 19M5 12L19 12", pen: 2.2)
        case .minus: Sign("M5 12L19 12", pen: 2.2)
        case .trash:
            Sign(
                """
                M4.5 6.5L19.5 6.5M9.5 6.3L9.5 3.8L14.5 3.8L14.5 6.3M6.3 6.8L7.2 20.4L16.8 20.4L17.7 6.8M10.2 10.4\
                L10.4 16.8M13.8 10.4L13.6 16.8
                """,
                pen: 1.6)
        case .list:
            Sign(
                "M8.6 6.5L20.6 6.5M3.8 6.5L3.9 6.5M8.6 12L20.6 12M3.8 12L3.9 12M8.6 17.5L20.6 17.5M3.8 17.5L3.9 17.5",
                pen: 2)
        case .podcast:
            Sign(
                """
                M12 3.2A2.8 2.8 0 0 1 14.8 6V11.4A2.8 2.8 0 0 1 12 14.2A2.8 2.8 0 0 1 9.2 11.4V6\
                A2.8 2.8 0 0 1 12 3.2ZM5.6 11L5.6 11.2A6.4 6.4 0 0 0 18.4 11.2M12 17.7L12 21M8.6 21L15.4 21
                """)
        case .moon: Sign("M20.99 12.79L21 12.79A9.03 9.03 0 1 1 11.21 3L11.21 3A7 7 0 0 0 21 12.79Z")
        case .speaker:
            Sign(
                """
                M3.6 9.4L7.2 9.4L11.8 5.2L11.8 18.8L7.2 14.6L3.6 14.6ZM15.4 9L15.45 9.05A4.1 4.1 0 0 1 15.45 14.95\
                M18 6.4L18.02 6.39A7.8 7.8 0 0 1 18.02 17.61
                """,
                pen: 1.7)
        case .reload: Sign("M18.4 7.2L18.39 7.19A8 8 0 1 0 18.93 16M19 3.4L18.6 7.6L14.4 7.2")
        case .cross: Sign("M5.8 5.8L18.2 18.2M18.2 5.8L5.8 18.2", pen: 2.2)
        case .previous:
            Sign(
                """
                M18.4 6L8.8 12L18.4 18ZM5.9 6H6.9A0.6 0.6 0 0 1 7.5 6.6V17.4A0.6 0.6 0 0 1 6.9 18H5.9\
                A0.6 0.6 0 0 1 5.3 17.4V6.6A0.6 0.6 0 0 1 5.9 6Z
                """,
                isFilled: true)
        case .next:
            Sign(
                """
                M5.6 6L15.2 12L5.6 18ZM17.1 6H18.1A0.6 0.6 0 0 1 18.7 6.6V17.4A0.6 0.6 0 0 1 18.1 18H17.1\
                A0.6 0.6 0 0 1 16.5 17.4V6.6A0.6 0.6 0 0 1 17.1 6Z
                """,
                isFilled: true)
        case .book:
            Sign(
                """
                M12 6.6C9.6 4.6 6 4.2 2.6 4.8L2.6 18.4C6 17.8 9.6 18.2 12 20.2C14.4 18.2 18 17.8 21.4 18.4L21.4 4.8\
                C18 4.2 14.4 4.6 12 6.6L12 20.2
                """,
                pen: 1.2)
        case .warning: Sign("M12 3.6L22 20.4L2 20.4ZM12 10L12 14.6M12 17.4L12 17.5")
        case .search: Sign("M17 10.4A6.6 6.6 0 1 1 3.8 10.4A6.6 6.6 0 1 1 17 10.4M15.3 15.3L20.6 20.6", pen: 2.2)
        case .erase: Sign("M8.6 5.4L20.4 5.4L20.4 18.6L8.6 18.6L2.8 12ZM11 9.2L16.6 14.8M16.6 9.2L11 14.8")
        case .pointer: Sign("M1 0L1 20L6 15.4L9.4 23L13 21.4L9.6 14L16 14Z", isFilled: true)
        case .gear, .gearFilled:
            Sign(
                """
                M18.9 9.94L21.64 10.25L21.64 13.75L18.9 14.06L18.33 15.42L20.06 17.58L17.58 20.06L15.42 18.33\
                L14.06 18.9L13.75 21.64L10.25 21.64L9.94 18.9L8.58 18.33L6.42 20.06L3.94 17.58L5.67 15.42L5.1 14.06\
                L2.36 13.75L2.36 10.25L5.1 9.94L5.67 8.58L3.94 6.42L6.42 3.94L8.58 5.67L9.94 5.1L10.25 2.36\
                L13.75 2.36L14.06 5.1L15.42 5.67L17.58 3.94L20.06 6.42L18.33 8.58Z
                """,
                inner: "M15 12A3 3 0 1 1 9 12A3 3 0 1 1 15 12Z",
                pen: 1.6,
                isFilled: self == .gearFilled,
                hasHole: true)
        }
    }
}
