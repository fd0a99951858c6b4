// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// The materials of glass. The thinner, the more shines through.
enum Material {
    case ultraThin, thin, regular, thick
}

extension Picture {
    /// Draws glass over the picture so far: a blur, the theme's tint, and a line along the edge. It is solid if the listener has turned
    /// transparency off.
    /// - Parameter isBlurred: false if the ground is so even that a blur changes nothing.
    func glass(_ rect: PixelRect, radius: Int, _ material: Material, isBlurred: Bool = true, hasStroke: Bool = true) {
        let theme = self.theme
        let shown = rect.intersection(surface.bounds)
        if shown.isEmpty { return }
        if stage.comfort.reducesTransparency {
            canvas.fill(rect, radius: radius, with: theme.solid(material.depth))
        } else {
            if isBlurred && stage.hasBlur {
                stage.blurs += 1
                let small = Blur.quarter(surface.part(shown), sigma: Float(stage.pixels(Metrics.glassBlur)))
                // Scale by exactly four and cut off the rest: that is the cheapest way to draw it.
                let whole = PixelRect(
                    x: shown.x, y: shown.y, width: small.width * Blur.reduction, height: small.height * Blur.reduction)
                canvas.draw(small, scaledTo: whole, part: shown, radius: rect == shown ? radius : 0)
            }
            canvas.fill(rect, radius: radius, with: tint(theme.material(material.depth), over: shown))
        }
        if hasStroke { canvas.stroke(rect, radius: radius, width: stage.scale.line(0.5), with: theme.glassStroke) }
    }

    /// Draws a card of glass with its shadow.
    func glassCard(_ rect: PixelRect, _ material: Material = .regular, isBlurred: Bool = false) {
        let radius = stage.pixels(Radius.glassCard)
        // No part of the shadow shows through the glass.
        let shown = rect.intersection(surface.bounds)
        let beneath = shown.isEmpty ? nil : surface.part(shown)
        shadow(of: rect, radius: radius, .glass)
        if let beneath { canvas.draw(beneath, in: shown, radius: rect == shown ? radius : 0) }
        glass(rect, radius: radius, material, isBlurred: isBlurred)
    }

    /// - Parameter lifted: the part of an already drawn shadow to remove, 0…1; nil to draw the shadow.
    func shadow(of rect: PixelRect, radius: Int, _ elevation: Elevation, lifted: Float? = nil) {
        canvas.shadow(
            of: rect, radius: radius, blur: stage.pixels(elevation.blur), down: stage.pixels(elevation.down),
            alpha: Int((elevation.opacity * 256).rounded()), lifted: lifted.map { Int($0 * 256) })
    }

    /// Writes one line, or a few, from the top of a place. Returns the height.
    @discardableResult
    func write(
        _ text: String, _ style: TypeStyle, x: Int, y: Int, width: Int, _ color: Color, lines: Int = 1,
        align: TextAlignment = .leading
    ) -> Int {
        if text.isEmpty { return 0 }
        return write(
            stage.set(text, style, width: width, lines: lines), text, x: x, y: y, width: width, color, align: align)
    }

    /// Writes a text vertically centered.
    /// - Parameter title: a title above it, with the same leading edge.
    func write(
        _ text: String, _ style: TypeStyle, in rect: PixelRect, _ color: Color, lines: Int = 1,
        align: TextAlignment = .leading, beneath title: TextLayout? = nil, on background: Color? = nil
    ) {
        if text.isEmpty { return }
        let set = stage.set(text, style, width: rect.width, lines: lines)
        let isAcross = title.map { $0.isRightToLeft != set.isRightToLeft } ?? false
        let align = isAcross ? .trailing : align
        write(set, text, in: rect, color, align: align, on: background)
    }

    /// Writes a text that is already set, in the same way.
    func write(
        _ set: TextLayout, _ text: String, in rect: PixelRect, _ color: Color, align: TextAlignment = .leading,
        opacity: Float = 1, on background: Color? = nil
    ) {
        let place = rect.middle(height: set.height)
        write(
            set, text, x: place.x, y: place.y, width: place.width, color, align: align, opacity: opacity, on: background
        )
    }

    /// Writes a row's title and its details below, vertically centered together.
    /// - Parameters:
    ///   - lines: the most lines of the title.
    ///   - found: words of the title to highlight; nil for none.
    func write(
        _ title: String, detail: String, in rect: PixelRect, _ color: Color, detail dim: Color? = nil, lines: Int = 1,
        found: FoundWords? = nil
    ) {
        let set = stage.set(title, .rowTitle, width: rect.width, lines: lines)
        var place = rect.middle(height: set.height + (detail.isEmpty ? 0 : stage.lineHeight(.rowDetail)))
        let frame = place.cutTop(set.height)
        let places = found?.places(in: title) ?? []
        // Choose the color before anything is drawn there.
        let accent = places.isEmpty ? theme.accent : readable(theme.accent, in: frame)
        write(set, title, in: frame, color)
        if !places.isEmpty {
            stage.painter.draw(
                set, only: places, on: canvas, x: frame.x, y: frame.y, width: frame.width, accent)
        }
        write(detail, .rowDetail, in: place, dim ?? theme.secondaryText, beneath: set)
    }

    /// Draws a bar with its completed part.
    /// - Parameter done: the length of that part, in pixels.
    func bar(_ rect: PixelRect, done: Int, track: Color, with color: Color) {
        canvas.fill(rect, radius: rect.height / 2, with: track)
        if done <= 0 { return }
        canvas.clipped(to: rect.left(done)) { canvas.fill(rect, radius: rect.height / 2, with: color) }
    }
}

extension Material {
    /// The depth of the material, 0…3, from the thinnest on.
    var depth: Int {
        switch self {
        case .ultraThin: 0
        case .thin: 1
        case .regular: 2
        case .thick: 3
        }
    }
}
