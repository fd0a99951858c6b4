// SPDX-License-Identifier: Apache-2.0
import Posix

/// Copies of the library, for `nightstand backup` and `restore`.
extension Session {
    private static let mostPiece = 64 * 1024

    /// `backup`, `backup OFFSET`.
    func backup(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        guard let text = arguments.first else {
            if let bytes = try speaker.backup() {
                response.field("size", bytes)
            } else {
                response.field("state", "copying")
            }
            return
        }
        if manner == .spoken { throw ConsoleError(.argument, "A copy cannot be shown here; ask over the socket") }
        guard let offset = Int64(text), offset >= 0 else { throw Argument.wrong(text, "Offset expected") }
        let piece = try speaker.readBackup(at: offset, count: min(binaryLimit, Session.mostPiece))
        response.field("binary", piece.count)
        response.bytes(piece[...])
        response.line("")
    }

    /// `restore`, `restore begin`, `restore data BASE64`, `restore end`.
    func restore(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        guard let action = arguments.first else {
            response.field("state", try speaker.restoreState())
            return
        }
        if arguments.count != (action == "data" ? 2 : 1) {
            throw ConsoleError(.argument, "begin, data BASE64 or end expected")
        }
        switch action {
        case "begin": try speaker.beginRestore()
        case "data":
            guard let bytes = Base64.bytes(arguments[1]) else { throw ConsoleError(.argument, "Base64 expected") }
            if !(try speaker.addRestore(bytes)) { throw ConsoleError(.updateAlready, "busy") }
        case "end": try speaker.endRestore()
        default: throw Argument.wrong(action, "begin, data BASE64 or end expected")
        }
    }
}
