import Posix

/// What is asked about files and their disks. Worker: a disk that hangs may not answer.
public struct DiskLook: Sendable {
    /// Whether there is a file or folder at a path, on a disk that has not been pulled out.
    let isThere: @Sendable (String) -> Bool
    /// Whether a folder holds nothing, as a mount point does without its disk. What is hidden does not count.
    let isEmpty: @Sendable (String) -> Bool

    public init(isThere: @escaping @Sendable (String) -> Bool, isEmpty: @escaping @Sendable (String) -> Bool) {
        self.isThere = isThere
        self.isEmpty = isEmpty
    }

    /// The real ones.
    public static var files: DiskLook {
        DiskLook(
            isThere: { (try? FileStatus(path: $0))?.isDiskThere ?? false }, isEmpty: { Files.isEmptyFolder($0) })
    }
}
