// SPDX-License-Identifier: Apache-2.0
import Model
import Pixels

/// The scrolling content of a `PageScene`: its drawing, its requests to the speaker, and its actions. One thread.
protocol Page: AnyObject {
    var tab: Element.Tab { get }
    /// The title in the header, beside the way back; "" for a screen without a header.
    var title: String { get }
    /// Returns the places of its parts.
    /// - Parameter isPlaying: true if there is an item for the bar.
    func layout(_ stage: Stage, isPlaying: Bool) -> PageLayout
    /// Lays out the content from top to bottom; only the visible part is drawn.
    func layOut(_ column: inout Column, at moment: Int)
    /// Ends finished motions. Called before each frame.
    func endMotion(at moment: Int)
    /// Handles a horizontal drag, which may pull a row aside. Returns false if nothing moves.
    func swipe(_ elements: [Element], x: Int, y: Int, by: Int, at moment: Int) -> Bool
    /// Ends a drag.
    /// - Parameter least: the distance at which a row is removed, in pixels.
    func endSwipe(least: Int, at moment: Int) -> Element.Action
    func isMoving(at moment: Int) -> Bool
    /// True if pulling down reloads the page.
    var isRefreshable: Bool { get }
    var isLoading: Bool { get }

    /// Shows lists of a file, for a picture of the page without a speaker.
    func show(_ example: ExampleLists)
    /// Requests the content: when the page appears, and when it was pulled down.
    func load()
    /// Requests the rows drawn as placeholder shapes. Called after each frame.
    func fetch()
    /// Handles a new state of the speaker.
    func changed(from old: SpeakerStatus, isShown: Bool)
    /// Handles another change on the speaker, by MPD's name for it.
    func changed(_ name: String, isShown: Bool)
    /// Returns a visible row.
    func row(_ kind: ListRow.Kind, _ name: String) -> ListRow?
    /// Returns true if the page handled the action.
    func take(_ action: Element.Action) -> Bool
    /// True if the page takes a keyboard's letters.
    var takesLetters: Bool { get }
    /// The list of the page; nil for a page without one.
    var rows: RowWindow? { get }
    /// True if the rows are sorted by title.
    var isByTitle: Bool { get }
}

/// The defaults for pages that only scroll.
extension Page {
    func layout(_ stage: Stage, isPlaying: Bool) -> PageLayout {
        PageLayout(stage, hasHeader: !title.isEmpty, isPlaying: isPlaying)
    }
    var isRefreshable: Bool { false }
    var isLoading: Bool { false }
    func isMoving(at moment: Int) -> Bool { false }
    func endMotion(at moment: Int) {}
    func swipe(_ elements: [Element], x: Int, y: Int, by: Int, at moment: Int) -> Bool { false }
    func endSwipe(least: Int, at moment: Int) -> Element.Action { .none }
    func show(_ example: ExampleLists) {}
    func load() {}
    func fetch() {}
    func changed(from old: SpeakerStatus, isShown: Bool) {}
    func changed(_ name: String, isShown: Bool) {}
    func row(_ kind: ListRow.Kind, _ name: String) -> ListRow? { nil }
    func take(_ action: Element.Action) -> Bool { false }
    var takesLetters: Bool { false }
    var rows: RowWindow? { nil }
    var isByTitle: Bool { false }
}

/// A list that reloads when it is pulled down.
protocol ListPage: Page {
    var list: RowWindow { get }
}

extension ListPage {
    var rows: RowWindow? { list }
    var isRefreshable: Bool { true }
    var isLoading: Bool { !list.isKnown }
    func row(_ kind: ListRow.Kind, _ name: String) -> ListRow? {
        guard let row = list.row(name), row.kind == kind else { return nil }
        return row
    }
    /// True if the list is known to be empty.
    var isEmpty: Bool { list.isKnown && list.count == 0 }
}
