// SPDX-License-Identifier: Apache-2.0
import Core
import Model

/// Whom pages ask for what stands on them, in commands of the console. Nothing waits: answers come later, on the same thread.
public protocol PageSource: AnyObject {
    /// Gives the lines of the answer; nil where it was refused, or where the speaker went away before it came.
    func ask(_ command: String, lines: @escaping (String?) -> Void)
    func tell(_ command: String)
    /// Returns the settings in this state of the speaker.
    func settings(_ state: SpeakerStatus) -> [SettingRow]
    func change(_ name: SettingName, _ step: Element.Step, _ state: SpeakerStatus)
    /// Asks for the speaker's own settings; calls back where they are others from then on.
    func askChoices(then: @escaping () -> Void)
    /// The same of network and household, which are only told.
    func askConnections(_ state: SpeakerStatus, then: @escaping () -> Void)
}

/// The shared state of a panel's pages. One thread.
public final class PageContext {
    /// Covers for their rows.
    public let pictures: Pictures
    /// As the speaker said it last.
    public var state = SpeakerStatus()
    /// Drawn anew when what was asked for has come. Its owner also clears it, since pages hold this object.
    public var shown: PageScene?
    /// Rows of short lists that were deleted, as long as that can be undone.
    public var hidden: [ListRow] = []
    let firstEvening: () -> FirstEvening
    /// Nil without a speaker, as for a picture of a file.
    private let source: (any PageSource)?
    private let changed: () -> Void

    /// - Parameters:
    ///   - firstEvening: the help for an empty library; called when that is first shown.
    ///   - changed: an answer for the page has come.
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

    /// The library is being looked through, and nothing was found so far.
    var isLooking: Bool { state.trouble == .lookingForAudio }

    /// Shows an answer.
    func redraw() {
        shown?.drawAnew()
        changed()
    }

    func tell(_ command: String) { source?.tell(command) }

    func ask(_ command: String, lines: @escaping (String?) -> Void) { source?.ask(command, lines: lines) }

    /// None where the speaker is not there, or refuses.
    func askRows(_ command: String, files: ListRow.Kind? = nil, then: @escaping ([ListRow]) -> Void) {
        ask(command) { [self] in then(withoutHidden(ListRow.rows(lines: $0 ?? "", files: files))) }
    }

    func withoutHidden(_ rows: [ListRow]) -> [ListRow] {
        rows.filter { row in !hidden.contains { $0.kind == row.kind && $0.name == row.name } }
    }

    /// Asks for those rows that were drawn as shapes only.
    /// - Parameters:
    ///   - wanted: pages of the list.
    ///   - command: for a window of rows, as `START:END`.
    func fill(_ list: RowWindow, _ wanted: [Int], files: ListRow.Kind?, _ command: (String) -> String) {
        for number in wanted {
            let generation = list.generation
            let start = number * RowWindow.pageRows
            ask(command("\(start):\(start + RowWindow.pageRows)")) { [self] lines in
                // One that is refused is asked for again with the next change.
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
