// SPDX-License-Identifier: Apache-2.0
/// The coverage of a rounded corner's square: the top left one, which the others are turned from.
final class Corners {
    let radius: Int
    /// Row after row, `radius` wide.
    let mask: Mask

    init(radius: Int) {
        self.radius = radius
        mask = Mask(width: max(1, radius), height: max(1, radius))
        let r = Float(radius)
        for y in 0..<radius {
            for x in 0..<radius {
                // A pixel's cover is how far its middle is within the circle, about a pixel's width of it.
                let (dx, dy) = (r - Float(x) - 0.5, r - Float(y) - 0.5)
                let cover = min(1, max(0, r + 0.5 - (dx * dx + dy * dy).squareRoot()))
                mask.row(y)[x] = UInt8(cover * 255 + 0.5)
            }
        }
    }
}
