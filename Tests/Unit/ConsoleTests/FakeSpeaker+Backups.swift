// SPDX-License-Identifier: Apache-2.0
@testable import Console

extension FakeSpeaker {
    func backup() throws(ConsoleError) -> Int64? {
        try act("copy", [])
        return actions.filter { $0 == "copy" }.count > 1 ? Int64(copied.count) : nil
    }

    func readBackup(at offset: Int64, count: Int) throws(ConsoleError) -> [UInt8] {
        Array(copied.dropFirst(Int(offset)).prefix(count))
    }

    func beginRestore() throws(ConsoleError) { copied = [] }

    func addRestore(_ bytes: [UInt8]) throws(ConsoleError) -> Bool {
        if copied.count + bytes.count > 100 { return false }
        copied += bytes
        return true
    }

    func endRestore() throws(ConsoleError) { try act("restore", []) }

    func restoreState() throws(ConsoleError) -> String { actions.contains("restore") ? "done" : "none" }
}
