// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Posix
import Typography

/// Everything that scenes draw with: fonts, shapes, icons, the panel's scale, the theme, and the listener's comfort settings. One thread.
public final class Stage {
    /// The listener's comfort settings. A visible scene learns of changes by `drawAnew`.
    public struct Comfort: Equatable, Sendable {
        /// True allows cross-fades only: nothing moves across the screen.
        public var reducesMotion = false
        /// True makes glass solid.
        public var reducesTransparency = false
        /// True turns blur off and limits motion to 15 frames a second.
        public var savesPower = false

        public init() {}
    }

    public let width: Int
    public let height: Int
    public private(set) var scale: PanelScale
    public var theme: Theme
    public var comfort = Comfort()
    let typesetter: Typesetter
    let painter: TextPainter
    private let counting: CountingText
    let shapes = ShapeCache()
    /// The texts with their places; collected for tests if not nil.
    var drawnTexts: [DrawnText]?
    /// The number of blurs, for tests.
    var blurs = 0
    private var symbols: [Int: Mask] = [:]
    private static let mostSymbols = 96
    private struct ShortText: Hashable {
        let text: String
        let style: TypeStyle
        let width: Int
        let lines: Int
    }
    /// The set texts, each with its last use, since moving parts are drawn again and again.
    private var texts: [ShortText: (set: TextLayout, asked: Int)] = [:]
    private var asks = 0
    private static let mostTexts = 96
    /// The longest cached text, in bytes. Titles are shorter; the transcript caches its own sentences.
    private static let longestShortText = 512

    /// - Throws: if a library for drawing text is missing.
    public init(
        width: Int, height: Int, scale: PanelScale? = nil, theme: Theme, families: [FontFamily] = FontFamily.standard
    ) throws(MissingLibrary) {
        self.width = width
        self.height = height
        self.scale = (scale ?? PanelScale(width: width, height: height)).fitting(min(width, height))
        self.theme = theme
        let fonts = try FontBook(families)
        typesetter = Typesetter(fonts)
        painter = TextPainter(fonts)
        counting = CountingText(typesetter)
    }

    /// Sets the listener's text size, relative to the design.
    public func setTextSize(_ size: Float) {
        scale = scale.with(textSize: size).fitting(min(width, height))
        texts.removeAll()
    }

    /// The number of texts shaped so far.
    public var textsShaped: Int { typesetter.textsShaped }
    /// Frees the pages read from the fonts.
    public func giveBackFonts() { typesetter.fonts.giveBack() }
    /// The font families that texts needed and that are not installed.
    public var missingFonts: [String] { typesetter.fonts.missingFamilies }

    /// The least time between two frames of a motion, in milliseconds; 0 for the panel's own rate.
    public var frameMilliseconds: Int { comfort.savesPower ? 67 : 0 }

    /// True for small header type and narrow margins: on small panels, or if large words leave as little room.
    var isCompact: Bool { scale.points(min(width, height)) / max(1, scale.textSize) < Breakpoint.compactSide }
    /// True if the panel is so small that the content takes the room of headings.
    var isTiny: Bool { scale.points(min(width, height)) < Breakpoint.tinySide }
    /// True if things stand side by side.
    var isWide: Bool { Float(width) > Float(height) * Breakpoint.wideRatio }
    var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }
    var hasBlur: Bool { !comfort.reducesTransparency && !comfort.savesPower }

    func pixels(_ points: Float) -> Int { scale.pixels(points) }

    /// Returns a text style in pixels, scaled by the listener's text size.
    func style(_ style: TypeStyle) -> TextStyle { style.pixels(scale.factor * scale.textSize) }

    func lineHeight(_ style: TypeStyle) -> Int { self.style(style).lineHeight }

    func set(_ text: String, _ style: TypeStyle, width: Int, lines: Int = 1) -> TextLayout {
        if text.utf8.count > Stage.longestShortText {
            return typesetter.set(text, self.style(style), width: width, lines: lines)
        }
        let key = ShortText(text: text, style: style, width: width, lines: lines)
        asks &+= 1
        if let index = texts.index(forKey: key) {
            texts.values[index].asked = asks
            return texts.values[index].set
        }
        // Times and titles change, so drop the texts not used recently.
        if texts.count >= Stage.mostTexts {
            let middle = texts.values.map { $0.asked }.sorted()[Stage.mostTexts / 2]
            texts = texts.filter { $0.value.asked > middle }
        }
        let made = typesetter.set(text, self.style(style), width: width, lines: lines)
        texts[key] = (made, asks)
        return made
    }

    /// Sets a text over the letters of a heavier one, with the same lines.
    func set(_ text: String, _ style: TypeStyle, over heavier: TextLayout, width: Int) -> TextLayout {
        typesetter.set(text, self.style(style), over: heavier, width: width, lines: max(1, heavier.lines.count))
    }

    /// Sets a time, which changes each second.
    func setTime(_ text: String, width: Int) -> TextLayout { counting.set(text, style(.times), width: width) }

    /// Sets a text in the design's own size, for digits within an icon.
    func setFixed(_ text: String, _ style: TypeStyle, width: Int) -> TextLayout {
        typesetter.set(text, style.pixels(scale.factor, least: 0), width: width)
    }

    func symbol(_ symbol: Symbol, size: Int) -> Mask {
        let key = symbol.rawValue << 16 | size
        if let known = symbols[key] { return known }
        // A bouncing symbol was drawn in many sizes.
        if symbols.count >= Stage.mostSymbols { symbols.removeAll() }
        let made = symbol.mask(size: size)
        symbols[key] = made
        return made
    }
}
