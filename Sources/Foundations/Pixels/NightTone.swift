// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The picture as shown at night: amber on black, with no blue left. Every pixel becomes one of 256 tones by its luminance. Two colors keep
/// their order, and their contrast to the power of `contrastPower`.
public final class NightTone {
    /// The tone of white, with a third of white's light.
    public static var brightest: Color { tone(255) }

    /// Returns the contrast needed so that `contrast` is left at night.
    public static func contrast(for contrast: Float) -> Float { powf(contrast, 1 / contrastPower) }

    /// The power that maps contrasts. Black has luminance 0, white 1, or the brightest tone's at night; WCAG adds 0.05 to both.
    private static var contrastPower: Float { logf((brightest.luminance + 0.05) / 0.05) / logf(1.05 / 0.05) }

    private static func tone(_ level: Int) -> Color { Color(UInt32(level << 16 | (level / 2) << 8)) }

    /// The number of luminance steps up to white.
    private static let steps = 4096
    /// The light of each level of red, green and blue, 256 each, in `steps`.
    private let light: [UInt16]
    private let tones: [UInt32]

    public init() {
        var light: [UInt16] = []
        for shift in [16, 8, 0] {
            for level in 0..<256 {
                let part = Color(UInt32(level) << UInt32(shift)).luminance
                light.append(UInt16((part * Float(NightTone.steps)).rounded()))
            }
        }
        self.light = light
        let power = NightTone.contrastPower
        var (level, tones) = (0, [UInt32]())
        // The sum of three rounded parts may be one step more.
        for step in 0...NightTone.steps + 1 {
            let kept = powf((min(1, Float(step) / Float(NightTone.steps)) + 0.05) / 0.05, power)
            let wanted = 0.05 * kept - 0.05
            while level < 255 && NightTone.tone(level + 1).luminance <= wanted * 1.001 { level += 1 }
            tones.append(NightTone.tone(level).pixel)
        }
        self.tones = tones
    }

    /// Writes a rectangle of a picture to the same place of the night picture, which has the same size.
    public func write(_ rect: PixelRect, of picture: Surface, to night: Surface) {
        let area = rect.intersection(picture.bounds)
        if area.isEmpty { return }
        light.withUnsafeBufferPointer { light in
            tones.withUnsafeBufferPointer { tones in
                for y in area.y..<area.maxY {
                    let (from, to) = (picture.row(y), night.row(y))
                    for x in area.x..<area.maxX {
                        let pixel = from[x]
                        let sum =
                            light[Int(pixel >> 16 & 0xFF)] &+ light[256 &+ Int(pixel >> 8 & 0xFF)]
                            &+ light[512 &+ Int(pixel & 0xFF)]
                        to[x] = tones[Int(sum)]
                    }
                }
            }
        }
    }
}
