// SPDX-License-Identifier: Apache-2.0
import Posix

/// The idle work of a screen: prepares the next drawing, and releases memory that past events needed. Moments are milliseconds of a
/// monotonic clock.
struct ScreenRest {
    /// The time without pictures, before and after, that counts as idle, in milliseconds.
    private static let restMilliseconds = 100
    /// The time after an event at which its memory is released, in milliseconds. Libraries and fonts are read again page by page.
    private static let giveBackMilliseconds = 2000

    private var busyAt = 0
    /// The moment of the last event that led to more than a picture.
    private var happenedAt = 0
    private var hasGivenBack = false
    /// The number of shaped texts at the last look, and at the last release of code and fonts.
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
    /// - Returns: when there will be time for the remaining work; nil if there is none, or the next picture comes first.
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
            // A sentence was shaped since the release. Release again after a picture without shaping, so that nothing wakes for this alone.
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
