// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Posix
import Speaker
import Wire

/// The household's commands: its state, the journal of its records, merging records.
extension ConsoleHost {
    /// The limit of changes in a turn. Each takes up to two million instructions for a book of a hundred files: one lookup, and one write.
    private static let mostChangesATurn = 5

    /// The state of the household; nil if the speaker is in none.
    var household: HouseholdState? {
        stored.sharing?.lookSometimes()
        return library.household()
    }

    /// - Parameter isSaved: the library's result.
    func didChangeHousehold(_ isSaved: Bool) throws(ConsoleError) {
        if !isSaved { throw ConsoleError(.system, "It could not be saved") }
        speaker.places.didWrite()
    }

    func checkHousehold() throws(ConsoleError) {
        if library.household() == nil {
            throw ConsoleError(.noExist, "The speaker is of no household: \"household on\" makes it one's")
        }
    }

    /// Returns records behind a revision as JSON, in the order of their arrival.
    func journal(since revision: Int64, limit: Int) throws(ConsoleError) -> Pages<
        (revision: Int64, record: String)
    > {
        try checkHousehold()
        var last = revision
        var left = limit
        var isTaken = false
        return { [library, speaker] most in
            // The library makes records of its changes first, a portion in each turn.
            if !isTaken {
                isTaken = !library.takeChanges(limit: min(most, ConsoleHost.mostChangesATurn))
                speaker.places.didWrite()
                return []
            }
            let page = left > 0 ? library.journal(since: last, limit: min(most, left)) : []
            left -= page.count
            last = page.last?.revision ?? last
            return page.isEmpty ? nil : page
        }
    }

    func merge(record text: String) throws(ConsoleError) -> String {
        guard let record = library.record(text) else { return Library.Merge.refused.rawValue }
        if record.kind == .playlist {
            guard let sharing = stored.sharing else { return Library.Merge.refused.rawValue }
            if library.isOfHousehold && !sharing.hasLooked {
                sharing.look()
                return Library.Merge.later.rawValue
            }
        }
        let outcome = speaker.merge(record)
        if outcome == .added && record.kind == .playlist { stored.sharing?.look() }
        if outcome == .notSaved { throw ConsoleError(.system, "It could not be saved") }
        return outcome.rawValue
    }
}
