// SPDX-License-Identifier: Apache-2.0
import Console
import Core
import Library
import Model
import Posix
import Speaker

/// The household's commands: its state, the journal of its records, taking records in.
extension ConsoleAdapter {
    /// Each takes up to two million instructions, where it is of a book of a hundred files: one lookup, and one write.
    private static let mostChangesATurn = 5

    public var household: HouseholdState? {
        sharing?.lookSometimes()
        return library.household()
    }

    public var householdRun: HouseholdRun { carrier.run }

    public func answerCarrier() -> Int { carrier.answer() }

    public func change(household change: HouseholdChange) throws(ConsoleError) {
        let isSaved: Bool
        switch change {
        case .join: isSaved = library.joinHousehold()
        case .leave: isSaved = library.leaveHousehold()
        case .renumber:
            try checkHousehold()
            isSaved = library.renumberDevice()
        case .note(let note):
            try checkHousehold()
            if note.cursor.utf8.count > HouseholdNote.mostCursorBytes {
                throw ConsoleError(
                    .argument, "The cursor is too long: expected at most \(HouseholdNote.mostCursorBytes) bytes")
            }
            isSaved = library.note(note)
        case .went(let run):
            try checkHousehold()
            return carrier.went(run)
        }
        if !isSaved { throw ConsoleError(.system, "It could not be saved") }
        speaker.places.didWrite()
        switch change {
        case .join, .leave: sharing?.lookAnew()
        default: break
        }
    }

    public func absentNames(limit: Int) -> [String] { library.absentNames(limit: limit) }

    private func checkHousehold() throws(ConsoleError) {
        if library.household() == nil {
            throw ConsoleError(.noExist, "The speaker is of no household: \"household on\" makes it one's")
        }
    }

    public func journal(since revision: Int64, limit: Int) throws(ConsoleError) -> Pages<
        (revision: Int64, record: String)
    > {
        try checkHousehold()
        var last = revision
        var left = limit
        var isTaken = false
        return { [library, speaker] most in
            // The library makes records of its changes first, a portion in each turn.
            if !isTaken {
                isTaken = !library.takeChanges(limit: min(most, ConsoleAdapter.mostChangesATurn))
                speaker.places.didWrite()
                return []
            }
            let page = left > 0 ? library.journal(since: last, limit: min(most, left)) : []
            left -= page.count
            last = page.last?.revision ?? last
            return page.isEmpty ? nil : page
        }
    }

    public func merge(record text: String) throws(ConsoleError) -> String {
        guard let record = library.record(text) else { return Library.Merge.refused.rawValue }
        if record.kind == .playlist {
            guard let sharing else { return Library.Merge.refused.rawValue }
            if library.isOfHousehold && !sharing.hasLooked {
                sharing.look()
                return Library.Merge.later.rawValue
            }
        }
        let outcome = speaker.merge(record)
        if outcome == .added && record.kind == .playlist { sharing?.look() }
        if outcome == .notSaved { throw ConsoleError(.system, "It could not be saved") }
        return outcome.rawValue
    }
}
