// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Reads a folder's list in portions, so that a hundred thousand names hold up no other work. Waits for the disk; one thread at a time.
public final class FolderReader {
    /// The kind of a name, as far as the folder itself tells.
    public enum Kind: Sendable {
        case file
        case folder
        /// Leads elsewhere; stat(2) says to what.
        case link
        /// A FIFO, a socket or a device.
        case other
        /// The file system does not say; stat(2) does.
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

    /// The next names, "." and ".." left out, as they come; none at the end of the folder.
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
