// SPDX-License-Identifier: Apache-2.0
import Posix

/// A comment in a file, unchanged.
public struct MediaComment: Equatable, Sendable {
    /// The name: printable ASCII without "=", in any case.
    public var name: String
    public var text: String

    /// Returns all comments of a file; nil for formats without comments, or an unreadable file. Worker; waits for the disk.
    public static func read(_ path: String) -> [MediaComment]? {
        if Fuse.refuses(path) { return nil }
        let mark = Fuse.begin(path)
        defer { Fuse.end(mark) }
        guard let file = try? MediaSource.file(path: path).open(), let head = try? MediaHead(file),
            let format = try? MediaFormats.format(of: head)
        else { return nil }
        return try? format.comments(head)
    }
}
