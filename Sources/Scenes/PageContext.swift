// SPDX-License-Identifier: Apache-2.0
import Core
import Model

/// The source of the pages' content, by console commands. Nothing waits: answers come later, on the same thread.
public protocol PageSource: AnyObject {
    /// Passes on the lines of the answer; nil if the speaker refused, or disconnected before it answered.
    func ask(_ command: String, lines: @escaping (String?) -> Void)
    func tell(_ command: String)
    /// Returns the settings in a state of the speaker.
    func settings(_ state: SpeakerStatus) -> [SettingRow]
    func change(_ name: SettingName, _ step: Element.Step, _ state: SpeakerStatus)
    /// Requests the speaker's own settings, and calls `then` if they have changed.
    func askChoices(then: @escaping () -> Void)
    /// Requests the settings of network and household, which are read-only.
    func askConnections(_ state: SpeakerStatus, then: @escaping () -> Void)
}

/// The shared state of a panel's pages. One thread.
public final class PageContext {
    /// The covers for rows.
    public let pictures: Pictures
    /// The speaker's last known state.
    public var state = SpeakerStatus()
    /// The visible page, redrawn when an answer arrives. Its owner also clears it, since pages hold this object.
    public var shown: PageScene?
    /// The deleted rows of short lists, while they can be restored.
    public var hidden: [ListRow] = []
    let firstEvening: () -> FirstEvening
    /// The source; nil without a speaker, as for a picture of a file.
    private let source: (any PageSource)?
    private let changed: () -> Void

    /// - Parameters:
    ///   - firstEvening: the help for an empty library; called when that is first shown.
    ///   - changed: called when an answer for the page has arrived.
    public init(
        _ pictures: Pictures = Pictures(), source: (any PageSource)? = nil,
        firstEvening: @escaping () -> FirstEvening = { FirstEvening(host: "", folder: "/srv/nightstand") },
        changed: @escaping () -> Void = {}
    ) {
        self.pictures = pictures
        self.source = source
        self.firstEvening = firstEvening
        self.changed = changed
    }

    /// True while the library is scanned and nothing was found yet.
    var isLooking: Bool { state.trouble == .lookingForAudio }

    /// Redraws the page with an answer.
    func redraw() {
        shown?.drawAnew()
        changed()
    }

    func tell(_ command: String) { source?.tell(command) }

    func ask(_ command: String, lines: @escaping (String?) -> Void) { source?.ask(command, lines: lines) }

    /// Requests rows. The result is empty if the speaker is away or refuses.
    func askRows(_ command: String, files: ListRow.Kind? = nil, then: @escaping ([ListRow]) -> Void) {
        ask(command) { [self] in then(withoutHidden(ListRow.rows(lines: $0 ?? "", files: files))) }
    }

    func withoutHidden(_ rows: [ListRow]) -> [ListRow] {
        rows.filter { row in !hidden.contains { $0.kind == row.kind && $0.name == row.name } }
    }

    /// Requests the rows drawn as placeholder shapes.
    /// - Parameters:
    ///   - wanted: the numbers of the list's pages.
    ///   - command: returns the command for a window of rows, `START:END`.
    func fill(_ list: RowWindow, _ wanted: [Int], files: ListRow.Kind?, _ command: (String) -> String) {
        for number in wanted {
            let generation = list.generation
            let start = number * RowWindow.pageRows
            ask(command("\(start):\(start + RowWindow.pageRows)")) { [self] lines in
                // A refused request is repeated at the next change.
                list.take(lines.map { ListRow.rows(lines: $0, files: files) }, page: number, of: generation)
                if lines != nil { redraw() }
            }
        }
    }

    var settings: [SettingRow] { source?.settings(state) ?? [] }
    func change(_ name: SettingName, _ step: Element.Step) { source?.change(name, step, state) }
    func askChoices(then: @escaping () -> Void) { source?.askChoices(then: then) }
    func askConnections(then: @escaping () -> Void) { source?.askConnections(state, then: then) }
}
