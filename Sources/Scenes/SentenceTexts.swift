// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// The laid-out sentences of a transcript, plain and spoken: the visible ones and some more. Indices count in the whole transcript. One
/// thread.
struct SentenceTexts {
    typealias Pair<Value> = (plain: Value, spoken: Value)

    private let stage: Stage
    /// The width of the area, in pixels.
    private let width: Int
    private let style: TypeStyle
    private var layouts: [Int: Pair<TextLayout>] = [:]
    /// The letters' coverage, for moving sentences.
    private var inks: [Int: Pair<Ink>] = [:]
    private let gathersInk: Bool

    private static let mostLines = 200
    private static let mostLayouts = 128

    /// - Parameter gathersInk: for tests: false to draw letters one by one while they move, too.
    init(_ stage: Stage, width: Int, _ style: TypeStyle, gathersInk: Bool = true) {
        (self.stage, self.width, self.style, self.gathersInk) = (stage, width, style, gathersInk)
    }

    mutating func forget() {
        layouts.removeAll()
        inks.removeAll()
    }

    mutating func forgetInks() { inks.removeAll() }

    /// Drops the coverage if there is more than a screen needs.
    mutating func keepInks(_ count: Int) { if inks.count > count { inks.removeAll() } }

    /// The free space on either side of the letters, in pixels.
    var margin: Int { stage.pixels(Spacing.related) }

    /// - Parameters:
    ///   - text: the text of the sentence.
    ///   - isNear: returns true for a sentence to keep if there are too many.
    mutating func layout(_ index: Int, _ text: String, isNear: (Int) -> Bool) -> Pair<TextLayout> {
        if let known = layouts[index] { return known }
        if layouts.count >= SentenceTexts.mostLayouts { layouts = layouts.filter { isNear($0.key) } }
        let width = width - 2 * margin
        let spoken = stage.set(text, style.weight(.medium), width: width, lines: SentenceTexts.mostLines)
        let plain = stage.typesetter.set(
            text, stage.style(style), over: spoken, width: width, lines: SentenceTexts.mostLines)
        layouts[index] = (plain, spoken)
        return (plain, spoken)
    }

    /// Returns the coverage of a sentence's letters; nil if it contains color glyphs.
    /// - Parameter isSpoken: true if the sentence has the mark, or is about to get or lose it.
    mutating func ink(_ index: Int, _ set: Pair<TextLayout>, isSpoken: Bool) -> Pair<Ink>? {
        if !gathersInk { return nil }
        if let known = inks[index] { return known }
        func made(_ text: TextLayout) -> Ink? {
            stage.painter.ink(text, inset: margin, width: width & ~3, room: width - 2 * margin)
        }
        guard let plain = made(set.plain), let spoken = isSpoken ? made(set.spoken) : plain else { return nil }
        inks[index] = (plain, spoken)
        return (plain, spoken)
    }
}
