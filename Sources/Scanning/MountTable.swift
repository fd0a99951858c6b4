// SPDX-License-Identifier: Apache-2.0
import Posix

/// The file systems at, below or above some folders, from /proc/self/mountinfo; see proc_pid_mountinfo(5).
struct MountTable: Equatable {
    /// The relevant lines: of each the mount's number, its parent's, its disk, and the two paths. They differ for any other mount.
    private var mounts: [[UInt8]] = []
    /// The mount point of each line.
    private var points: [[UInt8]] = []

    /// - Parameters:
    ///   - bytes: the kernel's file.
    ///   - folders: paths without links, by their bytes.
    init(_ bytes: [UInt8], near folders: [[UInt8]]) {
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            var spaces = 0
            var pointStart = 0
            var end = line.endIndex
            for at in line.indices where line[at] == UInt8(ascii: " ") {
                spaces += 1
                if spaces == 4 { pointStart = at + 1 }
                if spaces == 5 {
                    end = at
                    break
                }
            }
            if spaces < 4 || pointStart > end { continue }
            let point = MountTable.unescaped(line[pointStart..<end])
            if folders.contains(where: { MountTable.isWithin($0, point) || MountTable.isWithin(point, $0) }) {
                mounts.append(Array(line[..<end]))
                points.append(point)
            }
        }
    }

    /// Returns the mount points within a folder that the other table lacks.
    func points(missingFrom other: MountTable, within folder: [UInt8]) -> [[UInt8]] {
        mounts.indices.filter { !other.mounts.contains(mounts[$0]) && points[$0].count > folder.count }
            .map { points[$0] }.filter { MountTable.isWithin($0, folder) }
    }

    private static func isWithin(_ path: [UInt8], _ folder: [UInt8]) -> Bool {
        guard path.starts(with: folder) else { return false }
        return path.count == folder.count || folder.last == UInt8(ascii: "/") || path[folder.count] == UInt8(ascii: "/")
    }

    /// Decodes a path, in which spaces, tabs, line breaks and backslashes are \ and three octal digits.
    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var at = text.startIndex
        while at < text.endIndex {
            let isEscape =
                text[at] == UInt8(ascii: "\\") && at + 3 < text.endIndex
                && text[(at + 1)...(at + 3)].allSatisfy { $0 & 0xF8 == 0x30 }
            if isEscape {
                bytes.append((text[at + 1] & 3) << 6 | (text[at + 2] & 7) << 3 | text[at + 3] & 7)
                at += 4
            } else {
                bytes.append(text[at])
                at += 1
            }
        }
        return bytes
    }
}
