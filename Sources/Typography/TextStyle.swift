// SPDX-License-Identifier: Apache-2.0
/// The style of a text, in pixels of the panel.
public struct TextStyle: Equatable, Sendable {
    /// The size in 64ths of a pixel.
    public var size: Int
    public var lineHeight: Int
    public var weight: FontWeight
    /// The extra space between letters, in thousandths of the size.
    public var tracking: Int
    /// True gives all digits the same width, for counters.
    public var digitsAlike: Bool

    public init(size: Int, lineHeight: Int, weight: FontWeight, tracking: Int = 0, digitsAlike: Bool = false) {
        self.size = size
        self.lineHeight = lineHeight
        self.weight = weight
        self.tracking = tracking
        self.digitsAlike = digitsAlike
    }
}

/// The alignment of lines in their width. Leading is the side where reading begins.
public enum TextAlignment: Sendable {
    case leading, center, trailing
}

/// A text that is set, with the place of each glyph. It can be drawn repeatedly.
public struct TextLayout: Sendable {
    struct Glyph: Sendable {
        var font: Int
        var index: UInt32
        /// The place from the line's left end and its baseline, in 64ths of a pixel, to the right and up.
        var x: Int
        var y: Int
        /// The index of the first character that it represents.
        var character: Int
    }

    public struct Line: Sendable {
        var glyphs: Range<Int>
        /// The width in 64ths of a pixel.
        var width: Int
        /// The range of the text's characters on the line, without those that an ellipsis replaces.
        public var characters: Range<Int>

        /// The width in pixels.
        public var pixelWidth: Int { (width + 63) >> 6 }
    }

    var glyphs: [Glyph] = []
    /// True if a word was longer than its line and was divided.
    public internal(set) var hasTornWord = false
    public internal(set) var lines: [Line] = []
    public internal(set) var style: TextStyle
    /// The distance from the top of a line to its baseline, in pixels.
    var baseline = 0
    /// True if it did not fit and ends in an ellipsis.
    public internal(set) var isTruncated = false
    public internal(set) var isRightToLeft = false
    /// The number of the text's characters.
    public internal(set) var characterCount = 0

    /// The width of the widest line, in pixels.
    public var width: Int {
        var widest = 0
        for line in lines { widest = max(widest, line.width) }
        return (widest + 63) >> 6
    }

    public var height: Int { lines.count * style.lineHeight }
}
