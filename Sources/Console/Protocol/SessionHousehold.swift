// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Posix
import Wire

/// The household's records, for the process that carries them.
extension Session {
    private static let mostRecords = 500

    /// Answers `household [on|off|absent|renumber|awake]`, `household sent REVISION [CURSOR]` and `household went WAIT SKIPPED [PROBLEM]`.
    func household(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        switch (arguments.first, arguments.count) {
        case (nil, _):
            guard let state = host.household else { return response.field("household", "off") }
            response.field("household", "on")
            response.field("device", state.device.hexadecimal)
            response.field("revision", state.revision)
            response.field("waiting", state.waiting)
            response.field("sent", state.note.sent)
            response.field("cursor", state.note.cursor)
            let run = host.carrier.run
            if let seconds = run.sinceSeconds { response.field("through", seconds) }
            if run.waitSeconds > 0 { response.field("wait", run.waitSeconds) }
            if run.skipped > 0 { response.field("skipped", run.skipped) }
            if !run.problem.isEmpty { response.field("problem", run.problem) }
        case ("absent", 1):
            for name in host.library.absentNames(limit: Session.mostRecords) { response.field("absent", name) }
        case ("awake", 1): response.field("awake", host.carrier.answer())
        case ("on", 1), ("off", 1):
            try host.didChangeHousehold(
                arguments[0] == "on" ? host.library.joinHousehold() : host.library.leaveHousehold())
            host.stored.sharing?.lookAnew()
        case ("renumber", 1):
            try host.checkHousehold()
            try host.didChangeHousehold(host.library.renumberDevice())
        case ("sent", 2...3):
            let cursor = arguments.count == 3 ? arguments[2] : ""
            let sent = try Session.revision(arguments[1])
            try host.checkHousehold()
            if cursor.utf8.count > HouseholdNote.mostCursorBytes {
                throw ConsoleError(
                    .argument, "The cursor is too long: expected at most \(HouseholdNote.mostCursorBytes) bytes")
            }
            try host.didChangeHousehold(host.library.note(HouseholdNote(sent: sent, cursor: cursor)))
        case ("went", 3...4):
            let problem = arguments.count == 4 ? arguments[3] : ""
            if problem.utf8.count > HouseholdRun.mostProblemBytes {
                throw Argument.wrong("PROBLEM", "Expected at most \(HouseholdRun.mostProblemBytes) bytes")
            }
            let wait = try Argument.integer(arguments[1], in: 0...HouseholdRun.mostWaitSeconds)
            let skipped = try Argument.integer(arguments[2], in: 0...Int(Int32.max))
            try host.checkHousehold()
            host.carrier.went(HouseholdRun(waitSeconds: wait, skipped: skipped, problem: problem))
        default:
            throw Argument.wrong(
                arguments[0],
                "Expected nothing, on, off, absent, renumber, awake, sent REVISION [CURSOR] or went WAIT SKIPPED [PROBLEM]"
            )
        }
    }

    /// Answers `journal SINCE [LIMIT]`.
    func journal(_ arguments: [String]) throws(ConsoleError) -> Portions {
        let most = Session.mostRecords
        let limit = try arguments.count < 2 ? most : Argument.integer(arguments[1], in: 1...most)
        return .pages(try host.journal(since: try Session.revision(arguments[0]), limit: limit)) {
            line, response in
            response.field("revision", line.revision)
            response.field("record", line.record)
        }
    }

    /// Answers `merge JSON`.
    func merge(_ record: String, _ response: inout ResponseBuffer) throws(ConsoleError) {
        response.field("merged", try host.merge(record: record))
    }

    private static func revision(_ text: String) throws(ConsoleError) -> Int64 {
        guard let revision = Int64(digits: text.utf8, most: 18) else {
            throw Argument.wrong(text, "Revision expected, a number from 0 on")
        }
        return revision
    }
}
