// SPDX-License-Identifier: Apache-2.0
import Model
import Pixels

/// The progress on the panel. Each second redraws only what changed, and a finger can drag along it. One thread.
struct ProgressStrip {
    private var laid: (place: PixelRect, beneath: Surface, drawn: PlayerProgress.Drawn)?
    /// The position that the bar shows, in milliseconds; -1 before the first drawing.
    private(set) var shownElapsed = -1
    private var isStale = false
    private(set) var elements: [Element] = []
    /// The starts of chapters, in milliseconds, of the recording last requested.
    private var chapters: (file: String, starts: [Int]) = ("", [])
    /// The finger on the progress.
    private var scrub: Scrub?

    /// True if the progress or the finger's sign must be redrawn.
    var isScrubStale: Bool { isStale || scrub?.isDirty ?? false }

    /// - Parameter elapsed: the present position, in milliseconds.
    func isDue(_ elapsed: Int) -> Bool { elapsed / 1000 != shownElapsed / 1000 || isScrubStale }

    /// Removes the progress from the surface, since the knob may reach into a part that changes.
    func lift(_ surface: Surface) {
        if let laid { surface.put(laid.beneath, x: laid.place.x, y: laid.place.y) }
    }

    /// Draws the progress on the surface. Returns the place.
    /// - Parameter known: the last drawing on the same ground.
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

    /// Draws a new second. Returns the changed places.
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

    /// Returns true if the recording's chapters must be requested; once for each recording.
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

    /// Drags along the progress. Returns the new position, in milliseconds; nil if the drag did not begin on the bar, or the length is
    /// unknown.
    mutating func drag(x: Int, y: Int, by distance: Int, duration: Int?) -> Int? {
        if scrub == nil, let duration, duration > 0, let bar, bar.frame.contains(x: x, y: y) {
            scrub = Scrub(bar: bar.frame, x: x, duration: duration)
        }
        scrub?.move(distance)
        return scrub?.place
    }

    /// Ends a drag. Returns the finger's last position, in milliseconds; nil if there was no drag.
    mutating func drop() -> Int? {
        let place = scrub?.place
        isStale = isStale || place != nil
        scrub = nil
        return place
    }

    /// Shows the sentence at the finger's position; "" for none.
    mutating func show(_ sentence: String) { scrub?.show(sentence) }

    private var bar: Element? { elements.last { $0.action == .seek } }

    /// Draws the words above a finger. Returns their place; nil without a finger.
    /// - Parameter keep: called with the place before the drawing.
    mutating func drawScrub(_ picture: Picture, keep: (PixelRect) -> Void) -> PixelRect? {
        guard let bar, let place = scrub?.frame(picture.stage, above: bar.frame) else { return nil }
        keep(place)
        scrub?.draw(picture, in: place)
        return place
    }
}
