import Console
import Core
import Pixels
import Scenes
import Text

/// What can be done with a row: from a long press on it, or the menu's key while it has the focus.
struct ScreenMenu {
    enum Deed {
        case play, next, last, open
        case favourite(Bool)
        case finished(Bool)
        case delete
        case refresh
    }

    let row: ListRow
    private let deeds: [Deed]

    init(_ row: ListRow, isFavourite: Bool) {
        self.row = row
        switch row.kind {
        case .favourite: deeds = [.play, .next, .last, .favourite(false)]
        case .song, .part, .episode: deeds = [.play, .next, .last, .favourite(!isFavourite)]
        case .sentence: deeds = [.play, .favourite(!isFavourite)]
        case .chapter: deeds = [.play]
        case .book: deeds = [.play, .next, .last, .open, .finished(!row.isFinished)]
        case .playlist: deeds = [.play, .next, .last, .delete]
        case .podcast: deeds = [.play, .open, .refresh]
        case .alarm: deeds = [.delete]
        }
    }

    /// - Parameter place: where the row stands; nil where it is not seen.
    func overlay(at place: PixelRect?) -> Overlay {
        .menu(title: row.title, items: deeds.map { ScreenMenu.item($0, row.kind) }, at: place)
    }

    func deed(_ index: Int) -> Deed? { deeds.indices.contains(index) ? deeds[index] : nil }

    private static func item(_ deed: Deed, _ kind: ListRow.Kind) -> Overlay.MenuItem {
        switch deed {
        case .play: Overlay.MenuItem(kind == .podcast ? translated("Play the newest") : translated("Play"), .play)
        case .next: Overlay.MenuItem(translated("Play next"), .next)
        case .last: Overlay.MenuItem(translated("Add to the queue"), .list)
        case .open: Overlay.MenuItem(kind == .podcast ? translated("Episodes") : translated("Chapters"), .bookmark)
        case .favourite(true): Overlay.MenuItem(translated("Add to Favorites"), .heart)
        case .favourite(false): Overlay.MenuItem(translated("Remove from Favorites"), .trash, isDestructive: true)
        case .finished(true): Overlay.MenuItem(translated("Mark as finished"), .tick)
        case .finished(false): Overlay.MenuItem(translated("Mark as unheard"), .reload)
        case .delete: Overlay.MenuItem(translated("Delete"), .trash, isDestructive: true)
        case .refresh: Overlay.MenuItem(translated("Look for new episodes"), .reload)
        }
    }

    /// Carries it out by the speaker. Calls back with what is said about it; "" for nothing.
    func perform(_ deed: Deed, _ speaker: ScreenSpeaker, _ then: @escaping (String) -> Void) {
        if case .finished = deed, row.file.isEmpty {
            // One that was not begun yet is known by its folder: any of its files stands for it.
            return speaker.ask("listall " + row.name.quotedArgument) { answer in
                guard let file = answer?.value("file") else { return then(answer?.refusal ?? "") }
                var row = row
                row.file = file
                ScreenMenu(row, isFavourite: false).perform(deed, speaker, then)
            }
        }
        let name = (row.kind == .sentence ? row.file : row.name).quotedArgument
        let command: String
        let words: String
        switch deed {
        case .play, .open: return
        case .next where row.kind == .playlist: (command, words) = ("load " + name + " 0: +0", translated("Plays next"))
        case .next: (command, words) = ("add " + name + " +0", translated("Plays next"))
        case .last where row.kind == .playlist: (command, words) = ("load " + name, translated("Added to the queue"))
        case .last: (command, words) = ("add " + name, translated("Added to the queue"))
        case .favourite(true): (command, words) = ("favourite add " + name, translated("Added to Favorites"))
        case .favourite(false): (command, words) = ("favourite remove " + name, translated("Removed from Favorites"))
        case .finished(let isFinished):
            let file = row.file.isEmpty ? name : row.file.quotedArgument
            command = "finished " + (isFinished ? "on " : "off ") + file
            words = isFinished ? translated("Finished") : translated("Unheard again")
        case .delete where row.kind == .alarm: (command, words) = ("alarm remove " + name, translated("Deleted"))
        case .delete: (command, words) = ("rm " + name, translated("Deleted"))
        case .refresh: (command, words) = ("refresh " + name, translated("Looks for new episodes"))
        }
        speaker.ask(command) { answer in
            guard let answer else { return then("") }
            guard let refusal = answer.refusal else { return then(words) }
            if case .favourite(true) = deed { return then(translated("Already in Favorites")) }
            if case .next = deed, row.kind != .playlist {
                // Nothing plays that it could come after.
                return speaker.ask("add " + name) {
                    then($0?.refusal == nil ? translated("Added to the queue") : refusal)
                }
            }
            then(refusal)
        }
    }
}
