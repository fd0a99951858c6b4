// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Reads a folder in portions, so that a hundred thousand names do not block other work. Waits for the disk; one thread at a time.
public final class FolderReader {
    /// The kind of an entry, as far as the folder tells it.
    public enum Kind: Sendable {
        case file
        case folder
        /// A symbolic link; stat(2) tells its target's kind.
        case link
        /// A FIFO, a socket or a device.
        case other
        /// Not known to the file system; stat(2) tells it.
        case unknown
    }

    public struct Entry {
        public let name: String
        public let kind: Kind
    }

    private let handle: OpaquePointer
    private let path: String

    public init(_ path: String) throws(PosixError) {
        guard let opened = path.withPath({ opendir($0) }) else { throw .last("open folder \(path)") }
        handle = opened
        self.path = path
    }

    deinit { closedir(handle) }

    /// Returns the next names without "." and "..", unsorted; none at the end of the folder.
    public func next(most: Int) throws(PosixError) -> [Entry] {
        var entries: [Entry] = []
        while entries.count < most {
            guard let entry = ns_readdir(handle) else {
                if ns_errno() != 0 { throw .last("read folder \(path)") }
                break
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(path: $0) }
            }
            if name.utf8.elementsEqual(".".utf8) || name.utf8.elementsEqual("..".utf8) { continue }
            entries.append(Entry(name: name, kind: FolderReader.kind(Int(entry.pointee.d_type))))
        }
        return entries
    }

    private static func kind(_ type: Int) -> Kind {
        switch type {
        case Int(DT_REG): .file
        case Int(DT_DIR): .folder
        case Int(DT_LNK): .link
        case Int(DT_UNKNOWN): .unknown
        default: .other
        }
    }
}
