// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Pixels

@Suite struct Shapes {
    private func canvas(_ width: Int, _ height: Int) -> Canvas {
        let surface = Surface(width: width, height: height)
        Rows.fill(surface.pixels, count: width * height, with: 0xFFFF_FFFF)
        return Canvas(surface, shapes: ShapeCache())
    }

    private func area(_ surface: Surface) -> Double {
        var sum = 0
        for index in 0..<surface.width * surface.height { sum += 255 - Int(surface.pixels[index] & 0xFF) }
        return Double(sum) / 255
    }

    @Test(arguments: [1, 5, 16, 30, 50]) func aRoundedRectangleHasItsArea(radius: Int) {
        let canvas = canvas(140, 120)
        canvas.fill(PixelRect(x: 10, y: 10, width: 120, height: 100), radius: radius, with: Color(0))
        let wanted = 12000 - (4 - Double.pi) * Double(radius * radius)
        #expect(abs(area(canvas.surface) - wanted) < wanted * 0.002 + 1)
        // The same at all four corners.
        for y in 0..<60 {
            for x in 0..<70 {
                let pixel = canvas.surface.pixel(x: x, y: y)
                #expect(pixel == canvas.surface.pixel(x: 139 - x, y: y))
                #expect(pixel == canvas.surface.pixel(x: x, y: 119 - y))
            }
        }
    }

    /// A layout that has no room left gives rectangles of less than nothing: nothing is drawn of them.
    @Test func whatHasNoSizeIsNotDrawn() {
        let (drawn, blank) = (canvas(40, 40), canvas(40, 40))
        for (width, height) in [(0, 10), (-1, 10), (10, 0), (10, -30), (-50, -50)] {
            let rect = PixelRect(x: 10, y: 10, width: width, height: height)
            drawn.stroke(rect, radius: 6, width: 2, with: Color(0xFF_FFFF))
            drawn.fill(rect, radius: 6, with: Color(0xFF_FFFF))
            drawn.shadow(of: rect, radius: 6, blur: 0, down: 0, alpha: 256)
        }
        let isBlank = (0..<1600).allSatisfy { drawn.surface.pixels[$0] == blank.surface.pixels[$0] }
        #expect(isBlank)
    }

    /// A drawing in pieces, or beyond the edge, equals the whole drawing.
    @Test func clipsChangeNothing() {
        let (whole, pieces) = (canvas(200, 160), canvas(200, 160))
        func draw(_ canvas: Canvas) {
            let rect = PixelRect(x: -20, y: 15, width: 180, height: 170)
            canvas.shadow(of: rect, radius: 24, blur: 20, down: 6, alpha: 128)
            canvas.fill(rect, radius: 24, with: Color(0x30_60A0).opacity(0.7))
            canvas.stroke(rect, radius: 24, width: 3, with: Color(0xFF_FFFF).opacity(0.4))
            let picture = Surface(width: 12, height: 9)
            picture.pixels.update(from: noise(108), count: 108)
            canvas.draw(picture, scaledTo: rect.inset(by: 30), radius: 10)
        }
        draw(whole)
        for y in stride(from: 0, to: 160, by: 37) {
            for x in stride(from: 0, to: 200, by: 23) {
                pieces.clipped(to: PixelRect(x: x, y: y, width: 23, height: 37)) { draw(pieces) }
            }
        }
        for index in 0..<32000 where whole.surface.pixels[index] != pieces.surface.pixels[index] {
            Issue.record("differs at \(index % 200), \(index / 200)")
            break
        }
    }

    @Test func aShadowFadesOutAndIsEven() {
        let canvas = canvas(300, 300)
        let rect = PixelRect(x: 100, y: 100, width: 100, height: 100)
        canvas.shadow(of: rect, radius: 16, blur: 20, down: 0, alpha: 256)
        var before = 0
        for x in 50..<100 {
            let dark = 255 - canvas.surface.pixel(x: x, y: 150).red
            #expect(dark >= before)
            before = dark
            #expect(canvas.surface.pixel(x: x, y: 150) == canvas.surface.pixel(x: 299 - x, y: 150))
            #expect(canvas.surface.pixel(x: x, y: 150) == canvas.surface.pixel(x: 150, y: x))
        }
        #expect(before > 110 && before < 136)
        #expect(canvas.surface.pixel(x: 60, y: 150) == Color(0xFF_FFFF))
    }

    @Test func pathsHaveTheirArea() {
        var circle = Path()
        circle.circle(50, 50, radius: 40)
        func sum(_ mask: Mask) -> Double {
            (0..<mask.width * mask.height).map { Double(mask.bytes[$0]) / 255 }.reduce(0, +)
        }
        #expect(abs(sum(circle.filled(width: 100, height: 100, scale: 1)) - .pi * 1600) < 12)
        #expect(abs(sum(circle.filled(width: 50, height: 50, scale: 0.5)) - .pi * 400) < 4)
        #expect(abs(sum(circle.stroked(4, width: 100, height: 100, scale: 1)) - .pi * 320) < 8)
        let box = Path(svg: "M10.5 20.25H40.5V60.25H10.5Z")
        #expect(abs(sum(box.filled(width: 100, height: 100, scale: 1)) - 1200) < 1)
        // Parts of circles, told by their ends: large and small, either way round.
        for (path, area) in [
            ("M50 10A40 40 0 1 1 50 90A40 40 0 1 1 50 10Z" as StaticString, Double.pi * 1600),
            ("M50 10A40 40 0 0 1 90 50L50 50Z", .pi * 400), ("M90 50A40 40 0 0 0 50 10L50 50Z", .pi * 400),
            ("M50 10A40 40 0 1 0 90 50L50 50Z", .pi * 1200), ("M90 50A40 40 0 1 1 50 10L50 50Z", .pi * 1200),
            ("M20 20C20 20 80 20 80 20L80 80L20.0 80Z", 3600),
        ] {
            let made = sum(Path(svg: path).filled(width: 100, height: 100, scale: 1))
            #expect(abs(made - area) < 12, "\(path): \(made)")
        }
        // Parts outside are left out, and write nowhere else.
        var far = Path()
        far.circle(0, 0, radius: 300)
        #expect(sum(far.filled(width: 20, height: 20, scale: 1)) > 399)
    }
}

@Suite struct Contrast {
    @Test func isThatOfWCAG() {
        #expect(abs(Color(0).contrast(with: Color(0xFF_FFFF)) - 21) < 0.01)
        #expect(abs(Color(0x76_7676).contrast(with: Color(0xFF_FFFF)) - 4.54) < 0.01)
        #expect(abs(Color(0x70_7070).contrast(with: Color(0xFF_FFFF)) - 4.95) < 0.01)
        #expect(abs(Color(0x00_00FF).contrast(with: Color(0xFF_FFFF)) - 8.59) < 0.01)
    }
}
