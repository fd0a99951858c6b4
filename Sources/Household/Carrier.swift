// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import Text
import Wire

/// Carries records between a speaker and a server, in both directions. The speaker saves the progress after each page, so the next run
/// continues an interrupted one.
public final class Carrier {
    public struct Outcome: Equatable, Sendable {
        /// The number of records that changed something here.
        public var came = 0
        public var sent = 0
        /// The number of rows that are no records of ours, and of records that the server refused.
        public var skipped = 0
    }

    private static let mostRows = 1000
    /// The size of a page that counts as full: a server may send fewer rows than requested, but a smaller page is the last.
    private static let leastRows = 100
    private static let mostMerges = 100
    private static let mostLineBytes = 16_000
    private let speaker: SpeakerConnection
    private let server: Supabase
    private var device = ""
    private var sent: Int64 = 0
    private var cursor: Int64 = 0
    /// The records that came in this run: the speaker's journal and the server both have them.
    private var arrived: Set<UInt64> = []
    /// The result of the last run.
    public private(set) var outcome = Outcome()

    public init(_ speaker: SpeakerConnection, _ server: Supabase) {
        self.speaker = speaker
        self.server = server
    }

    /// - Parameter sends: false to fetch only the others' changes.
    public func run(sends: Bool = true) throws(SyncError) {
        server.beginRun()
        outcome = Outcome()
        arrived = []
        let state = try ask("household")
        guard let device = state.value("device") else {
            throw SyncError(message: "the speaker is of no household: nightstand household join URL makes it one's")
        }
        self.device = device
        // For another household the progress is unknown, and that household has got nothing yet.
        let parts = (state.value("cursor") ?? "").parts(between: " ")
        if parts.count == 2, parts[0].utf8.elementsEqual(server.account.household.utf8) {
            cursor = Int64(digits: parts[1].utf8, most: 18) ?? 0
            sent = Int64(digits: (state.value("sent") ?? "").utf8, most: 18) ?? 0
        }
        try pull()
        if sends { try push() }
    }

    private func ask(_ command: String) throws(SyncError) -> SpeakerLink.Answer {
        do throws(SpeakerConnection.Failure) { return try speaker.ask(command) } catch {
            throw SyncError(message: error.message)
        }
    }

    private func note() throws(SyncError) {
        _ = try ask("household sent \(sent) \"\(server.account.household) \(cursor)\"")
    }

    // MARK: What comes

    private func pull() throws(SyncError) {
        var limit = Carrier.mostRows
        var position = cursor
        /// The revision of the first record that has to wait because its item plays; the next run brings it again.
        var held: Int64?
        while true {
            let page: RowPage
            do throws(SyncError) { page = try server.rows(after: position, limit: limit) } catch {
                if !error.isTooLong || limit == 1 { throw error }
                limit /= 2
                continue
            }
            if page.count == 0 { return }
            guard let last = page.lastRevision, last > position else {
                throw SyncError(
                    message: "the server's rows have no revisions: was board/supabase/schema.sql run there?")
            }
            outcome.skipped += page.skipped
            var first = 0
            while first < page.rows.count {
                let end = min(first + Carrier.mostMerges, page.rows.count)
                if let revision = try merge(page.rows[first..<end]) { held = min(held ?? revision, revision) }
                first = end
            }
            position = last
            let known = cursor
            cursor = held.map { min($0 - 1, position) } ?? position
            if cursor != known { try note() }
            if page.count < min(Carrier.leastRows, limit) { return }
        }
    }

    /// - Returns: the first revision that has to come again.
    private func merge(_ rows: ArraySlice<Row>) throws(SyncError) -> Int64? {
        var command = "command_list_begin\n"
        var taken: [Row] = []
        for row in rows {
            let line = "merge " + row.text.quotedArgument
            if row.revision == nil || line.utf8.count > Carrier.mostLineBytes {
                outcome.skipped += 1
                continue
            }
            taken.append(row)
            command += line + "\n"
        }
        if taken.isEmpty { return nil }
        let words = try ask(command + "command_list_end").fields.filter { $0.name == "merged" }
        if words.count != taken.count { throw SyncError(message: "the speaker does not say what came of its records") }
        var held: Int64?
        for (row, word) in zip(taken, words) {
            arrived.insert(row.identity)
            switch word.value {
            case "added": outcome.came += 1
            case "refused": outcome.skipped += 1
            case "later" where !row.device.utf8.elementsEqual(device.utf8): held = held ?? row.revision
            default: break
            }
        }
        return held
    }

    // MARK: What goes

    private func push() throws(SyncError) {
        let state = try ask("household")
        if sent > 0 && state.value("waiting") == "0" && state.value("revision") == "\(sent)" { return }
        while true {
            let answer = try ask("journal \(sent)")
            var text: [UInt8] = [UInt8(ascii: "[")]
            var last: Int64 = 0
            var count = 0
            for field in answer.fields {
                if field.name == "revision" { last = Int64(digits: field.value.utf8, most: 18) ?? 0 }
                if field.name != "record" { continue }
                if count > 0 { text.append(UInt8(ascii: ",")) }
                text += Array(field.value.utf8)
                count += 1
            }
            if count == 0 { return }
            text.append(UInt8(ascii: "]"))
            let page: RowPage
            do throws(JSONError) { page = try RowPage(text) } catch {
                throw SyncError(message: "the speaker's journal cannot be read: " + error.message)
            }
            outcome.skipped += page.skipped
            try post(page.rows.filter { !arrived.contains($0.identity) }[...])
            if last <= sent { throw SyncError(message: "the speaker's journal does not go on") }
            sent = last
            try note()
            if count < 500 { return }
        }
    }

    /// Sends rows, and halves them until it finds the refused ones, so that one record does not keep all others back.
    private func post(_ rows: ArraySlice<Row>) throws(SyncError) {
        if rows.isEmpty { return }
        do throws(SyncError) {
            try server.put(rows)
            outcome.sent += rows.count
        } catch {
            if error.status != 400 && error.status != 413 { throw error }
            if rows.count > 1 {
                let middle = rows.startIndex + rows.count / 2
                try post(rows[..<middle])
                return try post(rows[middle...])
            }
            outcome.skipped += 1
        }
    }
}
