// SPDX-License-Identifier: Apache-2.0
import Model
import Pixels

/// The progress as it stands on the panel: from second to second only what counts is drawn anew, and a finger goes along it. One thread.
struct ProgressStrip {
    private var laid: (place: PixelRect, beneath: Surface, drawn: PlayerProgress.Drawn)?
    /// On the bar, in milliseconds; -1 before it was drawn.
    private(set) var shownElapsed = -1
    private var isStale = false
    private(set) var elements: [Element] = []
    /// The starts of chapters, in milliseconds, of the recording last asked for.
    private var chapters: (file: String, starts: [Int]) = ("", [])
    /// A finger on it.
    private var scrub: Scrub?

    /// Nil without a finger.
    var isScrubStale: Bool { isStale || scrub?.isDirty ?? false }

    /// - Parameter elapsed: by now, in milliseconds.
    func isDue(_ elapsed: Int) -> Bool { elapsed / 1000 != shownElapsed / 1000 || isScrubStale }

    /// Takes it away: the bar's knob may reach into what changes.
    func lift(_ surface: Surface) {
        if let laid { surface.put(laid.beneath, x: laid.place.x, y: laid.place.y) }
    }

    /// Draws it on what lies there. Returns where. - Parameter known: the last drawing on the same ground.
    mutating func lay(
        _ progress: PlayerProgress, _ stage: Stage, on surface: Surface, known: PlayerProgress.Drawn? = nil
    ) -> PixelRect {
        var shown = progress
        if let scrub { shown.state.positionMilliseconds = scrub.place }
        let place = shown.place(stage).intersection(surface.bounds)
        let beneath = surface.part(place)
        let picture = Picture(stage, on: surface)
        laid = (place, beneath, shown.draw(picture, known: known))
        elements = picture.elements
        shownElapsed = progress.state.positionMilliseconds
        isStale = false
        return place
    }

    /// A second on. Returns where.
    mutating func count(_ progress: PlayerProgress, _ stage: Stage, on surface: Surface) -> [PixelRect] {
        if let (place, beneath, _) = laid, !isStale, scrub == nil {
            let picture = Picture(stage, on: surface)
            if let damage = progress.count(picture, from: &laid!.drawn, over: beneath, at: place) {
                elements = picture.elements
                shownElapsed = progress.state.positionMilliseconds
                return damage
            }
        }
        lift(surface)
        return [lay(progress, stage, on: surface, known: laid?.drawn)]
    }

    // MARK: Chapters

    func chapters(of file: String) -> [Int] { file == chapters.file ? chapters.starts : [] }

    /// Returns whether to ask for them. Once for each recording.
    mutating func wantsChapters(_ state: SpeakerStatus) -> Bool {
        if state.chapterCount < 2 || state.file == chapters.file { return false }
        chapters = (state.file, [])
        return true
    }

    mutating func show(chapters starts: [Int], of file: String) {
        if file != chapters.file { return }
        chapters.starts = starts
        isStale = true
    }

    // MARK: A finger

    /// Goes along it. Returns the place that it has come to, in milliseconds; nil for another direction, or an unknown length.
    mutating func drag(x: Int, y: Int, by distance: Int, duration: Int?) -> Int? {
        if scrub == nil, let duration, duration > 0, let bar, bar.frame.contains(x: x, y: y) {
            scrub = Scrub(bar: bar.frame, x: x, duration: duration)
        }
        scrub?.move(distance)
        return scrub?.place
    }

    /// The finger has gone. Returns where it was, in milliseconds; nil for nowhere.
    mutating func drop() -> Int? {
        let place = scrub?.place
        isStale = isStale || place != nil
        scrub = nil
        return place
    }

    /// Shows the sentence at the finger's place; "" for nothing.
    mutating func show(_ sentence: String) { scrub?.show(sentence) }

    private var bar: Element? { elements.last { $0.action == .seek } }

    /// Draws the words above a finger. Returns where; nil without one. - Parameter keep: is told where before it is drawn.
    mutating func drawScrub(_ picture: Picture, keep: (PixelRect) -> Void) -> PixelRect? {
        guard let bar, let place = scrub?.frame(picture.stage, above: bar.frame) else { return nil }
        keep(place)
        scrub?.draw(picture, in: place)
        return place
    }
}
