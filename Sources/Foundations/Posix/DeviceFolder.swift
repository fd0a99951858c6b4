// SPDX-License-Identifier: Apache-2.0
import CPosix

/// A folder in which the kernel has its devices of a kind: says when one comes, or gets other permissions, as udev gives them. One thread.
public final class DeviceFolder {
    public let path: String
    /// For epoll: readable when something has changed.
    public var descriptor: Int32 { changes.number }
    private let changes: FileDescriptor
    private let stem: String

    /// - Parameters:
    ///   - path: "/dev/input". The folder itself may come with its first device; the one that it lies in is there.
    ///   - stem: the beginning of relevant names, before a number: "event".
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

    /// Forgets what has changed: call it before `nodes`.
    public func drain() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while read(changes.number, buffer.baseAddress, buffer.count) > 0 {}
        }
        watch()
    }

    /// The devices that there are, in the order of their numbers: "event0", "event1" …; none where the folder is missing.
    public var nodes: [String] { DeviceFolder.nodes(path, stem: stem) }

    /// The same at once.
    public static func nodes(_ path: String, stem: String) -> [String] {
        var numbers: [Int] = []
        for name in (try? Files.names(inFolder: path)) ?? [] where name.begins(with: stem) {
            if let number = Int(name.dropping(bytes: stem.utf8.count)), number >= 0 { numbers.append(number) }
        }
        return numbers.sorted().map { stem + "\($0)" }
    }
}
