import CPosix

/// Says when something was put into folders or taken out: inotify(7), and the kernel's table of mounts, since a disk that is mounted
/// over an empty folder changes nothing in the folder. A file counts once whoever writes it has closed it.
public final class FolderWatch: @unchecked Sendable {
    private static let events =
        UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_CREATE) | UInt32(IN_DELETE)
        | UInt32(IN_ONLYDIR)
    private static let bufferBytes = 4096

    private let folders: FileDescriptor
    private let mounts: FileDescriptor

    /// - Parameter changed: called on the loop's thread, once for many changes at a time.
    public init(loop: EventLoop, changed: @escaping () -> Void) throws(PosixError) {
        let number = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        if number < 0 { throw .last("inotify_init") }
        folders = FileDescriptor(owning: number)
        mounts = try FileDescriptor.open("/proc/self/mountinfo", O_RDONLY)
        try loop.add(folders.number, .readable) { [self] _ in
            if takeEvents() { changed() }
        }
        // See poll(2) on /proc/mounts in proc(5): the event is gone once it was told.
        try loop.add(mounts.number, .priority) { _ in changed() }
    }

    /// Watches a folder from now on, however often asked. Feed thread. What cannot be watched is found at the next scan.
    public func watch(_ folder: String) {
        _ = folder.withPath { inotify_add_watch(folders.number, $0, FolderWatch.events) }
    }

    /// True if anything but the making of empty files happened.
    private func takeEvents() -> Bool {
        var hasChanged = false
        withUnsafeTemporaryAllocation(byteCount: FolderWatch.bufferBytes, alignment: 8) { buffer in
            while true {
                let count = read(folders.number, buffer.baseAddress, buffer.count)
                if count <= 0 { return }
                var at = 0
                while at < count {
                    let event = buffer.load(fromByteOffset: at, as: inotify_event.self)
                    let isNewFile = event.mask & UInt32(IN_CREATE) != 0 && event.mask & UInt32(IN_ISDIR) == 0
                    if !isNewFile { hasChanged = true }
                    at += MemoryLayout<inotify_event>.size + Int(event.len)
                }
            }
        }
        return hasChanged
    }
}
