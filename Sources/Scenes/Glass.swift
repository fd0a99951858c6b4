// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// Materials, the thinner the more shines through.
enum Material {
    case ultraThin, thin, regular, thick
}

extension Picture {
    /// Glass over what has been drawn so far: that, blurred, a tint by theme, and a line along the edge. A solid surface where a person wants no
    /// transparency.
    /// - Parameter isBlurred: false where what lies beneath is so even that a blur of it is the same.
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
                // As large as what it was reduced from, and what goes beyond that is cut off: four pixels for each are drawn at the least cost.
                let whole = PixelRect(
                    x: shown.x, y: shown.y, width: small.width * Blur.reduction, height: small.height * Blur.reduction)
                canvas.draw(small, scaledTo: whole, part: shown, radius: rect == shown ? radius : 0)
            }
            canvas.fill(rect, radius: radius, with: tint(theme.material(material.depth), over: shown))
        }
        if hasStroke { canvas.stroke(rect, radius: radius, width: stage.scale.line(0.5), with: theme.glassStroke) }
    }

    /// A card of glass with its shadow.
    func glassCard(_ rect: PixelRect, _ material: Material = .regular, isBlurred: Bool = false) {
        let radius = stage.pixels(Radius.glassCard)
        // Nothing of the shadow is seen through it.
        let shown = rect.intersection(surface.bounds)
        let beneath = shown.isEmpty ? nil : surface.part(shown)
        shadow(of: rect, radius: radius, .glass)
        if let beneath { canvas.draw(beneath, in: shown, radius: rect == shown ? radius : 0) }
        glass(rect, radius: radius, material, isBlurred: isBlurred)
    }

    /// - Parameter lifted: the part of the shadow, 0…1, that is taken away where it was drawn before; nil to draw it.
    func shadow(of rect: PixelRect, radius: Int, _ elevation: Elevation, lifted: Float? = nil) {
        canvas.shadow(
            of: rect, radius: radius, blur: stage.pixels(elevation.blur), down: stage.pixels(elevation.down),
            alpha: Int((elevation.opacity * 256).rounded()), lifted: lifted.map { Int($0 * 256) })
    }

    /// One line, or a few, from the top of a place. Returns how high it is.
    @discardableResult
    func write(
        _ text: String, _ style: TypeStyle, x: Int, y: Int, width: Int, _ color: Color, lines: Int = 1,
        align: TextAlignment = .leading
    ) -> Int {
        if text.isEmpty { return 0 }
        return write(
            stage.set(text, style, width: width, lines: lines), text, x: x, y: y, width: width, color, align: align)
    }

    /// In the middle of a place's height. - Parameter title: stands above it, and it stands at the side where that begins.
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

    /// The same of a text that is set already.
    func write(
        _ set: TextLayout, _ text: String, in rect: PixelRect, _ color: Color, align: TextAlignment = .leading,
        opacity: Float = 1, on background: Color? = nil
    ) {
        let place = rect.middle(height: set.height)
        write(
            set, text, x: place.x, y: place.y, width: place.width, color, align: align, opacity: opacity, on: background
        )
    }

    /// A row's title with what belongs to it beneath, both in the middle of a place's height.
    /// - Parameters:
    ///   - lines: of the title, at most.
    ///   - found: words of it that stand out; nil for none.
    func write(
        _ title: String, detail: String, in rect: PixelRect, _ color: Color, detail dim: Color? = nil, lines: Int = 1,
        found: FoundWords? = nil
    ) {
        let set = stage.set(title, .rowTitle, width: rect.width, lines: lines)
        var place = rect.middle(height: set.height + (detail.isEmpty ? 0 : stage.lineHeight(.rowDetail)))
        let frame = place.cutTop(set.height)
        let places = found?.places(in: title) ?? []
        // Before anything stands there.
        let accent = places.isEmpty ? theme.accent : readable(theme.accent, in: frame)
        write(set, title, in: frame, color)
        if !places.isEmpty {
            stage.painter.draw(
                set, only: places, on: canvas, x: frame.x, y: frame.y, width: frame.width, accent)
        }
        write(detail, .rowDetail, in: place, dim ?? theme.secondaryText, beneath: set)
    }

    /// A bar of which a part is done. - Parameter done: in pixels.
    func bar(_ rect: PixelRect, done: Int, track: Color, with color: Color) {
        canvas.fill(rect, radius: rect.height / 2, with: track)
        if done <= 0 { return }
        canvas.clipped(to: rect.left(done)) { canvas.fill(rect, radius: rect.height / 2, with: color) }
    }
}

extension Material {
    /// From the thinnest, 0…3.
    var depth: Int {
        switch self {
        case .ultraThin: 0
        case .thin: 1
        case .regular: 2
        case .thick: 3
        }
    }
}
