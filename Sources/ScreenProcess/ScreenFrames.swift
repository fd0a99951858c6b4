// SPDX-License-Identifier: Apache-2.0
import Interaction
import Panel
import Pixels
import Posix

/// Draws frames when they are due, and finds time for other work in between.
final class ScreenFrames {
    /// True if something has happened since the last frame.
    var isStale = true
    private let timers: any Timers
    private var pacer = FramePacer(framesPerSecond: 60)
    /// The moment of the scene's next change by itself, as of the last frame; nil for never.
    private var due: Int?
    private var resting = ScreenRest()
    private var figures = FrameFigures()
    /// The number of missing fonts logged so far.
    private var toldFonts = 0

    init(_ timers: any Timers) { self.timers = timers }

    func happened(at moment: Int) {
        isStale = true
        resting.happened(at: moment)
    }

    /// Records a finger's touch or release for the statistics.
    func touched(at moment: Int) { figures.touched(at: moment) }

    func tellFigures() { if figures.frames > 0 { Log.notice("screen: " + figures.words) } }

    /// Draws one picture if it is due. Events are handled before the next.
    /// - Returns: the moment of the next picture.
    /// - Throws: if the panel is gone.
    func draw(_ acts: ScreenActs, _ panel: any Panel) throws(PosixError) -> Int? {
        let view = acts.view
        let slowest = view.frameMilliseconds
        pacer.intervalMicroseconds = slowest > 0 ? Int64(slowest) * 1000 : 16_667
        let now = timers.now
        let micros = now.microsecondsOfMoments
        let moment = now.moment
        if decide(panel, moment, micros) == .now {
            let damage = view.draw(at: moment)
            acts.fetch(at: moment)
            isStale = false
            resting.drew(at: moment)
            due = view.nextFrame(after: moment)
            tellOfFonts(view)
            pacer.drew(at: micros)
            if damage.isEmpty {
                figures.nothingChanged()
            } else {
                try panel.show(view.surface, changed: damage)
                figures.shown(at: timers.now.moment)
            }
        }
        switch decide(panel, moment, micros) {
        case .now: return moment
        case .at(let due): return Int(clamping: (due + 999) / 1000)
        // The panel's descriptor wakes the loop, or nothing does.
        case .whenShown, .never: return nil
        }
    }

    private func decide(_ panel: any Panel, _ moment: Int, _ micros: Int64) -> FramePacer.Decision {
        let wanted = isStale ? moment : due
        return pacer.decide(wanted: wanted.map { Int64($0) * 1000 }, isPanelBusy: panel.isBusy, now: micros)
    }

    /// - Parameter next: when the next picture is due; nil for none.
    /// - Returns: the moment for the rest of the work; nil for none.
    func rest(_ view: ScreenView, until next: Int?, at moment: Int) -> Int? {
        resting.use(for: view, until: next, at: moment)
    }

    /// Logs a missing font once.
    private func tellOfFonts(_ view: ScreenView) {
        let missing = view.missingFonts
        while toldFonts < missing.count {
            Log.notice("screen: a text needs " + missing[toldFonts])
            toldFonts += 1
        }
    }
}
