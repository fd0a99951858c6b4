// SPDX-License-Identifier: Apache-2.0
import Posix

/// The work of a screen without anything to draw: it gets ready what comes next, and gives back the memory that only what has happened
/// took. Moments are milliseconds of a clock that never goes back.
struct ScreenRest {
    /// After so long without a picture there is time, if none is due for as long.
    private static let restMilliseconds = 100
    /// So long after something happened what was needed for it is given back: libraries and fonts are read again by the page.
    private static let giveBackMilliseconds = 2000

    private var busyAt = 0
    /// That more than a picture followed from.
    private var happenedAt = 0
    private var hasGivenBack = false
    /// Of texts that were shaped: their number at the last look, and at the last release of code and fonts.
    private var textsSeen = 0
    private var textsGivenBack = 0
    private var code = ResidentMemory.Code()

    mutating func happened(at moment: Int) {
        happenedAt = moment
        busyAt = moment
        hasGivenBack = false
    }

    mutating func drew(at moment: Int) { busyAt = moment }

    /// - Parameter next: when the next picture is due; nil for none.
    /// - Returns: when there will be time for what is left to do; nil where that is nothing, or comes after the next picture.
    mutating func use(for view: ScreenView, until next: Int?, at moment: Int) -> Int? {
        let texts = view.textsShaped
        defer { textsSeen = texts }
        let isFree = moment >= busyAt + ScreenRest.restMilliseconds
        if let next, next < moment + ScreenRest.restMilliseconds { return nil }
        if view.wantsTime {
            if !isFree { return busyAt + ScreenRest.restMilliseconds }
            view.prepare(at: moment)
        }
        if hasGivenBack {
            // A sentence has come in since. The next picture without shaping releases its code, so that nothing is woken for this alone.
            if texts != textsGivenBack && texts == textsSeen { giveBackFiles(view, texts) }
            return nil
        }
        let due = max(busyAt + ScreenRest.restMilliseconds, happenedAt + ScreenRest.giveBackMilliseconds)
        if moment < due { return due }
        hasGivenBack = true
        ResidentMemory.giveBackHeap()
        giveBackFiles(view, texts)
        return nil
    }

    private mutating func giveBackFiles(_ view: ScreenView, _ texts: Int) {
        textsGivenBack = texts
        code.giveBack()
        view.giveBackFonts()
    }
}
