import Core
import Posix

/// What a household shares, for whoever carries it to and fro.
extension Session {
    private static let mostRecords = 500

    /// `household`, `household on`, `household off`, `household absent`, `household renumber`, `household sent REVISION [CURSOR]`.
    func household(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        switch (arguments.first, arguments.count) {
        case (nil, _):
            guard let state = speaker.household else { return response.field("household", "off") }
            response.field("household", "on")
            response.field("device", state.device)
            response.field("revision", state.revision)
            response.field("waiting", state.waiting)
            response.field("sent", state.sent)
            response.field("cursor", state.cursor)
        case ("absent", 1):
            for name in speaker.absentNames(limit: Session.mostRecords) { response.field("absent", name) }
        case ("on", 1): try speaker.change(household: .join)
        case ("off", 1): try speaker.change(household: .leave)
        case ("renumber", 1): try speaker.change(household: .renumber)
        case ("sent", 2...3):
            let cursor = arguments.count == 3 ? arguments[2] : ""
            try speaker.change(household: .note(sent: try Session.revision(arguments[1]), cursor: cursor))
        default:
            throw Argument.wrong(arguments[0], "Expected nothing, on, off, absent, renumber or sent REVISION [CURSOR]")
        }
    }

    /// `journal SINCE [LIMIT]`.
    func journal(_ arguments: [String]) throws(ConsoleError) -> Portions {
        let most = Session.mostRecords
        let limit = try arguments.count < 2 ? most : Argument.integer(arguments[1], in: 1...most)
        return PagePortions(try speaker.journal(since: try Session.revision(arguments[0]), limit: limit)) {
            line, response in
            response.field("revision", line.revision)
            response.field("record", line.record)
        }
    }

    /// `merge JSON`.
    func merge(_ record: String, _ response: inout ResponseBuffer) throws(ConsoleError) {
        response.field("merged", try speaker.merge(record: record))
    }

    private static func revision(_ text: String) throws(ConsoleError) -> Int64 {
        guard let revision = Int64(digits: text.utf8, most: 18) else {
            throw Argument.wrong(text, "Revision expected, a number from 0 on")
        }
        return revision
    }
}
