import CPosix
import Posix

/// The folder in which the kernel has its input devices: says when one comes, or gets other permissions, as udev gives them. For the
/// control thread.
public final class InputFolder {
    public static let path = "/dev/input"

    /// For epoll: readable when something has changed.
    public var descriptor: Int32 { changes.number }
    private let changes: FileDescriptor

    public init() throws(PosixError) {
        let number = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        if number < 0 { throw .last("inotify_init") }
        changes = FileDescriptor(owning: number)
        watch()
    }

    /// The folder itself comes with the first device.
    private func watch() {
        let number = changes.number
        _ = inotify_add_watch(number, "/dev", UInt32(IN_CREATE | IN_ONLYDIR))
        _ = inotify_add_watch(number, InputFolder.path, UInt32(IN_CREATE | IN_ATTRIB | IN_ONLYDIR))
    }

    /// Forgets what has changed: call it before `nodes`.
    public func drain() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while read(changes.number, buffer.baseAddress, buffer.count) > 0 {}
        }
        watch()
    }

    /// The devices that there are: "event0", "event1" …; none where the folder is missing.
    public var nodes: [String] {
        let names = (try? Files.names(inFolder: InputFolder.path)) ?? []
        return names.filter { $0.begins(with: "event") }
    }
}
