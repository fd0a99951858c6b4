// SPDX-License-Identifier: Apache-2.0
import Posix

/// Queries of files and their disks. Worker: a disk that hangs may not answer.
public struct DiskLook: Sendable {
    /// Returns whether there is a file or folder at a path, on a disk that is still there.
    let isThere: @Sendable (String) -> Bool
    /// Returns whether a folder is empty, as a mount point is without its disk. Hidden files do not count.
    let isEmpty: @Sendable (String) -> Bool

    public init(isThere: @escaping @Sendable (String) -> Bool, isEmpty: @escaping @Sendable (String) -> Bool) {
        self.isThere = isThere
        self.isEmpty = isEmpty
    }

    /// The queries of the real file system.
    public static var files: DiskLook {
        DiskLook(
            isThere: { (try? FileStatus(path: $0))?.isDiskThere ?? false }, isEmpty: { Files.isEmptyFolder($0) })
    }
}
