// SPDX-License-Identifier: Apache-2.0
/// The style of a text, in pixels of the panel.
public struct TextStyle: Equatable, Sendable {
    /// In 64ths of a pixel.
    public var size: Int
    public var lineHeight: Int
    public var weight: FontWeight
    /// The extra space between letters, in thousandths of the size.
    public var tracking: Int
    /// All digits as wide as each other, for what counts.
    public var digitsAlike: Bool

    public init(size: Int, lineHeight: Int, weight: FontWeight, tracking: Int = 0, digitsAlike: Bool = false) {
        self.size = size
        self.lineHeight = lineHeight
        self.weight = weight
        self.tracking = tracking
        self.digitsAlike = digitsAlike
    }
}

/// The alignment of lines in their width. Leading is where a reader of the text begins.
public enum TextAlignment: Sendable {
    case leading, center, trailing
}

/// Text that is set: the place of each of its glyphs. It can be drawn again and again.
public struct TextLayout: Sendable {
    struct Glyph: Sendable {
        var font: Int
        var index: UInt32
        /// From the line's left end and its baseline, in 64ths of a pixel, to the right and up.
        var x: Int
        var y: Int
        /// The first of the text's characters that it stands for.
        var character: Int
    }

    public struct Line: Sendable {
        var glyphs: Range<Int>
        /// In 64ths of a pixel.
        var width: Int
        /// The range of the text's characters on it; without those that an ellipsis replaces.
        public var characters: Range<Int>

        /// In pixels.
        public var pixelWidth: Int { (width + 63) >> 6 }
    }

    var glyphs: [Glyph] = []
    /// A word was longer than its line, and was divided.
    public internal(set) var hasTornWord = false
    public internal(set) var lines: [Line] = []
    public internal(set) var style: TextStyle
    /// From the top of a line to its baseline, in pixels.
    var baseline = 0
    /// It did not fit, and ends in an ellipsis.
    public internal(set) var isTruncated = false
    public internal(set) var isRightToLeft = false
    /// The number of the text's characters.
    public internal(set) var characterCount = 0

    /// Of the widest line, in pixels.
    public var width: Int {
        var widest = 0
        for line in lines { widest = max(widest, line.width) }
        return (widest + 63) >> 6
    }

    public var height: Int { lines.count * style.lineHeight }
}
