// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Pixels
import Text

/// A screen that tabs and sidebars lead to: all there is to say of one, beside what stands on it.
struct Destination {
    let tab: Element.Tab
    let name: String
    let outline: Symbol
    let filled: Symbol

    func symbol(_ isActive: Bool) -> Symbol { isActive ? filled : outline }

    /// - Parameter hasPlayer: true adds the player, if no bar leads to it.
    static func all(hasPlayer: Bool) -> [Destination] {
        hasPlayer
            ? all + [Destination(tab: .player, name: translated("Playing"), outline: .speaker, filled: .speaker)] : all
    }

    private static var all: [Destination] {
        [
            Destination(tab: .library, name: translated("Library"), outline: .library, filled: .libraryFilled),
            Destination(tab: .favourites, name: translated("Favorites"), outline: .bookmark, filled: .bookmarkFilled),
            Destination(tab: .settings, name: translated("Settings"), outline: .gear, filled: .gearFilled),
        ]
    }
}

extension PageScene {
    /// Makes the page of a tab.
    public convenience init(_ tab: Element.Tab, _ stage: Stage, _ context: PageContext) {
        switch tab {
        case .player, .library: self.init(stage, LibraryPage(context), gradient: .skyLavender)
        case .favourites: self.init(stage, FavouritesPage(context), gradient: .rosewoodPlum)
        case .settings: self.init(stage, SettingsPage(context), gradient: .mintAqua)
        }
    }

    /// Makes the page of an opened book or podcast.
    public convenience init(_ subject: ListRow, _ stage: Stage, _ context: PageContext) {
        self.init(stage, DetailPage(subject, context), gradient: .peachRose)
    }

    /// The books, large and simple: one page in the place of all others.
    public static func simple(_ stage: Stage, _ context: PageContext) -> PageScene {
        PageScene(stage, SimpleBooks(context), gradient: .skyLavender)
    }

    public static func search(_ stage: Stage, _ context: PageContext) -> PageScene {
        PageScene(stage, SearchPage(context), gradient: .icePeriwinkle)
    }
}

extension Picture {
    func add(tab item: Destination, _ cell: PixelRect, isActive: Bool) {
        add(
            cell, item.name, value: isActive ? "selected" : "", action: .show(item.tab), role: .tab,
            isSelected: isActive)
    }
}
