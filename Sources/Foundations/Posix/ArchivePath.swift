// SPDX-License-Identifier: Apache-2.0
/// The path of a file in an archive, which the library treats as a folder: `/books/River.epub/OEBPS/1.mp3`.
public struct ArchivePath: Sendable {
    public let archive: String
    /// The entry's name in the archive.
    public let entry: String

    /// Returns nil if no folder of the path has the name of an archive.
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

    /// Returns true for an archive's name.
    public static func isArchive(_ name: String) -> Bool {
        let suffix = name.pathExtension
        return suffix == "epub" || suffix == "zip"
    }
}
