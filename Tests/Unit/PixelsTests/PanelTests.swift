// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Pixels

/// Each pixel another, so that none is taken for another.
private func numbered(_ width: Int, _ height: Int) -> Surface {
    let surface = Surface(width: width, height: height)
    for index in 0..<width * height {
        surface.pixels[index] = 0xFF00_0000 | UInt32(truncatingIfNeeded: index &* 2_654_435 + 77) & 0xFF_FFFF
    }
    return surface
}

@Suite struct PixelsOfPanels {
    private static let layouts: [PixelLayout] = [
        .xrgb8888, .rgb565,
        PixelLayout(
            bytes: 3, red: .init(offset: 0, bits: 8), green: .init(offset: 8, bits: 8), blue: .init(offset: 16, bits: 8)
        )!,
        PixelLayout(
            bytes: 4, red: .init(offset: 8, bits: 8), green: .init(offset: 16, bits: 8),
            blue: .init(offset: 24, bits: 8))!,
        PixelLayout(
            bytes: 2, red: .init(offset: 0, bits: 5), green: .init(offset: 5, bits: 6), blue: .init(offset: 11, bits: 5)
        )!,
        PixelLayout(
            bytes: 2, red: .init(offset: 10, bits: 5), green: .init(offset: 5, bits: 5), blue: .init(offset: 0, bits: 5)
        )!,
    ]

    private static func value(_ bytes: [UInt8], _ at: Int, _ count: Int) -> UInt32 {
        (0..<count).reduce(0) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) }
    }

    /// Every colour is shown by a step beside it.
    @Test func everyLayout() {
        let picture = numbered(37, 3)
        for layout in Self.layouts {
            var bytes = [UInt8](repeating: 0xEE, count: 37 * 3 * layout.bytes + 1)
            layout.write(picture.pixels, count: 37 * 3, x: 5, y: 2, to: &bytes)
            #expect(bytes.last == 0xEE)
            for index in 0..<37 * 3 {
                let pixel = picture.pixels[index]
                let value = Self.value(bytes, index * layout.bytes, layout.bytes)
                for (channel, shift) in [(layout.red, 16), (layout.green, 8), (layout.blue, 0)] {
                    let level = Double(pixel >> UInt32(shift) & 0xFF)
                    let most = 1 << channel.bits - 1
                    let shown = Int(value >> UInt32(channel.offset)) & most
                    // One of the two steps that it lies between, and of 8 bits the level itself.
                    #expect(abs(Double(shown) * 255 / Double(most) - level) < (most == 255 ? 0.5 : 256 / Double(most)))
                }
            }
        }
    }

    @Test func whatIsNoPanel() {
        let eight = PixelLayout.Channel(offset: 0, bits: 8)
        #expect(PixelLayout(bytes: 1, red: eight, green: eight, blue: eight) == nil)
        #expect(PixelLayout(bytes: 4, red: eight, green: eight, blue: .init(offset: 30, bits: 5)) == nil)
        #expect(PixelLayout(bytes: 4, red: eight, green: .init(offset: 8, bits: 10), blue: eight) == nil)
        #expect(PixelLayout(bytes: 2, red: .init(offset: -1, bits: 5), green: eight, blue: eight) == nil)
    }

    /// The place of a pixel of the picture on a panel, one at a time.
    private static func place(_ x: Int, _ y: Int, _ rotation: PanelRotation, _ width: Int, _ height: Int) -> (Int, Int)
    {
        switch rotation {
        case .none: (x, y)
        case .right: (width - 1 - y, x)
        case .half: (width - 1 - x, height - 1 - y)
        case .left: (y, height - 1 - x)
        }
    }

    /// Any part, of any size, lands where each of its pixels belongs, and nothing else changes.
    @Test(arguments: PanelRotation.allCases) func anyPartAnyRotation(rotation: PanelRotation) {
        let (width, height) = (53, 31)
        for layout in Self.layouts {
            let transfer = PanelTransfer(panelWidth: width, panelHeight: height, rotation: rotation, layout: layout)
            let picture = numbered(transfer.width, transfer.height)
            let stride = width * layout.bytes + 5
            var whole = [UInt8](repeating: 0xEE, count: stride * height)
            for rect in [
                PixelRect(x: 0, y: 0, width: transfer.width, height: transfer.height),
                PixelRect(x: 3, y: 5, width: 1, height: 1), PixelRect(x: 7, y: 2, width: 11, height: 19),
                PixelRect(x: transfer.width - 2, y: transfer.height - 9, width: 2, height: 9),
            ] {
                let before = whole
                let area = transfer.onPanel(rect)
                #expect(area.x >= 0 && area.y >= 0 && area.maxX <= width && area.maxY <= height)
                #expect(area.width * area.height == rect.width * rect.height)
                whole.withUnsafeMutableBytes {
                    transfer.write(
                        area, of: picture, to: $0.baseAddress! + area.y * stride + area.x * layout.bytes, stride: stride
                    )
                }
                var touched = Set<Int>()
                for y in rect.y..<rect.maxY {
                    for x in rect.x..<rect.maxX {
                        let (px, py) = Self.place(x, y, rotation, width, height)
                        #expect(area.contains(x: px, y: py))
                        let at = py * stride + px * layout.bytes
                        touched.formUnion(at..<at + layout.bytes)
                        #expect(
                            Self.value(whole, at, layout.bytes) & layout.value(of: .max, x: 0, y: 0)
                                == layout.value(of: picture.pixels[y * transfer.width + x], x: px, y: py))
                    }
                }
                for index in whole.indices where !touched.contains(index) { #expect(whole[index] == before[index]) }
            }
        }
    }

    /// Black is black and white is white wherever it stands, and no step of a panel is left out.
    @Test func endsAndSteps() {
        for layout in Self.layouts {
            for place in 0..<16 {
                #expect(layout.value(of: 0, x: place & 3, y: place >> 2) == 0)
                #expect(
                    layout.value(of: .max, x: place & 3, y: place >> 2).nonzeroBitCount
                        == layout.red.bits + layout.green.bits + layout.blue.bits)
            }
        }
        let greys = Set((0..<256).map { PixelLayout.rgb565.value(of: UInt32($0) * 0x10101, x: 1, y: 2) & 0x1F })
        #expect(greys.count == 32)
    }

    /// A gradient that a panel of 16 bits has too few levels for has no bands: over any few pixels it is as bright on the average as it was
    /// meant to be, while cut off it would be a step's half wrong.
    @Test func gradientsHaveNoBands() {
        let (width, height) = (400, 8)
        let picture = Surface(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                let level = UInt32(60 + x * 40 / width)
                picture.pixels[y * width + x] = 0xFF00_0000 | level * 0x10101
            }
        }
        let transfer = PanelTransfer(panelWidth: width, panelHeight: height, rotation: .none, layout: .rgb565)
        var panel = [UInt16](repeating: 0, count: width * height)
        panel.withUnsafeMutableBytes {
            transfer.write(
                PixelRect(x: 0, y: 0, width: width, height: height), of: picture, to: $0.baseAddress!, stride: width * 2
            )
        }
        for x in stride(from: 0, to: width - 8, by: 4) {
            var (red, green, blue, meant) = (0.0, 0.0, 0.0, 0.0)
            for y in 0..<8 {
                for place in x..<x + 8 {
                    let pixel = panel[y * width + place]
                    red += Double(pixel >> 11) * 255 / 31
                    green += Double(pixel >> 5 & 0x3F) * 255 / 63
                    blue += Double(pixel & 0x1F) * 255 / 31
                    meant += Double(picture.pixels[y * width + place] & 0xFF)
                }
            }
            for shown in [red, green, blue] { #expect(abs(shown - meant) / 64 < 1) }
        }
    }

    /// A copy in parts looks like a copy at once: patterns meet.
    @Test(arguments: PanelRotation.allCases) func partsMeet(rotation: PanelRotation) {
        let (width, height) = (61, 43)
        for layout in Self.layouts where layout.bytes == 2 {
            let transfer = PanelTransfer(panelWidth: width, panelHeight: height, rotation: rotation, layout: layout)
            let picture = numbered(transfer.width, transfer.height)
            func copied(_ rects: [PixelRect]) -> [UInt8] {
                // A stride that is no multiple of a pixel's bytes, as some drivers have.
                let stride = width * 2 + 7
                var bytes = [UInt8](repeating: 0, count: stride * height)
                bytes.withUnsafeMutableBytes {
                    for rect in rects {
                        let area = transfer.onPanel(rect)
                        transfer.write(
                            area, of: picture, to: $0.baseAddress! + area.y * stride + area.x * 2, stride: stride)
                    }
                }
                return bytes
            }
            let whole = PixelRect(x: 0, y: 0, width: transfer.width, height: transfer.height)
            let (x, y) = (whole.width / 3 + 1, whole.height / 2 + 1)
            #expect(
                copied([whole])
                    == copied([
                        PixelRect(x: 0, y: 0, width: x, height: y),
                        PixelRect(x: x, y: 0, width: whole.width - x, height: y),
                        PixelRect(x: 0, y: y, width: whole.width, height: whole.height - y),
                    ]))
        }
    }
}
