// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// An action for a row: its entry in the long-press menu, its command, and the message afterward.
public struct RowDeed: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case play, open, next, last, keep, forget, finish, delete, refresh
    }

    public let kind: Kind
    public let item: Overlay.MenuItem
    /// The command for the speaker; "" if the pages act themselves.
    public let command: String
    public let said: String

    private init(
        _ kind: Kind, _ title: String, _ symbol: Symbol, isDestructive: Bool = false, _ command: String = "",
        said: String = ""
    ) {
        self.kind = kind
        item = Overlay.MenuItem(title, symbol, isDestructive: isDestructive)
        self.command = command
        self.said = said
    }

    /// Returns all actions for a row, in the order of the menu.
    public static func all(_ row: ListRow, isFavourite: Bool) -> [RowDeed] {
        let name = (row.kind == .sentence ? row.file : row.name).quotedArgument
        let play = RowDeed(.play, row.kind == .podcast ? translated("Play the newest") : translated("Play"), .play)
        let isList = row.kind == .playlist
        let next = RowDeed(
            .next, translated("Play next"), .next, isList ? "load " + name + " 0: +0" : "add " + name + " +0",
            said: translated("Plays next"))
        let last = RowDeed(
            .last, translated("Add to the queue"), .list, (isList ? "load " : "add ") + name,
            said: translated("Added to the queue"))
        let favourite =
            isFavourite || row.kind == .favourite
            ? RowDeed(
                .forget, translated("Remove from Favorites"), .trash, isDestructive: true, "favourite remove " + name,
                said: translated("Removed from Favorites"))
            : RowDeed(
                .keep, translated("Add to Favorites"), .heart, "favourite add " + name,
                said: translated("Added to Favorites"))
        let delete = RowDeed(
            .delete, translated("Delete"), .trash, isDestructive: true,
            (row.kind == .alarm ? "alarm remove " : "rm ") + name, said: translated("Deleted"))
        switch row.kind {
        case .favourite, .song, .part, .episode: return [play, next, last, favourite]
        case .sentence: return [play, favourite]
        case .chapter: return [play]
        case .book:
            let open = RowDeed(.open, translated("Chapters"), .bookmark)
            let file = (row.file.isEmpty ? row.name : row.file).quotedArgument
            let finish =
                row.isFinished
                ? RowDeed(
                    .finish, translated("Mark as unheard"), .reload, "finished off " + file,
                    said: translated("Unheard again"))
                : RowDeed(
                    .finish, translated("Mark as finished"), .tick, "finished on " + file, said: translated("Finished"))
            return [play, next, last, open, finish]
        case .playlist: return [play, next, last, delete]
        case .podcast:
            return [
                play, RowDeed(.open, translated("Episodes"), .podcast),
                RowDeed(
                    .refresh, translated("Look for new episodes"), .reload, "refresh " + name,
                    said: translated("Looks for new episodes")),
            ]
        case .alarm: return [delete]
        }
    }
}
