// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Text

/// The places on the large and simple player: buttons as large as possible at the bottom, cover and words above them.
struct SimpleLayout: Equatable {
    let isWide: Bool
    let measures: SimpleMeasures
    /// The cover; empty without room.
    private(set) var cover = PixelRect.zero
    /// The title and its details.
    private(set) var words = PixelRect.zero
    private(set) var buttons: [PixelRect] = []
    /// The way to the books; empty without room.
    private(set) var way = PixelRect.zero
    /// True if the words stand on a card of their own.
    let hasCard: Bool

    static var wayTitle: String { translated("Books") }

    /// - Parameters:
    ///   - hasCover: true if there is a picture.
    ///   - hasCard: false sets the words as on a book's cover.
    init(_ stage: Stage, hasCover: Bool, hasCard: Bool) {
        measures = SimpleMeasures(stage)
        isWide = stage.isWide
        self.hasCard = hasCard && !measures.isTiny
        var room = stage.bounds.inset(by: measures.gap)
        if isWide { cutWideButtons(stage, &room) } else { cutTallButtons(stage, &room) }
        words = room
        if hasCover && !measures.isTiny { cutCover(stage) }
        if self.hasCard { words = room }
    }

    /// The height of two title lines and one line below them.
    private var wantedWords: Int {
        2 * measures.titleLine + (measures.isTiny ? 0 : measures.wordsLine) + (hasCard ? measures.gap : 0)
    }

    /// Puts the buttons side by side, with the way to the books at the end.
    private mutating func cutWideButtons(_ stage: Stage, _ room: inout PixelRect) {
        let gap = measures.gap
        let beside = measures.isTiny ? 0 : measures.width(of: SimpleLayout.wayTitle, stage)
        let width = (room.width - (beside > 0 ? beside + gap : 0) - 2 * gap) / 3
        let spare = room.height - gap - wantedWords
        // A title of one line must do if the buttons would become too small.
        let least = min(measures.leastButton, spare + measures.titleLine)
        let height = max(least, min(spare, Int(Float(width) * SimpleMetrics.mostButtonHeight)))
        var row = room.cutBottom(height, gap: gap)
        if beside > 0 { way = row.cutRight(beside, gap: gap) }
        cutThree(row)
    }

    /// Puts the way to the books below the three buttons.
    private mutating func cutTallButtons(_ stage: Stage, _ room: inout PixelRect) {
        let gap = measures.gap
        let width = (room.width - 2 * gap) / 3
        let most = Float(room.height) * (measures.isTiny ? 1 : SimpleMetrics.buttonsPart)
        var height = Int(min(most, Float(width) * SimpleMetrics.mostButtonHeight))
        if measures.isTiny {
            height = min(height, room.height - gap - wantedWords)
        } else {
            height = max(height, measures.leastButton)
            let below = max(
                measures.leastButton, measures.wordsLine + gap / 2, Int(Float(height) * SimpleMetrics.wayPart))
            way = room.cutBottom(below, gap: gap)
        }
        cutThree(room.cutBottom(height, gap: gap))
    }

    private mutating func cutThree(_ row: PixelRect) {
        let gap = measures.gap
        var row = row
        let width = (row.width - 2 * gap) / 3
        // The middle button, the most important one, gets the rest.
        buttons = [row.cutLeft(width, gap: gap)]
        let last = row.cutRight(width, gap: gap)
        buttons += [row, last]
    }

    private mutating func cutCover(_ stage: Stage) {
        let gap = measures.gap
        let least = Int(Float(min(stage.width, stage.height)) * SimpleMetrics.coverLeast)
        if isWide {
            let beside = measures.least(measures.titleLine, SimpleMetrics.titleLeast)
            let side = min(words.height, words.width - gap - beside)
            if side >= least { cover = words.cutLeft(side, gap: gap).middle(height: side) }
        } else {
            let side = min(words.width, words.height - gap - wantedWords)
            if side >= least { cover = words.cutTop(side, gap: gap).middle(width: side) }
        }
    }
}
