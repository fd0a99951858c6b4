import Console
import Scenes

/// The screen that looks for what is typed on it.
final class ScreenSearch {
    let page: SearchPage
    let scene: PageScene
    private let speaker: ScreenSpeaker
    private let changed: () -> Void
    /// An answer is waited for.
    private var isFinding = false
    private var searchesAgain = false

    init(_ page: SearchPage, _ scene: PageScene, _ speaker: ScreenSpeaker, changed: @escaping () -> Void) {
        self.page = page
        self.scene = scene
        self.speaker = speaker
        self.changed = changed
        offerLayouts()
    }

    /// The scripts that titles and names are written in: hardly a library has one but Latin's, so that is asked first.
    private func offerLayouts() {
        has(KeyboardLayout.foreignPattern) { [self] in
            for layout in KeyboardLayout.allCases {
                guard let pattern = layout.pattern else { continue }
                has(pattern) { [self] in
                    page.offer(layout)
                    redraw()
                }
            }
        }
    }

    private func has(_ pattern: String, then: @escaping () -> Void) {
        let filter = Request.quoted("(any =~ '" + pattern + "')")
        speaker.askRows("search " + filter + " window 0:1", files: .song) { if !$0.isEmpty { then() } }
    }

    func type(_ key: Element.TypedKey) {
        if page.type(key) { find() }
        redraw()
    }

    private func redraw() {
        scene.drawAnew()
        changed()
    }

    private func find() {
        if isFinding {
            searchesAgain = true
            return
        }
        let words = page.words
        guard let (titles, spoken) = ScreenSource.commands(for: words) else { return }
        isFinding = true
        speaker.askRows(titles, files: .song) { [self] titles in
            speaker.askRows(spoken) { [self] sentences in
                isFinding = false
                page.show(titles: titles, sentences: sentences, for: words)
                redraw()
                // Whoever types is faster than a large library.
                if searchesAgain {
                    searchesAgain = false
                    find()
                }
            }
        }
    }
}
