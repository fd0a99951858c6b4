// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// The place of the words that the speaker made itself, from recordings and their texts: a file for each recording. Any thread.
public struct MadeWords: Sendable {
    public let folder: String

    public init(folder: String) { self.folder = folder }

    /// Returns the path of the file with the words of a recording, whether there is one or not; nil where the recording cannot be asked.
    public func path(for audioPath: String) -> String? {
        guard let status = try? FileStatus(path: audioPath) else { return nil }
        return path(for: audioPath, bytes: status.bytes, modifiedSeconds: status.modifiedSeconds)
    }

    /// Returns the same path, for a recording of known size and time. Its name stands for the recording's own name, size and time: in
    /// another folder, or on a stick at another place, it is the same.
    public func path(for audioPath: String, bytes: Int64, modifiedSeconds: Int64) -> String {
        var hash = StableHash()
        hash.add(audioPath.pathName)
        hash.add(bytes)
        hash.add(modifiedSeconds)
        return folder + "/" + hash.value.hexadecimal + ".vtt"
    }
}
