// SPDX-License-Identifier: Apache-2.0
import Model
import Pixels

/// The scrolling content of a `PageScene`: its drawing, its questions to the speaker, and its acts. One thread.
protocol Page: AnyObject {
    var tab: Element.Tab { get }
    /// In the header, with the way back; "" for a screen without one.
    var title: String { get }
    /// Returns the places of its parts. - Parameter isPlaying: there is something that a bar can tell of.
    func layout(_ stage: Stage, isPlaying: Bool) -> PageLayout
    /// Says what stands on it, from its first line to its last; the visible part is drawn.
    func layOut(_ column: inout Column, at moment: Int)
    /// Puts finished motions to their ends. Before each frame.
    func endMotion(at moment: Int)
    /// A drag across, which may pull a row aside; false for what does not move.
    func swipe(_ elements: [Element], x: Int, y: Int, by: Int, at moment: Int) -> Bool
    /// The finger has let go. - Parameter least: the distance of a row that is removed, in pixels.
    func endSwipe(least: Int, at moment: Int) -> Element.Action
    func isMoving(at moment: Int) -> Bool
    /// It can be pulled down to be read again.
    var isRefreshable: Bool { get }
    var isLoading: Bool { get }

    /// Shows lists of a file, for a picture of the page without a speaker.
    func show(_ example: ExampleLists)
    /// Asks for what stands on it: when it comes up, and when it was pulled down.
    func load()
    /// Asks for what was drawn as a shape only: after each frame.
    func fetch()
    /// The speaker stands otherwise than it did.
    func changed(from old: SpeakerStatus, isShown: Bool)
    /// Something else has changed there, by MPD's name for it.
    func changed(_ name: String, isShown: Bool)
    /// Returns a visible row.
    func row(_ kind: ListRow.Kind, _ name: String) -> ListRow?
    /// Returns whether the action was for this page.
    func take(_ action: Element.Action) -> Bool
    /// True if it takes a keyboard's letters.
    var takesLetters: Bool { get }
    /// Its list; nil for a page without one.
    var rows: RowWindow? { get }
    /// True if the rows stand in the order of their titles.
    var isByTitle: Bool { get }
}

/// For pages that only scroll.
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

/// A list that is read again when it is pulled down.
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
    /// It is known to have nothing in it.
    var isEmpty: Bool { list.isKnown && list.count == 0 }
}
