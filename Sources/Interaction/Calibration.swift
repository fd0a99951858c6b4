// SPDX-License-Identifier: Apache-2.0
import Pixels

/// Maps a touch panel's coordinates to a pixel of the picture. A pure value.
public struct Calibration: Equatable, Sendable {
    /// The matrix of x' = a x + b y + c, y' = d x + e y + f, in 0…1 across and down the unrotated panel, as in X's input drivers and udev's
    /// `LIBINPUT_CALIBRATION_MATRIX`.
    public var matrix: (a: Float, b: Float, c: Float, d: Float, e: Float, f: Float)

    public static let none = Calibration(1, 0, 0, 0, 1, 0)

    public init(_ a: Float, _ b: Float, _ c: Float, _ d: Float, _ e: Float, _ f: Float) {
        matrix = (a, b, c, d, e, f)
    }

    public static func == (one: Calibration, other: Calibration) -> Bool { one.matrix == other.matrix }

    /// - Parameters:
    ///   - x: the place from the left of the unrotated panel, 0…1.
    ///   - rotation: the rotation of pictures on it.
    ///   - width: the width of the picture.
    public func pixel(
        _ x: Float, _ y: Float, _ rotation: PanelRotation, width: Int, height: Int
    ) -> (x: Int, y: Int) {
        let px = matrix.a * x + matrix.b * y + matrix.c
        let py = matrix.d * x + matrix.e * y + matrix.f
        let (u, v): (Float, Float) =
            switch rotation {
            case .none: (px, py)
            case .right: (py, 1 - px)
            case .half: (1 - px, 1 - py)
            case .left: (1 - py, px)
            }
        func place(_ part: Float, _ count: Int) -> Int { min(count - 1, max(0, Int(part * Float(count)))) }
        return (place(u, width), place(v, height))
    }
}
