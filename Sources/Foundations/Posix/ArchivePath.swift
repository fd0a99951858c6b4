// SPDX-License-Identifier: Apache-2.0
/// The path of a file in an archive, which the library treats as a folder: `/books/River.epub/OEBPS/1.mp3`.
public struct ArchivePath: Sendable {
    public let archive: String
    /// Its name in the archive.
    public let entry: String

    /// nil if no part of the path but the last is named as an archive is.
    public init?(_ path: String) {
        var end = path.utf8.startIndex
        while let slash = path.utf8[end...].firstIndex(of: UInt8(ascii: "/")) {
            let part = String(path[end..<slash])
            end = path.utf8.index(after: slash)
            if ArchivePath.isArchive(part) {
                archive = String(path[..<slash])
                entry = String(path[end...])
                return
            }
        }
        return nil
    }

    /// True for a name that archives have.
    public static func isArchive(_ name: String) -> Bool {
        let suffix = name.pathExtension
        return suffix == "epub" || suffix == "zip"
    }
}
