// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Pixels

/// A screen that tabs and sidebars lead to. Each stands in the file of its screen.
struct Destination: ScreenValue {
    let tab: Element.Tab
    /// The name in the user's language.
    let name: String
    let outline: Symbol
    let filled: Symbol
    let gradient: GradientToken
    let page: (PageContext) -> any Page

    init(
        _ tab: Element.Tab, _ name: String, _ outline: Symbol, filled: Symbol, _ gradient: GradientToken,
        page: @escaping (PageContext) -> any Page
    ) {
        (self.tab, self.name, self.outline, self.filled) = (tab, name, outline, filled)
        (self.gradient, self.page) = (gradient, page)
    }

    func symbol(_ isActive: Bool) -> Symbol { isActive ? filled : outline }

    /// - Parameter hasPlayer: true adds the player, if no bar leads to it.
    static func all(hasPlayer: Bool) -> [Destination] {
        ScreenName.allCases.filter { $0 != .player }.map { Destination($0) } + (hasPlayer ? [.player] : [])
    }
}

extension PageScene {
    /// Makes the page of a tab.
    public convenience init(_ tab: Element.Tab, _ stage: Stage, _ context: PageContext) {
        let destination = Destination(tab)
        self.init(stage, destination.page(context), gradient: destination.gradient)
    }

    /// Makes the page of an opened book or podcast.
    public convenience init(_ subject: ListRow, _ stage: Stage, _ context: PageContext) {
        self.init(stage, DetailPage(subject, context), gradient: .peachRose)
    }

    /// Makes the page of large and simple books, which replaces all other pages.
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
