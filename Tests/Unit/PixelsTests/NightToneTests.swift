// SPDX-License-Identifier: Apache-2.0
import Fuzzing
import Pixels
import Testing

@Suite struct NightToneTests {
    /// A row of pixels as it is shown at night.
    private func shown(_ pixels: [UInt32]) -> [Color] {
        let picture = Surface(width: pixels.count, height: 1)
        for (x, pixel) in pixels.enumerated() { picture.row(0)[x] = pixel }
        let night = Surface(width: pixels.count, height: 1)
        NightTone().write(picture.bounds, of: picture, to: night)
        return pixels.indices.map { night.pixel(x: $0, y: 0) }
    }

    @Test func blackIsBlackAndWhiteTheBrightest() {
        #expect(shown([0xFF00_0000, 0xFFFF_FFFF]) == [Color(0x000000), NightTone.brightest])
        #expect(NightTone.brightest.luminance < 0.4)
    }

    /// Nothing is blue, a lighter colour is no darker than another, and what stood out enough does so still.
    @Test func anyTwoColoursKeepTheirOrderAndTheirContrast() {
        var random = SeededGenerator(seed: 7)
        var pixels = (0..<256).map { 0xFF00_0000 | UInt32($0) * 0x010101 }
        for _ in 0..<1200 { pixels.append(0xFF00_0000 | UInt32.random(in: 0...0xFF_FFFF, using: &random)) }
        let night = shown(pixels)
        #expect(night.allSatisfy { $0.blue == 0 && $0.green * 2 <= $0.red })
        let needed = [Float(4.5), 7].map { ($0, NightTone.contrast(for: $0 * 1.03)) }
        var pairs = 0
        for one in stride(from: 0, to: pixels.count, by: 3) {
            for other in stride(from: 1, to: pixels.count, by: 7) {
                let (a, b) = (Color(pixels[one]), Color(pixels[other]))
                if a.luminance > b.luminance + 0.001 && night[one].luminance < night[other].luminance {
                    Issue.record("\(pixels[one]) is darker than \(pixels[other])")
                }
                for (least, before) in needed where a.contrast(with: b) >= before {
                    pairs += 1
                    let left = night[one].contrast(with: night[other])
                    if left < least { Issue.record("\(pixels[one]) on \(pixels[other]) has \(left)") }
                }
            }
        }
        #expect(pairs > 1000)
    }

    @Test func onlyTheRectangleIsWritten() {
        let picture = Surface(width: 8, height: 8)
        let night = Surface(width: 8, height: 8)
        for index in 0..<64 { (picture.pixels[index], night.pixels[index]) = (0xFFFF_FFFF, 0xFF12_3456) }
        NightTone().write(PixelRect(x: 6, y: 2, width: 9, height: 2), of: picture, to: night)
        for y in 0..<8 {
            for x in 0..<8 {
                let isWritten = x >= 6 && (2...3).contains(y)
                #expect(night.pixel(x: x, y: y) == (isWritten ? NightTone.brightest : Color(0x123456)))
            }
        }
    }
}
