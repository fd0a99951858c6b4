// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Posix
import Typography

/// The means of drawing for every scene: fonts, shapes and icons, the panel's scale, the theme, and what a person has asked for. One
/// thread.
public final class Stage {
    /// A person's comfort settings. A scene that is shown is told by `drawAnew`.
    public struct Comfort: Equatable, Sendable {
        /// Cross-fades only: nothing moves across the screen.
        public var reducesMotion = false
        /// Glass is a solid surface.
        public var reducesTransparency = false
        /// No blur, and 15 frames a second.
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
    /// The texts with their places; gathered where it is not nil, for tests only.
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
    /// As they were set, each with when it was last asked for: moving parts are drawn again and again.
    private var texts: [ShortText: (set: TextLayout, asked: Int)] = [:]
    private var asks = 0
    private static let mostTexts = 96
    /// In bytes: a title is no longer. Sentences are kept by what shows them.
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

    /// Sets a person's size of text, relative to the design.
    public func setTextSize(_ size: Float) {
        scale = scale.with(textSize: size).fitting(min(width, height))
        texts.removeAll()
    }

    /// So many texts were shaped.
    public var textsShaped: Int { typesetter.textsShaped }
    /// Lets go of what was read of the fonts.
    public func giveBackFonts() { typesetter.fonts.giveBack() }
    /// Families of fonts that texts needed and that are not installed.
    public var missingFonts: [String] { typesetter.fonts.missingFamilies }

    /// Between two frames of what moves, at least; 0 for as often as the panel shows one.
    public var frameMilliseconds: Int { comfort.savesPower ? 67 : 0 }

    /// Small type in headers, narrow margins: on small panels, and where larger words leave as little room.
    var isCompact: Bool { scale.points(min(width, height)) / max(1, scale.textSize) < Breakpoint.compactSide }
    /// On such a panel the main content takes the room of headings.
    var isTiny: Bool { scale.points(min(width, height)) < Breakpoint.tinySide }
    /// Things stand beside each other.
    var isWide: Bool { Float(width) > Float(height) * Breakpoint.wideRatio }
    var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }
    var hasBlur: Bool { !comfort.reducesTransparency && !comfort.savesPower }

    func pixels(_ points: Float) -> Int { scale.pixels(points) }

    /// Of a style's size, with the person's text size in it.
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
        // Times and titles pass: those that were not asked for lately go.
        if texts.count >= Stage.mostTexts {
            let middle = texts.values.map { $0.asked }.sorted()[Stage.mostTexts / 2]
            texts = texts.filter { $0.value.asked > middle }
        }
        let made = typesetter.set(text, self.style(style), width: width, lines: lines)
        texts[key] = (made, asks)
        return made
    }

    /// Over the letters of a heavier one, on its lines.
    func set(_ text: String, _ style: TypeStyle, over heavier: TextLayout, width: Int) -> TextLayout {
        typesetter.set(text, self.style(style), over: heavier, width: width, lines: max(1, heavier.lines.count))
    }

    /// A time, which will be another in a second.
    func setTime(_ text: String, width: Int) -> TextLayout { counting.set(text, style(.times), width: width) }

    /// Sets a text in the design's own size: digits within an icon.
    func setFixed(_ text: String, _ style: TypeStyle, width: Int) -> TextLayout {
        typesetter.set(text, style.pixels(scale.factor, least: 0), width: width)
    }

    func symbol(_ symbol: Symbol, size: Int) -> Mask {
        let key = symbol.rawValue << 16 | size
        if let known = symbols[key] { return known }
        // One that bounces has been drawn in many sizes.
        if symbols.count >= Stage.mostSymbols { symbols.removeAll() }
        let made = symbol.mask(size: size)
        symbols[key] = made
        return made
    }
}
