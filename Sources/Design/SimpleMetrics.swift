// SPDX-License-Identifier: Apache-2.0
/// The sizes of the large and simple screens, as parts of the panel's shorter side unless stated otherwise.
public enum SimpleMetrics {
    /// The height of a title line, and the greatest one.
    public static let titlePart: Float = 0.167
    public static let mostTitlePart: Float = 0.2
    /// The smaller sizes of a title that would be cut off, relative to the largest.
    public static let titleSteps: [Float] = [0.9, 0.8, 0.7, 0.6]
    /// The height of all other words, relative to the title's.
    public static let wordsPart: Float = 0.8
    /// The line height, relative to the size of letters.
    public static let leading: Float = 1.2
    /// The least line height in millimeters, if the panel reports its size and is high enough.
    public static let lineMillimetres: Float = 12
    /// The least button size in millimeters.
    public static let buttonMillimetres: Float = 20
    /// The gap between things, and the margin.
    public static let gapPart: Float = 0.033
    /// The shorter side, in points, below which there are only a title and three buttons.
    public static let tinySide: Float = 300

    /// The least title width beside a cover, relative to the size of letters. With less room there is no cover.
    public static let titleLeast: Float = 6.4
    /// The same limit on a book's card, where the cover then stands above the title.
    public static let cardTitleLeast: Float = 4.9
    /// The smallest cover; a smaller one is left out.
    public static let coverLeast: Float = 0.3
    /// The heights of two cards together, and of a single one, as parts of the list. The rest shows the top of the next.
    public static let twoCards: Float = 0.84
    public static let oneCard: Float = 0.86

    /// The opacity of the spine of a book without a picture.
    public static let spine: Float = 0.3

    /// The greatest height of buttons side by side, relative to their width.
    public static let mostButtonHeight: Float = 1.3
    /// The greatest height of buttons on a tall panel, relative to its height.
    public static let buttonsPart: Float = 0.25
    /// The height of the word button below the three, relative to theirs.
    public static let wayPart: Float = 0.7
    /// The size of a symbol, relative to its button's shorter side.
    public static let signPart: Float = 0.86
    /// The line height of the digits in a symbol, relative to the symbol, and the greatest one.
    public static let digitsPart: Float = 0.43
    public static let mostDigitsPart: Float = 0.5
    /// The size of a symbol beside a word, relative to the word's line.
    public static let wordSignPart: Float = 0.9
    /// The opacity of the text color around buttons at night, when nothing may be bright.
    public static let nightEdge: Float = 0.4
    /// The thickness of that edge and of the focus ring, in points.
    public static let edge: Float = 2
    public static let focusRing: Float = 7
}
