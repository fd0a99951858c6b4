// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// A screen while it is drawn: the surface, and the elements on it.
final class Picture {
    let stage: Stage
    let surface: Surface
    let canvas: Canvas
    private(set) var elements: [Element] = []
    /// The covers that are drawn completely.
    private(set) var covers: [ShownCover] = []
    /// The extreme colors of the page's gradient; nil without one.
    var ground: (low: Color, high: Color)?
    private var isOnGround = false
    private var inksOnGround: [(wanted: Color, ink: Color)] = []
    /// The texts with their places; collected for tests only.
    var drawnTexts: [DrawnText]? {
        get { stage.drawnTexts }
        set { stage.drawnTexts = newValue }
    }

    /// True if the heading is to appear letter by letter.
    var wantsCascade = false
    var cascade: Cascade?

    /// - Parameter surface: the surface to draw on; nil for a new one.
    init(_ stage: Stage, on surface: Surface? = nil) {
        self.stage = stage
        self.surface = surface ?? Surface(width: stage.width, height: stage.height)
        canvas = Canvas(self.surface, shapes: stage.shapes)
    }

    var theme: Theme { stage.theme }

    func add(_ element: Element) { elements.append(element) }
    func add(_ cover: ShownCover) { if canvas.clip.contains(cover.frame) { covers.append(cover) } }

    func add(
        _ frame: PixelRect, _ label: String, value: String = "", hint: String = "", action: Element.Action = .none,
        role: Element.Role? = nil, isSelected: Bool = false, relief: Element.Relief = .flat
    ) {
        add(
            Element(
                frame: frame, label: label, value: value, hint: hint, action: action, role: role,
                isSelected: isSelected, relief: relief))
    }

    /// Changes the elements added so far; nil removes one.
    func keepElements(_ change: (Element) -> Element?) { elements = elements.compactMap(change) }

    /// Moves the matching elements to the front, so that a voice reads them first. Returns their number.
    @discardableResult func readFirst(_ isFirst: (Element) -> Bool) -> Int {
        let first = elements.filter(isFirst)
        elements = first + elements.filter { !isFirst($0) }
        return first.count
    }

    // MARK: Text

    /// Draws a text in a readable color: the wanted one, or the closest that is readable on the background.
    /// - Parameters:
    ///   - opacity: the text's opacity, raised if the text would be unreadable.
    ///   - background: the background; nil to measure the surface.
    @discardableResult
    func write(
        _ layout: TextLayout, _ text: String, x: Int, y: Int, width: Int, _ color: Color,
        align alignment: TextAlignment = .leading, opacity: Float = 1, on background: Color? = nil
    ) -> Int {
        let ink = ink(layout, text, x: x, y: y, width: width, color, align: alignment, opacity: opacity, on: background)
        stage.painter.draw(layout, on: canvas, x: x, y: y, width: width, ink, align: alignment)
        return layout.height
    }

    /// Returns the color in which to write a text.
    func ink(
        _ layout: TextLayout, _ text: String, x: Int, y: Int, width: Int, _ color: Color,
        align alignment: TextAlignment = .leading, opacity: Float = 1, on background: Color? = nil
    ) -> Color {
        let frame = PixelRect(x: x, y: y, width: width, height: layout.height)
        let inked = inkFrame(layout, frame, alignment)
        if isOnGround, let ground {
            let ink = inkOnGround(color.opacity(opacity), ground.low, ground.high)
            audit(layout, text, inked, Picture.contrast(ink, on: ground.low, ground.high))
            return ink
        }
        let (darkest, lightest) =
            background.map { ($0, $0) }
            ?? worst(of: surface, in: inked.intersection(canvas.clip), color.opacity(opacity))
        let ink = readable(color.opacity(opacity), on: darkest, lightest)
        audit(layout, text, inked, Picture.contrast(ink, on: darkest, lightest))
        return ink
    }

    /// Draws texts that stand on the page's ground, if there is one. Their colors are readable on all of it. So they stay the same while
    /// they scroll, and no frame has to find them again.
    func onGround(_ draw: () -> Void) {
        isOnGround = true
        draw()
        isOnGround = false
    }

    private func inkOnGround(_ wanted: Color, _ low: Color, _ high: Color) -> Color {
        if let known = inksOnGround.first(where: { $0.wanted == wanted }) { return known.ink }
        let ink = readable(wanted, on: low, high)
        inksOnGround.append((wanted, ink))
        return ink
    }

    /// Writes a text in a color gradient.
    func write(_ layout: TextLayout, _ text: String, x: Int, y: Int, width: Int, _ gradient: Gradient) {
        let inked = inkFrame(layout, PixelRect(x: x, y: y, width: width, height: layout.height), .leading)
        let (darkest, lightest) = surface.extremes(in: inked.intersection(canvas.clip))
        let from = readable(gradient.start, on: darkest, lightest)
        let to = readable(gradient.end, on: darkest, lightest)
        audit(
            layout, text, inked,
            min(Picture.contrast(from, on: darkest, lightest), Picture.contrast(to, on: darkest, lightest)))
        let strip = max(1, inked.width / Picture.gradientStrips)
        for left in stride(from: inked.x, to: inked.maxX, by: strip) {
            let part = UInt32(256 * (left - inked.x) / max(1, inked.width))
            let color = Color(Rows.mix(from.pixel, to.pixel, by: part) & 0xFF_FFFF)
            canvas.clipped(to: PixelRect(x: left, y: y, width: strip, height: layout.height)) {
                stage.painter.draw(layout, on: canvas, x: x, y: y, width: width, color)
            }
        }
    }

    /// Records a text for tests.
    /// - Parameter contrast: the least contrast within its frame.
    func audit(_ layout: TextLayout, _ text: String, _ frame: PixelRect, _ contrast: @autoclosure () -> Float) {
        if drawnTexts == nil { return }
        let shown = layout.lines.last?.characters.upperBound ?? 0
        drawnTexts?.append(
            DrawnText(
                text: text, frame: frame, contrast: contrast(), isTruncated: layout.isTruncated,
                isCut: !layout.isTruncated && shown < layout.characterCount && layout.characterCount > 0))
    }

    /// Returns the least contrast of a color on any background between two colors.
    static func contrast(_ color: Color, on darkest: Color, _ lightest: Color) -> Float {
        min(color.over(darkest).contrast(with: darkest), color.over(lightest).contrast(with: lightest))
    }

    /// The number of colors at which no step is visible.
    private static let gradientStrips = 24

    /// Returns the extremes of the background. They are exact only if a rough estimate does not already prove the color readable.
    func worst(of surface: Surface, in rect: PixelRect, _ ink: Color) -> (Color, Color) {
        if drawnTexts == nil {
            let (low, high) = surface.channelBounds(in: rect)
            if Picture.contrast(ink, on: low, high) >= theme.textContrast { return (low, high) }
        }
        return surface.extremes(in: rect)
    }

    /// Returns the frame of the letters.
    private func inkFrame(_ layout: TextLayout, _ frame: PixelRect, _ alignment: TextAlignment) -> PixelRect {
        let width = min(frame.width, layout.width)
        let isRight = layout.isRightToLeft ? alignment == .leading : alignment == .trailing
        let x = alignment == .center ? frame.x + (frame.width - width) / 2 : isRight ? frame.maxX - width : frame.x
        return PixelRect(x: x, y: frame.y, width: width, height: frame.height)
    }

    /// Returns the color itself, or the closest one that is readable everywhere in the place.
    func readable(_ color: Color, in rect: PixelRect) -> Color {
        ink(from: color, in: rect).color
    }

    /// Returns true if an ink close to the color has the wanted contrast on the whole background.
    func canBeRead(_ color: Color, in rect: PixelRect) -> Bool {
        ink(from: color, in: rect).contrast >= theme.textContrast
    }

    private func ink(from color: Color, in rect: PixelRect) -> (color: Color, contrast: Float) {
        let (darkest, lightest) = surface.extremes(in: rect.intersection(canvas.clip))
        let ink = readable(color, on: darkest, lightest)
        return (ink, Picture.contrast(ink, on: darkest, lightest))
    }

    /// Returns the color if its contrast suffices; otherwise mixes in as much black or white as needed.
    func readable(_ color: Color, on darkest: Color, _ lightest: Color) -> Color {
        let wanted = theme.textContrast
        func worst(_ color: Color) -> Float { Picture.contrast(color, on: darkest, lightest) }
        if worst(color) >= wanted { return color }
        // First make the color opaque, then move it toward the end with more contrast.
        let opaque = Color(color.pixel & 0xFF_FFFF)
        let dark = worst(Color(0x000000))
        let light = worst(Color(0xFFFFFF))
        let end: UInt32 = dark > light ? 0x000000 : 0xFFFFFF
        for step in 0...16 {
            let part = UInt32(step * 16)
            let mixed = Color(Rows.mix(opaque.pixel, end | 0xFF00_0000, by: part) & 0xFF_FFFF)
            let cover = color.alpha + (256 - color.alpha) * step / 16
            let candidate = Color(mixed.pixel & 0xFF_FFFF, alpha: cover)
            if worst(candidate) >= wanted { return candidate }
        }
        return Color(end)
    }

    // MARK: Corners

    /// Rounds the corners of all that is drawn on a rectangle, once at the end. Rounding one edge over another would let the ground shine
    /// through.
    func rounded(_ rect: PixelRect, radius: Int, _ draw: () -> Void) {
        if radius == 0 || rect.height < 2 * radius || rect.intersection(surface.bounds) != rect { return draw() }
        // Both ends of the rectangle, and for each the half that has its corners.
        let ends = [(rect.y, rect.y), (rect.maxY - 2 * radius, rect.maxY - radius)].map { end, half in
            (
                all: PixelRect(x: rect.x, y: end, width: rect.width, height: 2 * radius),
                half: PixelRect(x: rect.x, y: half, width: rect.width, height: radius)
            )
        }
        let before = ends.map { surface.part($0.all) }
        draw()
        for (end, before) in zip(ends, before) {
            let drawn = surface.part(end.all)
            surface.put(before, x: end.all.x, y: end.all.y, within: end.half)
            canvas.clipped(to: end.half) { canvas.draw(drawn, in: end.all, radius: radius) }
        }
    }

    // MARK: Icons

    func draw(_ symbol: Symbol, in rect: PixelRect, points: Float, _ color: Color) {
        let size = stage.pixels(points)
        let mask = stage.symbol(symbol, size: size)
        canvas.draw(mask, x: rect.x + (rect.width - size) / 2, y: rect.y + (rect.height - size) / 2, with: color)
    }

    /// Draws the sign for ten seconds back or forward, with the digits in its circle.
    func draw(skip symbol: Symbol, in rect: PixelRect, _ color: Color) {
        let digits = stage.setFixed("10", .skipSeconds, width: rect.width)
        // The circle's center lies a little below the icon's.
        let y = rect.middle(height: digits.height).y + stage.pixels(Metrics.skipSymbol * Metrics.skipMiddle)
        // Written before the circle, which is not the digits' background.
        write(digits, "10", x: rect.x, y: y, width: rect.width, color, align: .center)
        draw(symbol, in: rect, points: Metrics.skipSymbol, color)
    }

    // MARK: Glass

    /// Draws glass over a picture: the blurred picture with a tint for readable text.
    /// - Parameters:
    ///   - blurred: the blurred content of `frame`, at a quarter of its size; nil if there is nothing to blur.
    ///   - radius: the radius of the glass's corners.
    func glass(
        _ rect: PixelRect, radius: Int, over blurred: Surface?, in frame: PixelRect, tint: Color, hasStroke: Bool
    ) {
        if let blurred { canvas.draw(blurred, scaledTo: frame, part: rect, radius: radius) }
        canvas.fill(rect, radius: radius, with: self.tint(tint, over: rect))
        if hasStroke { canvas.stroke(rect, radius: radius, width: stage.scale.line(0.5), with: theme.glassStroke) }
    }

    /// Returns a tint as dense as the theme's text needs on a place.
    func tint(_ wanted: Color, over rect: PixelRect) -> Color {
        let (low, high) = surface.channelBounds(in: rect)
        let rough = min(theme.text.contrast(with: wanted.over(low)), theme.text.contrast(with: wanted.over(high)))
        if rough >= theme.textContrast * 1.3 { return wanted }
        let (darkest, lightest) = surface.extremes(in: rect)
        // Secondary text must differ from primary text, so ask for more than the least contrast.
        let least = theme.textContrast * 1.3
        var tint = wanted
        while tint.alpha < 256 {
            let worst = min(
                theme.text.contrast(with: tint.over(darkest)), theme.text.contrast(with: tint.over(lightest)))
            if worst >= least { break }
            tint = Color(tint.pixel & 0xFF_FFFF, alpha: min(256, tint.alpha + 8))
        }
        return tint
    }
}
