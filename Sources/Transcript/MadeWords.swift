// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// The folder of the words that the speaker has aligned itself, from recordings and their texts: a file for each recording. Any thread.
public struct MadeWords: Sendable {
    public let folder: String

    public init(folder: String) { self.folder = folder }

    /// Returns the path for the words of a recording, existing or not; nil if the recording cannot be examined.
    public func path(for audioPath: String) -> String? {
        guard let status = try? FileStatus(path: audioPath) else { return nil }
        return path(for: audioPath, bytes: status.bytes, modifiedSeconds: status.modifiedSeconds)
    }

    /// Returns the path of the chapters that were made with these words.
    public static func chaptersPath(ofWords path: String) -> String { path.pathStem + MadeWords.chaptersEnd }

    /// The names of all files with chapters; empty if the folder cannot be read.
    public var namesOfChapters: Set<String> {
        let names = (try? Files.names(inFolder: folder)) ?? []
        return Set(
            names.filter { $0.utf8.suffix(MadeWords.chaptersEnd.utf8.count).elementsEqual(MadeWords.chaptersEnd.utf8) })
    }

    public static let chaptersEnd = ".chapters.json"

    /// Returns the path for a recording of known size and time. The name depends on the recording's name, size and time only, so it
    /// survives a move to another folder or mount point.
    public func path(for audioPath: String, bytes: Int64, modifiedSeconds: Int64) -> String {
        var hash = StableHash()
        hash.add(audioPath.pathName)
        hash.add(bytes)
        hash.add(modifiedSeconds)
        return folder + "/" + hash.value.hexadecimal + ".vtt"
    }
}
