// SPDX-License-Identifier: Apache-2.0
import Posix
import Speaker
import Wire

/// Copies of the library, for `nightstand backup` and `restore`.
extension Session {
    private static let mostPiece = 64 * 1024

    /// Answers `backup` and `backup OFFSET`.
    func backup(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        let transfers = host.speaker.transfers
        guard let text = arguments.first else {
            switch transfers.backup.state() {
            case .copying: return response.field("state", "copying")
            case .ready(let bytes): return response.field("size", bytes)
            case .failed(let reason): throw ConsoleError(.system, reason)
            }
        }
        if manner == .spoken { throw ConsoleError(.argument, "A copy cannot be shown here; ask over the socket") }
        guard let offset = Int64(text), offset >= 0 else { throw Argument.wrong(text, "Offset expected") }
        guard let piece = transfers.backup.read(at: offset, count: min(binaryLimit, Session.mostPiece)) else {
            throw ConsoleError(.noExist, "There is no copy")
        }
        response.field("binary", piece.count)
        response.bytes(piece[...])
        response.line("")
    }

    /// Answers `restore`, `restore begin`, `restore data BASE64` and `restore end`.
    func restore(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        let restore = host.speaker.transfers.restore
        guard let action = arguments.first else {
            switch restore.state {
            case .none: return response.field("state", "none")
            case .receiving: return response.field("state", "receiving")
            case .checking: return response.field("state", "checking")
            case .done: return response.field("state", "done")
            case .failed(let reason): throw ConsoleError(.system, reason)
            }
        }
        if arguments.count != (action == "data" ? 2 : 1) {
            throw ConsoleError(.argument, "begin, data BASE64 or end expected")
        }
        switch action {
        case "begin": if let reason = restore.begin() { throw ConsoleError(.system, reason) }
        case "data":
            guard let bytes = Base64.bytes(arguments[1]) else { throw ConsoleError(.argument, "Base64 expected") }
            if !restore.add(bytes) { throw ConsoleError(.updateAlready, "busy") }
        case "end": if let reason = restore.end() { throw ConsoleError(.system, reason) }
        default: throw Argument.wrong(action, "begin, data BASE64 or end expected")
        }
    }
}
