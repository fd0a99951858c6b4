// SPDX-License-Identifier: Apache-2.0
/// Draws on a surface, within a clip. Keeps masks of corners and shadows for reuse. One thread.
public final class Canvas {
    public let surface: Surface
    /// The clip: nothing is drawn outside it.
    public private(set) var clip: PixelRect
    private let shapes: ShapeCache

    /// - Parameter shapes: the cache, which several canvases may share in turn.
    public init(_ surface: Surface, shapes: ShapeCache) {
        self.surface = surface
        self.shapes = shapes
        clip = surface.bounds
    }

    /// Draws within the rectangle only.
    public func clipped(to rect: PixelRect, _ draw: () -> Void) {
        let outer = clip
        clip = clip.intersection(rect)
        if !clip.isEmpty { draw() }
        clip = outer
    }

    // MARK: Rectangles

    public func fill(_ rect: PixelRect, with color: Color) {
        let area = rect.intersection(clip)
        if area.isEmpty || color.alpha <= 0 { return }
        if area.width == 1 {
            // Draw the sides of the frame.
            var place = surface.row(area.y) + area.x
            for _ in 0..<area.height {
                place.pointee = Rows.mix(place.pointee, color.pixel, by: UInt32(color.alpha))
                place += surface.width
            }
            return
        }
        for y in area.y..<area.maxY {
            Rows.blend(surface.row(y) + area.x, count: area.width, with: color.pixel, alpha: color.alpha)
        }
    }

    public func fill(_ rect: PixelRect, radius: Int, with color: Color) {
        if color.alpha <= 0 { return }
        eachRun(rect, radius) { pixels, _, _, count, mask in
            if let mask {
                Rows.blend(pixels, mask: mask, count: count, with: color.pixel, alpha: color.alpha)
            } else {
                Rows.blend(pixels, count: count, with: color.pixel, alpha: color.alpha)
            }
        }
    }

    /// Draws a frame of `width` pixels along the inside of the edge.
    public func stroke(_ rect: PixelRect, radius: Int, width: Int, with color: Color) {
        if rect.isEmpty { return }
        let mask = shapes.frame(radius: radius, width: width)
        let size = max(radius, width)
        for y in 0..<min(size, rect.height / 2) {
            for (line, row) in [(y, rect.y + y), (y, rect.maxY - 1 - y)] {
                if row < clip.y || row >= clip.maxY { continue }
                for x in 0..<min(size, rect.width / 2) {
                    let cover = UInt32(mask.row(line)[x])
                    if cover == 0 { continue }
                    let part = ((cover &+ cover >> 7) * UInt32(color.alpha)) >> 8
                    for column in [rect.x + x, rect.maxX - 1 - x] where column >= clip.x && column < clip.maxX {
                        let place = surface.row(row) + column
                        place.pointee = Rows.mix(place.pointee, color.pixel, by: part)
                    }
                }
            }
        }
        let middle = rect.inset(x: size, y: 0)
        fill(PixelRect(x: middle.x, y: rect.y, width: middle.width, height: width), with: color)
        fill(PixelRect(x: middle.x, y: rect.maxY - width, width: middle.width, height: width), with: color)
        fill(PixelRect(x: rect.x, y: rect.y + size, width: width, height: rect.height - 2 * size), with: color)
        fill(
            PixelRect(x: rect.maxX - width, y: rect.y + size, width: width, height: rect.height - 2 * size), with: color
        )
    }

    public func fill(_ rect: PixelRect, with gradient: Gradient) {
        gradient.fill(surface, rect, clip: clip)
    }

    public func fill(_ rect: PixelRect, radius: Int, with gradient: Gradient) {
        // The dither is that of a separate picture of the rectangle with its corners cut.
        let line = Surface(unfilledWidth: rect.width, height: 1)
        let way = Gradient.Way(gradient, rect)
        var drawn = Int.min
        eachRun(rect, radius) { pixels, x, y, count, mask in
            guard let mask else {
                return gradient.fill(pixels, count: count, x: x - rect.x, y: y - rect.y, way)
            }
            if y != drawn {
                gradient.fill(line.pixels, count: rect.width, x: 0, y: y - rect.y, way)
                drawn = y
            }
            Rows.blend(pixels, mask: mask, count: count, picture: line.pixels + (x - rect.x))
        }
    }

    // MARK: Pictures

    /// Draws a picture of the rectangle's size with rounded corners.
    public func draw(_ picture: Surface, in rect: PixelRect, radius: Int = 0) {
        eachRun(rect, radius) { pixels, x, y, count, mask in
            let from = picture.row(min(picture.height - 1, y - rect.y)) + (x - rect.x)
            if let mask {
                Rows.blend(pixels, mask: mask, count: count, picture: from)
            } else {
                Rows.copy(pixels, from, count: count)
            }
        }
    }

    /// Draws a picture scaled to the rectangle. If the shapes differ, it draws the middle part.
    /// - Parameters:
    ///   - part: the part of the rectangle to draw; nil for all.
    ///   - radius: the radius of the drawn corners.
    public func draw(_ picture: Surface, scaledTo rect: PixelRect, part: PixelRect? = nil, radius: Int = 0) {
        if rect.isEmpty { return }
        if part == nil && picture.width == rect.width && picture.height == rect.height {
            return draw(picture, in: rect, radius: radius)
        }
        let scaling = Scaling(
            source: (picture.width, picture.height), filling: (rect.width, rect.height))
        let line = Surface(unfilledWidth: rect.width, height: 1)
        var row = UnsafePointer(line.pixels)
        var drawn = Int.min
        eachRun((part ?? rect).intersection(rect), radius) { pixels, x, y, count, mask in
            if y != drawn {
                row = scaling.row(y - rect.y, of: picture, line.pixels, count: rect.width)
                drawn = y
            }
            let from = row + (x - rect.x)
            if let mask {
                Rows.blend(pixels, mask: mask, count: count, picture: from)
            } else {
                Rows.copy(pixels, from, count: count)
            }
        }
    }

    /// Draws one color through a mask, with the mask's top left corner at the place.
    public func draw(_ mask: Mask, x: Int, y: Int, with color: Color) {
        draw(
            mask: mask.bytes, pitch: mask.width, width: mask.width, height: mask.height, x: x, y: y, with: color)
    }

    /// Draws one color through a mask in memory.
    /// - Parameter pitch: the distance of rows in bytes; bytes beyond the width must be 0.
    public func draw(
        mask bytes: UnsafePointer<UInt8>, pitch: Int, width: Int, height: Int, x: Int, y: Int, with color: Color
    ) {
        let area = PixelRect(x: x, y: y, width: width, height: height).intersection(clip)
        if area.isEmpty { return }
        // Whole groups of pixels are faster than the remainder of one.
        let count = area.width == width && x + pitch <= surface.width ? pitch : area.width
        Rows.blend(
            surface.row(area.y) + area.x, stride: surface.width,
            mask: bytes + ((area.y - y) * pitch + area.x - x), pitch: pitch, width: count, height: area.height,
            with: color.pixel, alpha: color.alpha)
    }

    /// Draws one color through ink.
    /// - Parameters:
    ///   - x: the ink's left edge. The clip's edges should lie a multiple of four pixels from it; pixels up to such a place are left out.
    ///   - part: returns the color's opacity in a row of the surface, of 256.
    public func draw(_ ink: Ink, x: Int, y: Int, with color: Color, _ part: (Int) -> Int) {
        let paint = Rows.Paint(color.pixel)
        let first = (max(0, clip.x - x) + 3) & ~3
        let columns = first..<max(first, (clip.maxX - x) & ~3)
        for row in max(y, clip.y)..<max(y, clip.y, min(y + ink.height, clip.maxY)) {
            ink.draw(
                row: row - y, columns: columns, on: surface.row(row) + x, paint, alpha: (color.alpha * part(row)) >> 8)
        }
    }

    /// Draws pixels with their own opacity.
    /// - Parameter alpha: the opacity of the whole, 0…256.
    public func draw(
        premultiplied pixels: UnsafePointer<UInt32>, width: Int, height: Int, x: Int, y: Int, alpha: Int
    ) {
        let area = PixelRect(x: x, y: y, width: width, height: height).intersection(clip)
        if area.isEmpty { return }
        for row in area.y..<area.maxY {
            Rows.blend(
                surface.row(row) + area.x, premultiplied: pixels + ((row - y) * width + area.x - x), count: area.width,
                alpha: alpha)
        }
    }

    // MARK: Shadows

    /// Draws the black shadow of a rounded rectangle, only around it, since the rectangle is drawn over the rest.
    /// - Parameters:
    ///   - blur: twice the Gaussian's sigma, in pixels.
    ///   - down: the distance of the shadow downward, in pixels.
    ///   - alpha: the opacity at its deepest, 0…256.
    ///   - lifted: the part of an already drawn shadow to remove, of 256; nil to draw the shadow.
    public func shadow(of rect: PixelRect, radius: Int, blur: Int, down: Int, alpha: Int, lifted: Int? = nil) {
        let patch = shapes.shadow(radius: radius, blur: blur, alpha: alpha)
        let reach = patch.reach
        let area = PixelRect(
            x: rect.x - reach, y: rect.y - reach + down, width: rect.width + 2 * reach, height: rect.height + 2 * reach)
        let visible = area.intersection(clip)
        if visible.isEmpty { return }
        let line = Mask(width: area.width, height: 1)
        let (top, bottom) = (rect.y + radius, rect.maxY - radius)
        var y = visible.y
        while y < visible.maxY {
            let index = patch.index(y - area.y, of: area.height)
            patch.stretch(index, to: line.bytes, width: area.width)
            // The rectangle covers the shadow except at its corners, in its first and last rows.
            let isCovered = y >= top && y < bottom
            let corner = isCovered ? 0 : y >= rect.y && y < rect.maxY ? radius : rect.width
            // Draw the identical rows of the middle at once.
            var end = y + 1
            while isCovered && end < min(bottom, visible.maxY) && patch.index(end - area.y, of: area.height) == index {
                end += 1
            }
            let isWhole = 2 * corner >= rect.width
            let left = isWhole ? visible.maxX : min(visible.maxX, max(visible.x, rect.x + corner))
            let right = isWhole ? visible.maxX : min(visible.maxX, max(visible.x, rect.maxX - corner))
            for (from, to) in [(visible.x, left), (right, visible.maxX)] where to > from {
                let (row, parts) = (surface.row(y) + from, UnsafePointer(line.bytes + (from - area.x)))
                if let lifted {
                    for row in y..<end {
                        Rows.lighten(surface.row(row) + from, by: parts, count: to - from, part: UInt32(lifted))
                    }
                } else {
                    Rows.darken(row, stride: surface.width, by: parts, width: to - from, height: end - y)
                }
            }
            y = end
        }
    }

    // MARK: Runs

    /// Calls back with every visible run of a rounded rectangle, and its coverage; nil for full coverage.
    private func eachRun(
        _ rect: PixelRect, _ radius: Int,
        _ draw: (UnsafeMutablePointer<UInt32>, Int, Int, Int, UnsafePointer<UInt8>?) -> Void
    ) {
        let area = rect.intersection(clip)
        if area.isEmpty { return }
        let radius = max(0, min(radius, min(rect.width, rect.height) / 2))
        let corners = radius > 0 ? shapes.corners(radius) : nil
        for y in area.y..<area.maxY {
            let fromEdge = min(y - rect.y, rect.maxY - 1 - y)
            guard let corners, fromEdge < radius else {
                draw(surface.row(y) + area.x, area.x, y, area.width, nil)
                continue
            }
            let mask = corners.mask.row(fromEdge)
            let left = min(area.maxX, rect.x + radius)
            if left > area.x { draw(surface.row(y) + area.x, area.x, y, left - area.x, mask + (area.x - rect.x)) }
            let right = max(area.x, rect.maxX - radius)
            let middle = max(area.x, left)
            if right > middle { draw(surface.row(y) + middle, middle, y, min(right, area.maxX) - middle, nil) }
            if area.maxX > right {
                let mirrored = shapes.mirrored(corners, row: fromEdge)
                draw(surface.row(y) + right, right, y, area.maxX - right, mirrored + (right - (rect.maxX - radius)))
            }
        }
    }
}
