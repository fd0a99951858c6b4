// SPDX-License-Identifier: Apache-2.0
import CPosix

/// A folder of the kernel's devices of one kind. Reports new devices, and the permissions that udev sets. One thread.
public final class DeviceFolder {
    public let path: String
    /// The descriptor for epoll: readable after a change.
    public var descriptor: Int32 { changes.number }
    private let changes: FileDescriptor
    private let stem: String

    /// - Parameters:
    ///   - path: the folder, such as "/dev/input". It may appear with its first device; its parent must exist.
    ///   - stem: the beginning of relevant names before a number, such as "event".
    public init(_ path: String, stem: String) throws(PosixError) {
        let number = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        if number < 0 { throw .last("inotify_init") }
        changes = FileDescriptor(owning: number)
        self.path = path
        self.stem = stem
        watch()
    }

    private func watch() {
        let number = changes.number
        _ = path.pathFolder.withPath { inotify_add_watch(number, $0, UInt32(IN_CREATE | IN_ONLYDIR)) }
        _ = path.withPath { inotify_add_watch(number, $0, UInt32(IN_CREATE | IN_ATTRIB | IN_ONLYDIR)) }
    }

    /// Discards the reported changes. Call it before `nodes`.
    public func drain() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while read(changes.number, buffer.baseAddress, buffer.count) > 0 {}
        }
        watch()
    }

    /// The present devices, ordered by number: "event0", "event1" …; none if the folder is missing.
    public var nodes: [String] { DeviceFolder.nodes(path, stem: stem) }

    /// Returns the present devices without watching the folder.
    public static func nodes(_ path: String, stem: String) -> [String] {
        var numbers: [Int] = []
        for name in (try? Files.names(inFolder: path)) ?? [] where name.begins(with: stem) {
            if let number = Int(name.dropping(bytes: stem.utf8.count)), number >= 0 { numbers.append(number) }
        }
        return numbers.sorted().map { stem + "\($0)" }
    }
}
