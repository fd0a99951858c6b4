// SPDX-License-Identifier: Apache-2.0
import Posix

/// Chooses the picture of a recording in its folder: one with the recording's name, or one for the whole folder. Case is ignored.
public enum FolderPicture {
    /// The names of pictures for the folder, the best first.
    private static var names: [StaticString] { ["cover.jpg", "folder.jpg", "cover.png", "cover.jpeg", "folder.png"] }
    private static let entriesInStep = 256
    /// The most entries to read; a real folder has fewer.
    private static let mostEntries = 100_000

    /// Returns the rank of a file's name as a picture of the whole folder, 0 being the best; nil for other names.
    /// - Parameter name: the name in lower case.
    public static func rank(_ name: [UInt8]) -> Int? {
        names.firstIndex { candidate in
            name.count == candidate.utf8CodeUnitCount && candidate.withUTF8Buffer { name.elementsEqual($0) }
        }
    }

    /// Returns true for a picture's extension.
    public static func isPicture(_ pathExtension: String) -> Bool {
        pathExtension == "jpg" || pathExtension == "jpeg" || pathExtension == "png"
    }

    /// Finds the picture beside a file. Worker thread.
    /// - Returns: its path; nil if there is none, or the folder cannot be read.
    public static func find(beside path: String) -> String? {
        let folder = path.pathFolder
        guard let reader = try? FolderReader(folder) else { return nil }
        let stem = lower(path.pathStem.pathName)
        var best: (rank: Int, name: String)?
        var count = 0
        while count < mostEntries, let entries = try? reader.next(most: entriesInStep), !entries.isEmpty {
            count += entries.count
            for entry in entries where entry.kind != .folder && isPicture(entry.name.pathExtension) {
                let isOwn = lower(entry.name.pathStem) == stem
                guard let rank = isOwn ? -1 : rank(lower(entry.name)) else { continue }
                if best == nil || rank < best!.rank { best = (rank, entry.name) }
            }
        }
        return best.map { folder.utf8.last == UInt8(ascii: "/") ? folder + $0.name : folder + "/" + $0.name }
    }

    /// Returns the bytes of a name with ASCII letters in lower case.
    public static func lower(_ name: String) -> [UInt8] {
        name.utf8.map { $0.lowerCase }
    }
}

extension Cover {
    /// Computes the key of a picture in a file: two small reads. Worker thread.
    /// - Returns: nil if the file is empty, too long for a picture, or unreadable.
    public init?(file path: String) {
        guard let file = try? FileSource(path: path), let length = file.byteCount, length > 0,
            length <= Int64(EmbeddedPicture.mostBytes)
        else { return nil }
        let count = Int(min(length, Int64(Cover.sampleBytes)))
        guard let first = try? file.bytes(at: 0, count: count), first.count == count,
            let last = try? file.bytes(at: length - Int64(count), count: count), last.count == count
        else { return nil }
        self.init(byteCount: length, first: first, last: last)
    }
}
