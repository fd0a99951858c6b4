// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Pixels
import Scenes

/// The screens with lists, their order on top of each other, and the actions for rows.
final class ScreenPages {
    /// The result of opening something.
    enum Outcome {
        case nothing
        case plays
        /// Another screen of the library opened on top.
        case shows
    }

    private let stage: Stage
    private let speaker: ScreenSpeaker
    private let changed: () -> Void
    private let context: PageContext
    /// True if one page replaces all.
    private let isSimple: Bool
    private var artwork: Surface?
    /// The pages of tabs, once they were shown.
    private var tabs: [(name: ScreenName, scene: PageScene)] = []
    /// The opened pages of the library, from the bottom up.
    private var opened: [PageScene] = []

    /// - Parameter changed: called when an answer for the page has arrived.
    init(_ stage: Stage, _ settings: ScreenSettings, _ speaker: ScreenSpeaker, changed: @escaping () -> Void) {
        self.stage = stage
        self.speaker = speaker
        self.changed = changed
        isSimple = settings.isSimple
        context = PageContext(
            source: ScreenPageSource(stage, settings, speaker), firstEvening: { settings.firstEvening },
            changed: changed)
    }

    deinit { context.shown = nil }

    /// Returns a tab's page, and makes it the visible one, which requests rows and gets the gestures.
    func scene(_ tab: Element.Tab) -> PageScene {
        let scene = (tab == .library ? opened.last : nil) ?? self.tab(tab)
        context.shown = scene
        return scene
    }

    private func tab(_ name: ScreenName) -> PageScene {
        if let known = tabs.first(where: { $0.name == name }) { return known.scene }
        let made: PageScene = isSimple ? .simple(stage, context) : PageScene(name, stage, context)
        made.setArtwork(artwork)
        tabs.append((name, made))
        return made
    }

    private var scenes: [PageScene] { tabs.map { $0.scene } + opened }

    func setArtwork(_ picture: Surface?) {
        artwork = picture
        for scene in scenes { scene.setArtwork(picture) }
    }

    // MARK: One over another

    private func open(_ scene: PageScene) {
        scene.setArtwork(artwork)
        opened.append(scene)
        context.shown = scene
        scene.load()
    }

    func showSearch() { open(.search(stage, context)) }

    /// True if letters belong to a search.
    var isSearching: Bool { opened.last?.takesLetters ?? false }

    /// Closes the page opened last. Returns true if there was one.
    func close() -> Bool { opened.popLast() != nil }

    /// Returns to the first screen of the library. Returns true if another was shown.
    func closeAll() -> Bool {
        defer { opened = [] }
        return !opened.isEmpty
    }

    // MARK: Content

    func willShow(_ tab: Element.Tab, _ state: SpeakerStatus) {
        context.state = state
        if tab == .player { return }
        let scene = scene(tab)
        // An opened page keeps its state.
        if tab == .library && !opened.isEmpty { return scene.drawAnew() }
        scene.load()
    }

    func speakerChanged(_ new: SpeakerStatus, isShown tab: Element.Tab) {
        let old = context.state
        context.state = new
        for scene in scenes { scene.changed(from: old, isShown: tab != .player && scene === context.shown) }
    }

    /// Handles changes on the speaker, by MPD's names.
    func speakerChanged(_ names: [String], isShown tab: Element.Tab) {
        if names.contains(where: { $0 == "database" }) {
            context.pictures.doubt()
            for scene in scenes { scene.drawAnew() }
        }
        for scene in scenes {
            for name in names { scene.changed(name, isShown: tab != .player && scene === context.shown) }
        }
    }

    /// Requests the rows drawn as placeholder shapes. Call it after each frame.
    func fetchRows() { context.shown?.fetch() }

    /// Requests the covers that were missing in the last drawing.
    func fetchPictures() {
        let pictures = context.pictures
        for (row, side) in pictures.takeWanted() {
            speaker.artwork.pictures.cover(of: row, side: side) { [self] surface in
                if !pictures.set(surface, for: row) { return }
                for scene in scenes { scene.drawAnew() }
                changed()
            }
        }
    }

    /// Returns a visible row.
    func row(_ kind: ListRow.Kind, _ name: String) -> ListRow? { context.shown?.row(kind, name) }

    /// Hides a deleted row while it can be restored, or shows it again.
    func setHidden(_ row: ListRow, _ isHidden: Bool) {
        context.hidden.removeAll { $0.kind == row.kind && $0.name == row.name }
        if isHidden { context.hidden.append(row) }
        context.shown?.load()
        changed()
    }

    // MARK: Acts

    /// Returns true if a page handled the action.
    func take(_ action: Element.Action) -> Bool {
        if case .change = action {
            // A pinch changes the text size on any screen, and all screens must be redrawn.
            _ = tab(.settings).take(action)
            for scene in scenes { scene.drawAnew() }
        } else if !(context.shown?.take(action) ?? false) {
            return false
        }
        changed()
        return true
    }

    func open(_ kind: ListRow.Kind, _ name: String) -> Outcome {
        guard let row = row(kind, name) else { return .nothing }
        if kind == .book || kind == .podcast {
            open(PageScene(row, stage, context))
            return .shows
        }
        return play(row) ? .plays : .nothing
    }

    func play(_ kind: ListRow.Kind, _ name: String) -> Outcome {
        if let row = row(kind, name), play(row) { return .plays }
        return .nothing
    }

    /// - Returns: true to show the player at once; otherwise it appears once the speaker accepts the command.
    private func play(_ row: ListRow) -> Bool {
        switch row.kind {
        case .favourite, .episode, .song, .part: speaker.play(file: row.name)
        case .chapter:
            guard let start = row.startMilliseconds else { return false }
            if row.file.isEmpty || row.file == context.state.file {
                speaker.perform(.seekTo(start))
                if context.state.state != .playing { speaker.tell("play") }
                return true
            }
            speaker.play(file: row.file, from: start)
        case .sentence: speaker.play(file: row.file, from: row.startMilliseconds)
        case .book: speaker.play("book play " + row.name.quotedArgument)
        case .podcast:
            speaker.askRows("find base " + row.file.quotedArgument + " sort -Date window 0:1", files: .episode) {
                [self] in
                if let first = $0.first { speaker.play(file: first.name) }
            }
        case .alarm:
            speaker.tell("alarm " + (row.isOn ? "off " : "on ") + row.name)
        case .playlist: speaker.play(playlist: row.name)
        }
        return false
    }
}
