// SPDX-License-Identifier: Apache-2.0
/// The coverage of a rounded corner's square: the top left one. The others are mirrored from it.
final class Corners {
    let radius: Int
    /// The rows of the corner, each `radius` wide.
    let mask: Mask

    init(radius: Int) {
        self.radius = radius
        mask = Mask(width: max(1, radius), height: max(1, radius))
        let r = Float(radius)
        for y in 0..<radius {
            for x in 0..<radius {
                // A pixel's coverage is the distance of its center within the circle, up to about a pixel's width.
                let (dx, dy) = (r - Float(x) - 0.5, r - Float(y) - 0.5)
                let cover = min(1, max(0, r + 0.5 - (dx * dx + dy * dy).squareRoot()))
                mask.row(y)[x] = UInt8(cover * 255 + 0.5)
            }
        }
    }
}
