// SPDX-License-Identifier: Apache-2.0
import Pixels

/// From where a touch panel says that it is touched to the pixel of the picture there. A pure value.
public struct Calibration: Equatable, Sendable {
    /// x' = a x + b y + c, y' = d x + e y + f, of 0…1 across and down the panel as it is made: as for X's input drivers and udev's
    /// `LIBINPUT_CALIBRATION_MATRIX`.
    public var matrix: (a: Float, b: Float, c: Float, d: Float, e: Float, f: Float)

    public static let none = Calibration(1, 0, 0, 0, 1, 0)

    public init(_ a: Float, _ b: Float, _ c: Float, _ d: Float, _ e: Float, _ f: Float) {
        matrix = (a, b, c, d, e, f)
    }

    public static func == (one: Calibration, other: Calibration) -> Bool { one.matrix == other.matrix }

    /// - Parameters:
    ///   - x: 0…1, from the left of the panel as it is made.
    ///   - rotation: the rotation of pictures on it.
    ///   - width: of the picture.
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
