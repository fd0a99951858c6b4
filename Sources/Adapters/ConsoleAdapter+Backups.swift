// SPDX-License-Identifier: Apache-2.0
import Console
import Posix
import Speaker

/// Copies of the library.
extension ConsoleAdapter {
    public func backup() throws(ConsoleError) -> Int64? {
        switch speaker.transfers.backup.state() {
        case .copying: return nil
        case .ready(let bytes): return bytes
        case .failed(let reason): throw ConsoleError(.system, reason)
        }
    }

    public func readBackup(at offset: Int64, count: Int) throws(ConsoleError) -> [UInt8] {
        guard let piece = speaker.transfers.backup.read(at: offset, count: count) else {
            throw ConsoleError(.noExist, "There is no copy")
        }
        return piece
    }

    public func beginRestore() throws(ConsoleError) {
        if let reason = speaker.transfers.restore.begin() { throw ConsoleError(.system, reason) }
    }

    public func addRestore(_ bytes: [UInt8]) throws(ConsoleError) -> Bool { speaker.transfers.restore.add(bytes) }

    public func endRestore() throws(ConsoleError) {
        if let reason = speaker.transfers.restore.end() { throw ConsoleError(.system, reason) }
    }

    public func restoreState() throws(ConsoleError) -> String {
        switch speaker.transfers.restore.state {
        case .none: return "none"
        case .receiving: return "receiving"
        case .checking: return "checking"
        case .done: return "done"
        case .failed(let reason): throw ConsoleError(.system, reason)
        }
    }
}
