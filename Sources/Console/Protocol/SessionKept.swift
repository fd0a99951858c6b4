// SPDX-License-Identifier: Apache-2.0
import Posix

/// Favourites and bookmarks for other speakers, and from them.
extension Session {
    /// `favourite export`, `favourite import OBJECT`.
    func exchange(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) -> Portions? {
        let isExport = arguments[0] == "export"
        if arguments.count != (isExport ? 1 : 2) {
            throw ConsoleError(.argument, isExport ? "no argument expected" : "one object of JSON expected")
        }
        if isExport {
            response.field("version", 1)
            return .pages(speaker.kept()) { $1.field("kept", $0) }
        }
        if !(try speaker.takeIn(kept: arguments[1])) { throw ConsoleError(.exists, "kept already") }
        return nil
    }
}
