// SPDX-License-Identifier: Apache-2.0
/// A color of 8 bits a channel, with its opacity.
public struct Color: Equatable, Sendable {
    /// The color as 0xFFRRGGBB, the format of surfaces.
    public let pixel: UInt32
    /// The opacity, 0…256.
    public let alpha: Int

    public init(_ rgb: UInt32, alpha: Int = 256) {
        pixel = rgb | 0xFF00_0000
        self.alpha = alpha
    }

    public var red: Int { Int(pixel >> 16 & 0xFF) }
    public var green: Int { Int(pixel >> 8 & 0xFF) }
    public var blue: Int { Int(pixel & 0xFF) }

    /// Returns the color with its opacity multiplied.
    public func opacity(_ part: Float) -> Color {
        Color(pixel & 0xFF_FFFF, alpha: Int((Float(alpha) * part).rounded()))
    }

    /// Returns this color blended over another, opaque one.
    public func over(_ other: Color) -> Color {
        func mix(_ top: Int, _ bottom: Int) -> UInt32 { UInt32((top * alpha + bottom * (256 - alpha)) >> 8) }
        return Color(mix(red, other.red) << 16 | mix(green, other.green) << 8 | mix(blue, other.blue))
    }

    // MARK: Contrast, as WCAG 2 has it

    /// The relative luminance, 0…1.
    public var luminance: Float {
        0.2126 * Color.linear(red) + 0.7152 * Color.linear(green) + 0.0722 * Color.linear(blue)
    }

    /// Returns the contrast to another color, 1…21.
    public func contrast(with other: Color) -> Float {
        let mine = luminance + 0.05
        let others = other.luminance + 0.05
        return max(mine, others) / min(mine, others)
    }

    /// Returns the linear value of a level by sRGB's curve: ((x + 0.055) / 1.055) ^ 2.4 = y² · y^0.4. Newton's steps give y^0.4 as the
    /// fifth root of y², at a tenth of the cost of the C library's pow.
    private static func linear(_ level: Int) -> Float {
        let x = Float(level) / 255
        if x <= 0.04045 { return x / 12.92 }
        let y = (x + 0.055) / 1.055
        let square = y * y
        var root = 0.4 + 0.6 * y
        for _ in 0..<6 {
            let fourth = root * root * root * root
            root -= (fourth * root - square) / (5 * fourth)
        }
        return square * root
    }
}
