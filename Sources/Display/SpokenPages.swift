// SPDX-License-Identifier: Apache-2.0
import Model

/// A transcript line in pages, each shown for its share of the spoken time.
struct SpokenPages {
    let line: Segment
    let pages: [TextPage]
    /// The positions at which the pages after the first begin, in ascending order.
    let turnsMilliseconds: [Int]

    /// - Parameter secondsTick: true if a clock on the same screen wakes the board each second. Page turns near a second then move onto it,
    ///   so that both cost one wake-up.
    init(line: Segment, pages: [TextPage], secondsTick: Bool) {
        self.line = line
        self.pages = pages
        let total = max(1, pages.reduce(0) { $0 + $1.weight })
        let length = line.endMilliseconds - line.startMilliseconds
        var turns: [Int] = []
        var shown = 0
        var previous = line.startMilliseconds
        for page in pages.dropLast() {
            shown += page.weight
            var turn = line.startMilliseconds + Int(Int64(length) * Int64(shown) / Int64(total))
            let second = (turn + 500) / 1000 * 1000
            if secondsTick, abs(second - turn) <= Timing.nearMilliseconds, second >= previous + Timing.nearMilliseconds,
                second < line.endMilliseconds
            {
                turn = second
            }
            turn = max(turn, previous)
            turns.append(turn)
            previous = turn
        }
        turnsMilliseconds = turns
    }

    /// Returns the page at a position, and the position of the next page.
    func page(at positionMilliseconds: Int) -> (index: Int, untilMilliseconds: Int?) {
        let next = turnsMilliseconds.firstIndex { $0 > positionMilliseconds }
        return (next ?? turnsMilliseconds.count, next.map { turnsMilliseconds[$0] })
    }
}
