// SPDX-License-Identifier: Apache-2.0
import Posix
import Text

/// The console's names of items and folders: by their paths below the library's folder.
public struct SongNames: Sendable {
    /// The folder that paths on the console are relative to; "" for none.
    public let root: String
    /// The same, with a slash at its end.
    private let below: String

    public init(root: String) {
        self.root = root
        below = root.isEmpty || root.utf8.last == UInt8(ascii: "/") ? root : root + "/"
    }

    public func uri(of path: String) -> String {
        !below.isEmpty && path.begins(with: below) ? path.dropping(bytes: below.utf8.count) : path
    }

    public func path(of uri: String) -> String {
        if uri.begins(with: "/") { return uri }
        if uri.isEmpty { return root.isEmpty ? "/" : root }
        return (below.isEmpty ? "/" : below) + uri
    }

    public func uri(of path: String, chapter number: Int) -> String {
        uri(of: path) + "/" + SongNames.chapterName + "\(10_000 + number)".dropping(bytes: number < 10_000 ? 1 : 0)
    }

    public static func title(_ title: String, ofChapter number: Int) -> String {
        title.isEmpty ? translated("Chapter %1", "\(number)") : title
    }

    /// The first part of a chapter's name below its file, before four digits; MPD names the tracks of a cue sheet this way.
    private static let chapterName = "track"

    /// Returns the file and the number of the chapter in a path such as `book.m4b/track0003`; nil if the path names none.
    public static func chapter(_ uri: String) -> (file: String, number: Int)? {
        let bytes = Array(uri.utf8)
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return nil }
        let name = bytes[(slash + 1)...]
        let digits = name.dropFirst(chapterName.utf8.count)
        guard name.starts(with: chapterName.utf8), digits.count >= 4, digits.count <= 5,
            digits.allSatisfy({ $0.isDigit })
        else { return nil }
        let number = digits.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
        return number > 0 ? (String(decoding: bytes[..<slash], as: UTF8.self), number) : nil
    }

    /// Returns whether a path is below the library's folder and does not lead out of it.
    public static func isBelow(_ uri: String) -> Bool {
        let parts = uri.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return !parts.contains { $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    }
}
