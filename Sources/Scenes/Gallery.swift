// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Text

/// The lists of a state file, each under its name.
struct ExampleLists {
    private let texts: [String: String]

    init(_ texts: [String: String]) { self.texts = texts }

    /// Nil for a list that the file does not have.
    subscript(name: String) -> String? { texts[name] }

    func rows(_ name: String, files: ListRow.Kind? = nil) -> [ListRow]? {
        texts[name].map { ListRow.rows(lines: $0, files: files) }
    }
}

/// Draws any screen by its name: for `nightstand screen --png`, tests and contact sheets. One thread.
///
/// A state file has the lines of the console's `screenstate`. A line `list: NAME` begins the rows of a list: `favourites`, `books`,
/// `chapters`, `playlists`, `podcasts`, `episodes`, `titles`, `spoken` (what was found), `settings` or `alarms`. After `list: stats`
/// follows the answer to `stats`.
public final class Gallery {
    public static var names: [String] {
        ScreenName.allCases.map { $0.rawValue } + [
            "chapters", "playlists", "podcasts", "standby", "boot", "error", "empty", "loading", "menu", "toast",
            "banner", "search", "found", "book", "episodes", "first", "speed", "sleep", "simple", "simple-books",
            "alarms", "ringing",
        ]
    }

    private let stage: Stage
    private let state: SpeakerStatus
    /// The picture's file; "" for none.
    private var artworkPath = ""
    private let lists: ExampleLists
    private let artwork: (String, Int) -> Surface?

    /// - Parameters:
    ///   - artwork: reads a picture's file at the given side, in pixels.
    public init(_ stage: Stage, lines: String, artwork: @escaping (String, Int) -> Surface?) {
        self.stage = stage
        self.artwork = artwork
        var parts: [String: String] = ["": ""]
        var list = ""
        for line in lines.utf8.split(separator: 0x0A, omittingEmptySubsequences: true) {
            if let (name, value) = SpeakerStatus.parts(line), name == "list" || name == "artwork" && list.isEmpty {
                if name == "artwork" {
                    artworkPath = value
                } else {
                    list = value
                    parts[list] = ""
                }
            } else {
                parts[list, default: ""] += String(Substring(line)) + "\n"
            }
        }
        state = SpeakerStatus(lines: parts[""] ?? "")
        lists = ExampleLists(parts)
    }

    /// The elements of the picture drawn last.
    public private(set) var elements: [Element] = []

    /// The age at which screens that animate in are complete, in milliseconds.
    private static let settled = 1000

    /// Draws a screen; nil for an unknown name.
    /// - Parameter moment: the screen's age in milliseconds; nil for its state at rest.
    public func draw(_ name: String, at moment: Int? = nil) -> Surface? {
        let isComing = name == "boot" || name == "ringing" || overlay(name) != nil
        let moment = moment ?? (isComing ? Gallery.settled : 0)
        guard let scene = scene(name) else { return nil }
        let surface = Surface(width: stage.width, height: stage.height)
        var state = state
        if name == "ringing" { state.alarm = AlarmStatus(.ringing, minute: 400) }
        scene.show(state, at: 0)
        _ = scene.draw(on: surface, at: moment)
        elements = scene.elements
        return surface
    }

    /// Draws the player at a moment between paused, 0, and playing, 1.
    public func drawPlayer(part: Float) -> Surface {
        let scene = PlayerScene(stage, artwork: picture(PlayerScene.artworkSide(stage)), gradient: .duskBerry)
        let surface = scene.frame(state, part: part)
        elements = scene.elements
        return surface
    }

    private func picture(_ side: Int) -> Surface? {
        artworkPath.isEmpty ? nil : artwork(artworkPath, side)
    }

    private func context() -> PageContext {
        let pictures = Pictures { [artwork] row, side in
            row.artworkPath.isEmpty ? nil : artwork(row.artworkPath, side)
        }
        let context = PageContext(
            pictures, firstEvening: { FirstEvening(host: "bedside", folder: "/srv/nightstand") })
        context.state = state
        return context
    }

    /// Returns an overlay to be drawn over another screen.
    private func overlay(_ name: String) -> Overlay? {
        switch name {
        case "toast": .toast(Toast(translated("Added to Favorites")))
        case "banner": .toast(Toast(state.title, .playing))
        case "menu":
            rows("books").first.map { row in
                .menu(title: row.title, items: RowDeed.all(row, isFavourite: false).map { $0.item })
            }
        case "speed": .speeds(Overlay.speeds, current: .own)
        case "sleep": .sleep(current: .off)
        default: nil
        }
    }

    private func rows(_ list: String, files: ListRow.Kind? = nil) -> [ListRow] {
        lists.rows(list, files: files) ?? []
    }

    public func scene(_ name: String) -> (any Scene)? {
        switch name {
        case "toast", "banner", "menu", "speed", "sleep":
            guard let beneath = scene(name == "banner" || name == "menu" ? "library" : "player"),
                let overlay = overlay(name)
            else {
                return nil
            }
            let director = Director(stage, beneath)
            director.put(overlay, at: 0)
            return director
        case "ringing": return scene("player").map { Director(stage, $0) }
        case "empty", "loading":
            let page = FavouritesPage(context())
            if name == "empty" { page.show([], by: .newest) }
            return self.page(page, .rosewoodPlum)
        case "player":
            let scene = PlayerScene(stage, artwork: picture(PlayerScene.artworkSide(stage)), gradient: .duskBerry)
            scene.show(state, at: 0)
            if scene.wantsChapters() {
                scene.show(chapters: rows("chapters").compactMap { $0.startMilliseconds }, of: state.file)
            }
            return scene
        case "chapters", "playlists", "podcasts":
            let page = LibraryPage(context())
            if let rows = lists.rows(name), let section = LibrarySection(rawValue: name) {
                page.show(rows, of: section, current: rows.last(begunAt: state.positionMilliseconds)?.name)
            }
            return self.page(page, .skyLavender)
        case "first":
            let page = LibraryPage(context())
            page.show([], of: .books)
            return self.page(page, .skyLavender)
        case "simple":
            return SimplePlayer(stage, artwork: picture(SimplePlayer.artworkSide(stage)), gradient: .duskBerry)
        case "simple-books":
            let page = SimpleBooks(context())
            page.show(lists)
            return PageScene(stage, page, gradient: .skyLavender)
        case "search", "found": return search(isTyping: name == "search")
        case "book", "episodes": return detail(isBook: name == "book")
        case "alarms":
            let page = SettingsPage(context())
            page.show(lists)
            page.show(alarms: rows(name))
            return self.page(page, .mintAqua)
        case "standby":
            let scene = StandbyScene(stage)
            scene.setArtwork(picture(stage.pixels(Metrics.standbyArtwork)))
            return scene
        case "boot": return MessageScene(stage, .boot, gradient: .icePeriwinkle)
        case "error":
            return MessageScene(
                stage,
                .failure(
                    state.trouble?.words ?? "It may be starting. The screen keeps trying."),
                gradient: .coralMist)
        default:
            guard let screen = ScreenName(rawValue: name) else { return nil }
            let destination = Destination(screen)
            let page = destination.page(context())
            page.show(lists)
            return self.page(page, destination.gradient)
        }
    }

    private func search(isTyping: Bool) -> PageScene {
        let rows = self.rows("titles", files: .song)
        let page = SearchPage(context())
        for byte in "wind".utf8 { _ = page.type(.letter(UInt32(byte))) }
        if !isTyping { _ = page.type(.done) }
        page.show(titles: rows, sentences: self.rows("spoken"), for: page.words)
        return self.page(page, .icePeriwinkle)
    }

    private func detail(isBook: Bool) -> PageScene? {
        guard let subject = rows(isBook ? "books" : "podcasts").first else { return nil }
        let rows = self.rows(isBook ? "chapters" : "episodes", files: .episode)
        let page = DetailPage(subject, context())
        page.show(rows, current: isBook ? rows.first?.name : nil)
        return self.page(page, .peachRose)
    }

    private func page(_ page: any Page, _ gradient: GradientToken) -> PageScene {
        let scene = PageScene(stage, page, gradient: gradient)
        scene.setArtwork(picture(stage.pixels(Metrics.fullBarArtwork)))
        return scene
    }
}
