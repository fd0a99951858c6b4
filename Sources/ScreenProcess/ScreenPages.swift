import Console
import Core
import Design
import Model
import Pixels
import Posix
import Scenes

/// The screens with lists: what stands in them, asked of the speaker when they are shown, and what is done with a row.
final class ScreenPages {
    /// What opening something leads to.
    enum Outcome {
        case nothing
        case plays
        /// Another screen of the library, on top of the others.
        case shows
    }

    private let settings: ScreenSettings
    private let speaker: ScreenSpeaker
    private let stage: Stage
    private let changed: () -> Void
    private let pictures = Pictures()
    private var artwork: Surface?
    private var state = SpeakerStatus()

    private var favourites: (page: FavouritesPage, scene: PageScene)?
    private var library: (page: LibraryPage, scene: PageScene)?
    private var setting: (page: SettingsPage, scene: PageScene)?
    /// What was opened in the library, each over the one before.
    private var detail: (page: DetailPage, scene: PageScene)?
    private var search: ScreenSearch?
    private var order = FavouritesOrder.newest
    private var section = LibrarySection.books

    init(_ stage: Stage, _ settings: ScreenSettings, _ speaker: ScreenSpeaker, changed: @escaping () -> Void) {
        self.stage = stage
        self.speaker = speaker
        self.changed = changed
        self.settings = settings
    }

    func scene(_ tab: Element.Tab) -> PageScene {
        let made: PageScene
        switch tab {
        case .favourites:
            if let favourites { return favourites.scene }
            let page = FavouritesPage(pictures)
            made = .favourites(stage, page)
            favourites = (page, made)
        case .library, .player:
            if let detail { return detail.scene }
            if let search { return search.scene }
            if let library { return library.scene }
            let page = LibraryPage(pictures) { [settings] in settings.firstEvening }
            made = .library(stage, page)
            page.isLooking = state.trouble == .lookingForAudio
            library = (page, made)
        case .settings:
            if let setting { return setting.scene }
            let page = SettingsPage()
            made = .settings(stage, page)
            setting = (page, made)
        }
        made.setArtwork(artwork)
        return made
    }

    private var scenes: [PageScene] {
        [favourites?.scene, library?.scene, setting?.scene, detail?.scene, search?.scene].compactMap { $0 }
    }

    func setArtwork(_ picture: Surface?) {
        artwork = picture
        for scene in scenes { scene.setArtwork(picture) }
    }

    /// What is typed is looked for.
    var isSearching: Bool { search != nil && detail == nil }

    /// Back from what was opened last. Returns whether something was.
    func close() -> Bool {
        if detail != nil {
            detail = nil
        } else if search != nil {
            search = nil
        } else {
            return false
        }
        return true
    }

    /// Back to the first screen of the library. Returns whether another was shown.
    func closeAll() -> Bool {
        defer { (detail, search) = (nil, nil) }
        return detail != nil || search != nil
    }

    // MARK: What stands in them

    func willShow(_ tab: Element.Tab, _ state: SpeakerStatus) {
        self.state = state
        _ = scene(tab)
        load(tab)
    }

    func speakerChanged(_ new: SpeakerStatus, isShown tab: Element.Tab) {
        let isOther = new.file != state.file
        let isSet = !ScreenSettings.isAlike(new, state)
        state = new
        if tab == .settings && (isOther || isSet) { load(tab) }
        let isLooking = new.trouble == .lookingForAudio
        if let library, library.page.isLooking != isLooking {
            library.page.isLooking = isLooking
            redraw(library.scene)
        }
        if !isOther { return }
        if section == .chapters { library?.page.show(.chapters) }
        if tab == .library { load(tab) }
        if let detail { detail.page.show(current: state.file) }
    }

    /// What the speaker says has changed, by MPD's names.
    func speakerChanged(_ names: [String], isShown tab: Element.Tab) {
        for name in names {
            switch name {
            case "sticker":
                favourites?.page.show(by: order)
                if tab == .favourites { redraw(favourites?.scene) }
            case "database", "stored_playlist":
                if section == .playlists || name == "database" { library?.page.show(section) }
                if tab == .library && detail == nil && search == nil { load(tab) }
            default: break
            }
        }
    }

    private func redraw(_ scene: PageScene?) {
        scene?.drawAnew()
        changed()
    }

    private func load(_ tab: Element.Tab) {
        switch tab {
        case .player: break
        case .favourites: favourites?.page.show(by: order)
        case .library:
            if detail == nil && search == nil { loadLibrary() }
        case .settings:
            setting?.page.show(settings.rows(state))
            settings.askNetwork(state, speaker) { [self] in
                setting?.page.show(settings.rows(state))
                redraw(setting?.scene)
            }
            speaker.ask("stats") { [self] in
                setting?.page.show(SpeakerCounters(lines: $0?.lines ?? ""))
                redraw(setting?.scene)
            }
        }
        redraw(scene(tab))
    }

    private func loadLibrary() {
        let section = section
        library?.page.show(section)
        let command: String
        switch section {
        // By pages, as they are seen.
        case .books: return
        case .chapters: command = "book"
        case .playlists: command = "listplaylists"
        case .podcasts: command = "subscriptions"
        }
        speaker.askRows(command) { [self] rows in
            if section != self.section { return }
            var rows = rows
            // The book itself stands before its chapters.
            if section == .chapters { rows.removeAll { $0.kind != .chapter } }
            let place = state.positionMilliseconds
            library?.page.show(
                rows, of: section,
                current: section == .chapters ? rows.last { ($0.startMilliseconds ?? .max) <= place }?.name : nil)
            redraw(library?.scene)
        }
    }

    /// Asks for those rows that were drawn as shapes only: call it after each frame.
    func fetchRows() {
        if let favourites {
            let word =
                switch order {
                case .newest: "newest"
                case .title: "title"
                case .duration: "duration"
                case .plays: "plays"
                }
            fill(favourites.page.list, favourites.page.takeWanted(), .favourite, favourites.scene) {
                "favourite list " + word + " " + $0
            }
        }
        if let library, section == .books {
            fill(library.page.list, library.page.list.takeWanted(), nil, library.scene) { "books newest " + $0 }
        }
        if let detail, detail.page.subject.kind == .podcast {
            let folder = Request.quoted(detail.page.subject.file)
            fill(detail.page.list, detail.page.list.takeWanted(), .episode, detail.scene) {
                "find base " + folder + " sort -Date window " + $0
            }
        }
    }

    private func fill(
        _ list: RowWindow, _ wanted: [Int], _ files: ListRow.Kind?, _ scene: PageScene, _ command: (String) -> String
    ) {
        for number in wanted {
            let generation = list.generation
            let start = number * RowWindow.pageRows
            speaker.ask(command("\(start):\(start + RowWindow.pageRows)")) { [self] answer in
                // One that is refused is asked for again with the next change.
                guard let answer, answer.refusal == nil else { return list.take(nil, page: number, of: generation) }
                list.take(
                    ListRow.rows(lines: answer.lines, files: files), page: number, of: generation)
                redraw(scene)
            }
        }
    }

    /// What is known of a row that is seen.
    func row(_ kind: ListRow.Kind, _ name: String) -> ListRow? {
        if let page = detail?.page {
            if page.subject.kind == kind && page.subject.name == name { return page.subject }
            if let row = page.list.row(name), row.kind == kind { return row }
        }
        if let row = search?.page.row(kind, name) { return row }
        for list in [library?.page.list, favourites?.page.list] {
            if let row = list?.row(name), row.kind == kind { return row }
        }
        return nil
    }

    // MARK: What is done with them

    /// Whether it was for these.
    func take(_ action: Element.Action) -> Bool {
        switch action {
        case .order(let order):
            self.order = order
            load(.favourites)
        case .section(let section):
            self.section = section
            load(.library)
        case .remove(let file):
            speaker.tell("favourite remove " + Request.quoted(file))
        case .refresh:
            if let detail, detail.page.subject.kind == .podcast {
                speaker.tell("refresh " + Request.quoted(detail.page.subject.name))
            } else if section == .podcasts {
                speaker.tell("refresh")
            } else {
                speaker.tell("update")
            }
            if let detail { fillDetail(detail.page, detail.scene) }
            load(.favourites)
            load(.library)
        case .change(let name, let step):
            settings.change(name, step, stage, state, speaker)
            load(.settings)
            for scene in scenes { scene.drawAnew() }
        case .type(let key): search?.type(key)
        default: return false
        }
        return true
    }

    func open(_ kind: ListRow.Kind, _ name: String) -> Outcome {
        guard let row = row(kind, name) else { return .nothing }
        if kind == .book || kind == .podcast {
            show(row)
            return .shows
        }
        return play(row) ? .plays : .nothing
    }

    func play(_ kind: ListRow.Kind, _ name: String) -> Outcome {
        if let row = row(kind, name), play(row) { return .plays }
        return .nothing
    }

    private func play(_ row: ListRow) -> Bool {
        switch row.kind {
        case .favourite, .episode, .song, .part: speaker.play(file: row.name)
        case .chapter:
            guard let start = row.startMilliseconds else { return false }
            if row.file.isEmpty || row.file == state.file {
                speaker.perform(.seekTo(start))
                if state.state != .playing { speaker.tell("play") }
            } else {
                speaker.play(file: row.file, from: start)
            }
        case .sentence: speaker.play(file: row.file, from: row.startMilliseconds)
        case .book:
            speaker.tell("book play " + Request.quoted(row.name))
        case .podcast:
            speaker.askRows("find base " + Request.quoted(row.file) + " sort -Date window 0:1", files: .episode) {
                [self] in
                if let first = $0.first { speaker.play(file: first.name) }
            }
        case .playlist:
            speaker.tell("clear")
            speaker.tell("load " + Request.quoted(row.name))
            speaker.tell("play")
        }
        return true
    }

    // MARK: Within a book or a podcast

    private func show(_ row: ListRow) {
        let page = DetailPage(row, pictures)
        let scene = PageScene.detail(stage, page)
        scene.setArtwork(artwork)
        detail = (page, scene)
        fillDetail(page, scene)
    }

    private func fillDetail(_ page: DetailPage, _ scene: PageScene) {
        if page.subject.kind == .podcast { return page.list.reload() }
        speaker.askRows("listallinfo " + Request.quoted(page.subject.name), files: .part) { [self] files in
            if files.count != 1 {
                page.show(files, current: state.file)
                return redraw(scene)
            }
            // One file has chapters, where others are files.
            speaker.askRows("book " + Request.quoted(files[0].name)) { [self] rows in
                var chapters = rows.filter { $0.kind == .chapter }
                for index in chapters.indices { chapters[index].file = files[0].name }
                let place = files[0].name == state.file ? state.positionMilliseconds : -1
                page.show(chapters, current: chapters.last { ($0.startMilliseconds ?? .max) <= place }?.name)
                redraw(scene)
            }
        }
    }

    func showSearch() {
        let page = SearchPage(pictures)
        let scene = PageScene.search(stage, page)
        scene.setArtwork(artwork)
        search = ScreenSearch(page, scene, speaker, changed: changed)
    }

    // MARK: Covers

    /// Those that were drawn without one.
    func fetchPictures() {
        for (row, side) in pictures.takeWanted() {
            speaker.artwork.pictures.cover(of: row, side: side) { [self] surface in
                pictures.set(surface, for: row)
                if surface == nil { return }
                for scene in scenes { scene.drawAnew() }
                changed()
            }
        }
    }
}
