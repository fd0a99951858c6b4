// SPDX-License-Identifier: Apache-2.0
/// Of the screens that are large and simple. Parts are of the panel's shorter side, where nothing else is said.
public enum SimpleMetrics {
    /// A line of a title, and the most that it is.
    public static let titlePart: Float = 0.167
    public static let mostTitlePart: Float = 0.2
    /// The smaller letters of a title that would be cut off, in parts of the largest.
    public static let titleSteps: [Float] = [0.9, 0.8, 0.7, 0.6]
    /// All other words, as a part of the title's.
    public static let wordsPart: Float = 0.8
    /// The height of a line, as a part of its letters' size.
    public static let leading: Float = 1.2
    /// No line is lower than that, where the panel says how large it is and its height allows it.
    public static let lineMillimetres: Float = 12
    /// Nor is a button smaller.
    public static let buttonMillimetres: Float = 20
    /// Between things, and around them.
    public static let gapPart: Float = 0.033
    /// With a shorter side below it, in points, there are a title and three buttons, and nothing else.
    public static let tinySide: Float = 300

    /// A title's width, as a part of its letters' size: with less beside a cover it has all of the room, and there is no cover.
    public static let titleLeast: Float = 6.4
    /// The same on the card of a book: the cover stands above the title then.
    public static let cardTitleLeast: Float = 4.9
    /// A cover that would be smaller is left out.
    public static let coverLeast: Float = 0.3
    /// The visible height of two cards, and of a lone one: of the next the upper end is seen.
    public static let twoCards: Float = 0.84
    public static let oneCard: Float = 0.86

    /// The darkness of the spine of a book without a picture.
    public static let spine: Float = 0.3

    /// Buttons beside each other are no higher, as a part of their width.
    public static let mostButtonHeight: Float = 1.3
    /// Nor higher than that part of a tall panel.
    public static let buttonsPart: Float = 0.25
    /// The button with a word below the three, as a part of their height.
    public static let wayPart: Float = 0.7
    /// A sign, as a part of its button's shorter side.
    public static let signPart: Float = 0.86
    /// A line of the digits in it, as a part of the sign, and the most that it is.
    public static let digitsPart: Float = 0.43
    public static let mostDigitsPart: Float = 0.5
    /// The sign beside a word, as a part of the word's line.
    public static let wordSignPart: Float = 0.9
    /// Of the text's colour, around buttons at night: nothing there may be bright.
    public static let nightEdge: Float = 0.4
    /// Its thickness, and that of the focus ring, in points.
    public static let edge: Float = 2
    public static let focusRing: Float = 7
}
