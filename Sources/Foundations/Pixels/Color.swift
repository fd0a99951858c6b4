// SPDX-License-Identifier: Apache-2.0
/// A colour of 8 bits a channel, and how much of it covers what lies beneath.
public struct Color: Equatable, Sendable {
    /// 0xFFRRGGBB, which is how a surface has it.
    public let pixel: UInt32
    /// 0…256.
    public let alpha: Int

    public init(_ rgb: UInt32, alpha: Int = 256) {
        pixel = rgb | 0xFF00_0000
        self.alpha = alpha
    }

    public var red: Int { Int(pixel >> 16 & 0xFF) }
    public var green: Int { Int(pixel >> 8 & 0xFF) }
    public var blue: Int { Int(pixel & 0xFF) }

    /// The same with its cover multiplied.
    public func opacity(_ part: Float) -> Color {
        Color(pixel & 0xFF_FFFF, alpha: Int((Float(alpha) * part).rounded()))
    }

    /// This one over that, both taken as opaque but for this one's cover.
    public func over(_ other: Color) -> Color {
        func mix(_ top: Int, _ bottom: Int) -> UInt32 { UInt32((top * alpha + bottom * (256 - alpha)) >> 8) }
        return Color(mix(red, other.red) << 16 | mix(green, other.green) << 8 | mix(blue, other.blue))
    }

    // MARK: Contrast, as WCAG 2 has it

    /// Of light given off: 0…1.
    public var luminance: Float {
        0.2126 * Color.linear(red) + 0.7152 * Color.linear(green) + 0.0722 * Color.linear(blue)
    }

    /// 1…21.
    public func contrast(with other: Color) -> Float {
        let mine = luminance + 0.05
        let others = other.luminance + 0.05
        return max(mine, others) / min(mine, others)
    }

    /// sRGB's curve: ((x + 0.055) / 1.055) ^ 2.4 = y² · y^0.4, and y^0.4 as the fifth root of y² by Newton's steps, which cost a tenth of the
    /// C library's pow.
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
