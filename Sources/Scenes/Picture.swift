// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// A screen while it is drawn: the surface, and a list of what stands on it.
final class Picture {
    let stage: Stage
    let surface: Surface
    let canvas: Canvas
    private(set) var elements: [Element] = []
    /// The covers drawn whole.
    private(set) var covers: [ShownCover] = []
    /// Between which two colours the page's ground is, where there is one.
    var ground: (low: Color, high: Color)?
    private var isOnGround = false
    private var inksOnGround: [(wanted: Color, ink: Color)] = []
    /// The texts with their places; gathered for tests only.
    var drawnTexts: [DrawnText]? {
        get { stage.drawnTexts }
        set { stage.drawnTexts = newValue }
    }

    /// Its heading is to come letter by letter, and does so.
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

    /// Changes what was added so far; nil takes it out.
    func keepElements(_ change: (Element) -> Element?) { elements = elements.compactMap(change) }

    /// A voice reads these first. Returns how many there are.
    @discardableResult func readFirst(_ isFirst: (Element) -> Bool) -> Int {
        let first = elements.filter(isFirst)
        elements = first + elements.filter { !isFirst($0) }
        return first.count
    }

    // MARK: Text

    /// Draws a text in a colour that can be read on what lies there: the wanted one, or the next to it that can.
    /// - Parameters:
    ///   - opacity: of the text; less is taken off where it could not be read else.
    ///   - background: its background; nil to look at what is there.
    @discardableResult
    func write(
        _ layout: TextLayout, _ text: String, x: Int, y: Int, width: Int, _ color: Color,
        align alignment: TextAlignment = .leading, opacity: Float = 1, on background: Color? = nil
    ) -> Int {
        let ink = ink(layout, text, x: x, y: y, width: width, color, align: alignment, opacity: opacity, on: background)
        stage.painter.draw(layout, on: canvas, x: x, y: y, width: width, ink, align: alignment)
        return layout.height
    }

    /// The colour that the text is to be written in.
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

    /// Texts drawn within stand on the page's ground, if there is one: in colours that can be read on all of that, so that they stay the
    /// same wherever it is scrolled to, and need not be found anew in each frame.
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

    /// The same with a colour that goes from one to another across it.
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

    /// For tests. - Parameter contrast: the least within its frame.
    func audit(_ layout: TextLayout, _ text: String, _ frame: PixelRect, _ contrast: @autoclosure () -> Float) {
        if drawnTexts == nil { return }
        let shown = layout.lines.last?.characters.upperBound ?? 0
        drawnTexts?.append(
            DrawnText(
                text: text, frame: frame, contrast: contrast(), isTruncated: layout.isTruncated,
                isCut: !layout.isTruncated && shown < layout.characterCount && layout.characterCount > 0))
    }

    /// The least contrast of a colour on what lies between two.
    static func contrast(_ color: Color, on darkest: Color, _ lightest: Color) -> Float {
        min(color.over(darkest).contrast(with: darkest), color.over(lightest).contrast(with: lightest))
    }

    /// So many colours are enough that no step between them is seen.
    private static let gradientStrips = 24

    /// Returns the extremes of the background: exactly only where a rough look does not settle that the colour can be read.
    func worst(of surface: Surface, in rect: PixelRect, _ ink: Color) -> (Color, Color) {
        if drawnTexts == nil {
            let (low, high) = surface.channelBounds(in: rect)
            if Picture.contrast(ink, on: low, high) >= theme.textContrast { return (low, high) }
        }
        return surface.extremes(in: rect)
    }

    /// Where letters are.
    private func inkFrame(_ layout: TextLayout, _ frame: PixelRect, _ alignment: TextAlignment) -> PixelRect {
        let width = min(frame.width, layout.width)
        let isRight = layout.isRightToLeft ? alignment == .leading : alignment == .trailing
        let x = alignment == .center ? frame.x + (frame.width - width) / 2 : isRight ? frame.maxX - width : frame.x
        return PixelRect(x: x, y: frame.y, width: width, height: frame.height)
    }

    /// A colour, or the next to it, that can be read on all that lies there.
    func readable(_ color: Color, in rect: PixelRect) -> Color {
        ink(from: color, in: rect).color
    }

    /// Returns whether some ink has the wanted contrast on the whole background, starting from a color.
    func canBeRead(_ color: Color, in rect: PixelRect) -> Bool {
        ink(from: color, in: rect).contrast >= theme.textContrast
    }

    private func ink(from color: Color, in rect: PixelRect) -> (color: Color, contrast: Float) {
        let (darkest, lightest) = surface.extremes(in: rect.intersection(canvas.clip))
        let ink = readable(color, on: darkest, lightest)
        return (ink, Picture.contrast(ink, on: darkest, lightest))
    }

    /// The colour itself where it stands out enough; else as much of black or white in it as it takes.
    func readable(_ color: Color, on darkest: Color, _ lightest: Color) -> Color {
        let wanted = theme.textContrast
        func worst(_ color: Color) -> Float { Picture.contrast(color, on: darkest, lightest) }
        if worst(color) >= wanted { return color }
        // First what shines through is taken away, then the colour goes towards the end that stands out more.
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

    /// Rounds the corners of all that is drawn on a rectangle, once and at the end: an edge that is rounded over another lets what lies
    /// between the two shine through.
    func rounded(_ rect: PixelRect, radius: Int, _ draw: () -> Void) {
        if radius == 0 || rect.height < 2 * radius || rect.intersection(surface.bounds) != rect { return draw() }
        // The upper and the lower end, and of each the half where its corners are the rectangle's.
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

    /// The sign for ten seconds back or on, with the digits in its circle.
    func draw(skip symbol: Symbol, in rect: PixelRect, _ color: Color) {
        let digits = stage.setFixed("10", .skipSeconds, width: rect.width)
        // The circle's middle lies a little below that of the icon.
        let y = rect.middle(height: digits.height).y + stage.pixels(Metrics.skipSymbol * Metrics.skipMiddle)
        // Before the circle around them, which they do not stand on.
        write(digits, "10", x: rect.x, y: y, width: rect.width, color, align: .center)
        draw(symbol, in: rect, points: Metrics.skipSymbol, color)
    }

    // MARK: Glass

    /// Glass over a picture: the picture there, blurred, with a tint over it for readable text.
    /// - Parameters:
    ///   - blurred: at a quarter of its size, what fills `frame`; nil where nothing lies there that needs to be blurred.
    ///   - radius: of the glass's own corners.
    func glass(
        _ rect: PixelRect, radius: Int, over blurred: Surface?, in frame: PixelRect, tint: Color, hasStroke: Bool
    ) {
        if let blurred { canvas.draw(blurred, scaledTo: frame, part: rect, radius: radius) }
        canvas.fill(rect, radius: radius, with: self.tint(tint, over: rect))
        if hasStroke { canvas.stroke(rect, radius: radius, width: stage.scale.line(0.5), with: theme.glassStroke) }
    }

    /// A tint with as much cover as the theme's text needs on what lies in the rectangle.
    func tint(_ wanted: Color, over rect: PixelRect) -> Color {
        let (low, high) = surface.channelBounds(in: rect)
        let rough = min(theme.text.contrast(with: wanted.over(low)), theme.text.contrast(with: wanted.over(high)))
        if rough >= theme.textContrast * 1.3 { return wanted }
        let (darkest, lightest) = surface.extremes(in: rect)
        // Secondary text must be told from primary, so there is more than the least.
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
