// SPDX-License-Identifier: Apache-2.0
import Posix

/// A comment in a file, verbatim.
public struct MediaComment: Equatable, Sendable {
    /// Printable ASCII without "=", in any case.
    public var name: String
    public var text: String

    /// All that a file says of itself, of the formats that have such words; nil for others, and what cannot be read. Worker; waits for the disk.
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
