// SPDX-License-Identifier: Apache-2.0
/// Draws on a surface, within a clip. It keeps the masks of radii and shadows for reuse. One thread.
public final class Canvas {
    public let surface: Surface
    /// Nothing is drawn outside it.
    public private(set) var clip: PixelRect
    private let shapes: ShapeCache

    /// - Parameter shapes: may be shared by canvases that are drawn on in turn.
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
            // The side of a frame.
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

    /// A frame of `width` pixels along the inside of the edge.
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
        // The dither is that of a separate picture of the rectangle, with its corners cut.
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

    /// A picture of the rectangle's size, its corners rounded.
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

    /// A picture drawn at the rectangle's size, the middle of it where the shapes differ.
    /// - Parameters:
    ///   - part: the part of the rectangle to draw; nil for all.
    ///   - radius: of the corners of what is drawn.
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

    /// One colour where the mask covers, its top left corner at the place.
    public func draw(_ mask: Mask, x: Int, y: Int, with color: Color) {
        draw(
            mask: mask.bytes, pitch: mask.width, width: mask.width, height: mask.height, x: x, y: y, with: color)
    }

    /// The same of a mask that stands somewhere in memory.
    /// - Parameter pitch: from one row to the next; anything beyond the width covers nothing.
    public func draw(
        mask bytes: UnsafePointer<UInt8>, pitch: Int, width: Int, height: Int, x: Int, y: Int, with color: Color
    ) {
        let area = PixelRect(x: x, y: y, width: width, height: height).intersection(clip)
        if area.isEmpty { return }
        // Whole groups of pixels are drawn faster than what is left of one.
        let count = area.width == width && x + pitch <= surface.width ? pitch : area.width
        Rows.blend(
            surface.row(area.y) + area.x, stride: surface.width,
            mask: bytes + ((area.y - y) * pitch + area.x - x), pitch: pitch, width: count, height: area.height,
            with: color.pixel, alpha: color.alpha)
    }

    /// One colour where ink covers.
    /// - Parameters:
    ///   - x: the clip's edges are a multiple of four pixels from here, or its pixels up to such a place are left out.
    ///   - part: of a row of the surface, how much of 256 of the colour is drawn there.
    public func draw(_ ink: Ink, x: Int, y: Int, with color: Color, _ part: (Int) -> Int) {
        let paint = Rows.Paint(color.pixel)
        let first = (max(0, clip.x - x) + 3) & ~3
        let columns = first..<max(first, (clip.maxX - x) & ~3)
        for row in max(y, clip.y)..<max(y, clip.y, min(y + ink.height, clip.maxY)) {
            ink.draw(
                row: row - y, columns: columns, on: surface.row(row) + x, paint, alpha: (color.alpha * part(row)) >> 8)
        }
    }

    /// Pixels with their own opacity. - Parameter alpha: 0…256.
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

    /// The shadow of a rounded rectangle: drawn around it, as the rectangle itself is drawn over the rest. Black.
    /// - Parameters:
    ///   - blur: twice the Gaussian's sigma, in pixels.
    ///   - down: by how much the shadow lies lower.
    ///   - alpha: 0…256, where it is deepest.
    ///   - lifted: of 256, how much of a shadow that lies there is taken away; nil to draw it.
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
            // Nothing of it is seen where the rectangle lies: but for its corners in its first and last rows.
            let isCovered = y >= top && y < bottom
            let corner = isCovered ? 0 : y >= rect.y && y < rect.maxY ? radius : rect.width
            // Rows that are all alike, as those of the middle are, are drawn at once.
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

    /// Every visible run of a rounded rectangle, with how much of its pixels is covered; nil for all.
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
