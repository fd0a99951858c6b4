import Console
import Core
import Design
import Model
import Pixels
import Posix
import Scenes

/// The screens that are large and simple, in the place of all others: what plays, and the books.
final class ScreenSimple {
    let player: SimplePlayer
    private let books: SimpleBooks
    private let list: PageScene
    private let pictures = Pictures()
    private let speaker: ScreenSpeaker
    private let changed: () -> Void
    private var state = SpeakerStatus()
    /// Who came without touching anything goes on by the focus, once there is something to have it.
    private var wantsFocus = false

    /// - Parameter changed: what the list shows has come, after it was asked for.
    init(_ stage: Stage, _ settings: ScreenSettings, _ speaker: ScreenSpeaker, changed: @escaping () -> Void) {
        self.speaker = speaker
        self.changed = changed
        player = SimplePlayer(stage, gradient: .duskBerry)
        books = SimpleBooks(pictures) { [settings] in settings.firstEvening }
        list = .simple(stage, books)
    }

    /// There are two, whatever is asked for.
    static func tab(for screen: ScreenName) -> ScreenName { screen == .player ? .player : .library }

    func scene(_ tab: ScreenName) -> any Scene { tab == .player ? player : list }

    // MARK: What stands in them

    /// - Parameter isSeen: it is the player's own to be told while it is shown.
    func show(_ new: SpeakerStatus, isSeen: Bool, at moment: Int) {
        if !isSeen { player.show(new, at: moment) }
        let isLooking = new.trouble == .lookingForAudio
        // What was heard last comes first.
        if new.file != state.file { reload() }
        state = new
        if isLooking == books.isLooking { return }
        books.isLooking = isLooking
        redraw()
    }

    /// What the speaker says has changed, by MPD's names.
    func changed(_ names: [String]) { if names.contains(where: { $0 == "database" }) { reload() } }

    /// What is known of them stands until they are told anew.
    func reload() {
        books.list.reload()
        redraw()
    }

    private func redraw() {
        list.drawAnew()
        changed()
    }

    /// Asks for what was drawn as a shape only: call it after each frame that shows the books.
    func fetch(at moment: Int) {
        if wantsFocus { focus(at: moment) }
        for number in books.list.takeWanted() {
            let generation = books.list.generation
            let start = number * RowWindow.pageRows
            speaker.ask("books newest \(start):\(start + RowWindow.pageRows)") { [self] answer in
                guard let answer, answer.refusal == nil else {
                    return books.list.take(nil, page: number, of: generation)
                }
                books.list.take(ListRow.rows(lines: answer.lines), page: number, of: generation)
                redraw()
            }
        }
        for (row, side) in pictures.takeWanted() {
            speaker.artwork.pictures.cover(of: row, side: side) { [self] surface in
                pictures.set(surface, for: row)
                if surface != nil { redraw() }
            }
        }
    }

    // MARK: What is done with them

    /// Plays a book from where it was left. Returns false for one that is not known.
    func play(_ name: String) -> Bool {
        guard let row = books.list.row(name), row.kind == .book else { return false }
        speaker.tell("book play " + Request.quoted(name))
        return true
    }

    /// The focus goes to the first of them, once that stands there.
    func focus(at moment: Int) {
        wantsFocus = !list.elements.contains { $0.role == .row }
        if wantsFocus { return }
        if list.focus == nil { _ = list.take(.focus(forward: true), at: moment) }
        changed()
    }
}
