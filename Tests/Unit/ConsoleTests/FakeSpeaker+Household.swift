// SPDX-License-Identifier: Apache-2.0
import Model

@testable import Console

extension FakeSpeaker {
    func absentNames(limit: Int) -> [String] { ["A tale"] }

    func change(household change: HouseholdChange) throws(ConsoleError) {
        switch change {
        case .join:
            try act("join", .sticker)
            household = HouseholdState(device: 0xFF, revision: 2, waiting: 1, note: HouseholdNote())
        case .leave:
            try act("leave", .sticker)
            household = nil
        case .renumber: try act("renumber", .sticker)
        case .note(let note): try act("sent \(note.sent) \(note.cursor)", .sticker)
        case .went(let run): householdRun = run
        }
    }

    func answerCarrier() -> Int { 7 }

    func journal(since revision: Int64, limit: Int) throws(ConsoleError) -> Pages<(revision: Int64, record: String)> {
        try act("journal \(revision) \(limit)", .sticker)
        return pages(of: (1...3).filter { $0 > revision }.prefix(limit).map { (Int64($0), "{\"n\":\($0)}") })
    }

    func merge(record: String) throws(ConsoleError) -> String {
        try act("merge " + record, .sticker)
        return record.hasPrefix("{") ? "added" : "refused"
    }
}
