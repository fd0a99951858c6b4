// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// Reports new and missing files in folders, by inotify(7) and by the kernel's table of mounts, since a mount over an empty folder changes
/// nothing in the folder. A file counts once its writer has closed it; a mount counts if it is at, below or above one of the folders.
public final class FolderWatch: @unchecked Sendable {
    private static let events =
        UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_CREATE) | UInt32(IN_DELETE)
        | UInt32(IN_ONLYDIR)
    private static let bufferBytes = 4096
    private static let mountTablePath = "/proc/self/mountinfo"

    private let loop: EventLoop
    private let changes: FileDescriptor
    private let mountChanges: FileDescriptor
    /// The folders near which mounts matter.
    private var mountFolders: [[UInt8]]
    private var mounts: MountTable

    enum Change {
        case files
        /// A mount or unmount, complete at once: the new mounts within the first watched folder.
        case mounts(new: [String])
    }

    /// - Parameters:
    ///   - folders: the folders near which mounts matter, as paths without links.
    ///   - changed: called on the loop's thread, once for many changes at a time.
    init(loop: EventLoop, folders: [String], changed: @escaping (Change) -> Void) throws(PosixError) {
        self.loop = loop
        let number = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        if number < 0 { throw .last("inotify_init") }
        changes = FileDescriptor(owning: number)
        mountChanges = try FileDescriptor.open(FolderWatch.mountTablePath, O_RDONLY)
        mountFolders = folders.map { $0.pathBytes }
        mounts = MountTable(FolderWatch.mountTable(), near: mountFolders)
        try loop.add(changes.number, .readable) { [self] _ in
            if takeEvents() { changed(.files) }
        }
        // See poll(2) on /proc/mounts in proc(5): reading it clears the event.
        try loop.add(mountChanges.number, .priority) { [self] _ in
            if let new = newMounts() { changed(.mounts(new: new)) }
        }
    }

    func stop() {
        loop.remove(changes.number)
        loop.remove(mountChanges.number)
    }

    /// Watches a folder from now on, independent of earlier calls. Any thread. False at the kernel's limit: the next scan finds its
    /// changes.
    func watch(_ folder: String) -> Bool {
        folder.withPath { inotify_add_watch(changes.number, $0, FolderWatch.events) } >= 0 || ns_errno() != ENOSPC
    }

    /// Reports mounts at, below and above another folder, too. Control thread.
    func watchMounts(near folder: String) {
        let bytes = folder.pathBytes
        if mountFolders.contains(bytes) { return }
        mountFolders.append(bytes)
        mounts = MountTable(FolderWatch.mountTable(), near: mountFolders)
    }

    /// Reads the table again. Returns nil if no relevant mount has changed.
    private func newMounts() -> [String]? {
        let (before, now) = (mounts, MountTable(FolderWatch.mountTable(), near: mountFolders))
        if now == before { return nil }
        mounts = now
        return mountFolders.first.map { now.points(missingFrom: before, within: $0).map { String(pathBytes: $0) } }
            ?? []
    }

    /// Returns the table from the kernel's own memory: no disk is involved.
    private static func mountTable() -> [UInt8] {
        guard let file = try? FileDescriptor.open(mountTablePath, O_RDONLY) else { return [] }
        var bytes: [UInt8] = []
        withUnsafeTemporaryAllocation(byteCount: bufferBytes, alignment: 8) { buffer in
            while let count = try? file.read(into: buffer), count > 0 { bytes += buffer[..<count] }
        }
        return bytes
    }

    /// Reads the events. Returns true if anything but the making of empty files happened.
    private func takeEvents() -> Bool {
        var hasChanged = false
        withUnsafeTemporaryAllocation(byteCount: FolderWatch.bufferBytes, alignment: 8) { buffer in
            while true {
                let count = read(changes.number, buffer.baseAddress, buffer.count)
                if count <= 0 { return }
                var at = 0
                while at < count {
                    let event = buffer.load(fromByteOffset: at, as: inotify_event.self)
                    let isNewFile = event.mask & UInt32(IN_CREATE) != 0 && event.mask & UInt32(IN_ISDIR) == 0
                    // The end of a watch was reported already.
                    if !isNewFile && event.mask & UInt32(IN_IGNORED) == 0 { hasChanged = true }
                    at += MemoryLayout<inotify_event>.size + Int(event.len)
                }
            }
        }
        return hasChanged
    }
}
