// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Operations on whole files and folders that wait for the disk: for worker threads, and for the control thread before it is ready.
public enum Files {
    /// Returns the whole file as bytes. Throws `EFBIG` if it has more than `limit` bytes.
    public static func read(_ path: String, limit: Int) throws(PosixError) -> [UInt8] {
        let file = try FileDescriptor.openRegularFile(path)
        let bytesInFile = try file.status().bytes
        if bytesInFile > limit { throw PosixError(code: EFBIG, operation: "read \(path)") }
        return try file.read(Int(bytesInFile), at: 0)
    }

    /// Reads a file that only its owner may read. Throws `EACCES` if others may read it.
    public static func readSecret(_ path: String, limit: Int) throws(PosixError) -> [UInt8] {
        var raw = stat()
        if path.withPath({ stat($0, &raw) }) < 0 { throw .last("read \(path)") }
        if raw.st_mode & 0o077 != 0 {
            throw PosixError(
                code: EACCES, operation: "read \(path)", explanation: "others may read it too: chmod 600 \(path)")
        }
        return try read(path, limit: limit)
    }

    /// Reads a whole file, or a pipe until its other end is closed: a path on the command line may be either. Throws `EFBIG` for more than
    /// `limit` bytes.
    public static func readToEnd(_ path: String, limit: Int) throws(PosixError) -> [UInt8] {
        let file = try FileDescriptor.open(path, O_RDONLY)
        var bytes: [UInt8] = []
        while true {
            let piece = try file.read(max(4096, bytes.count))
            if piece.isEmpty { return bytes }
            bytes += piece
            if bytes.count > limit { throw PosixError(code: EFBIG, operation: "read \(path)") }
        }
    }

    /// Returns the names in a folder without `.` and `..`, sorted by byte value.
    public static func names(inFolder path: String) throws(PosixError) -> [String] {
        let folder = try FolderReader(path)
        var names: [String] = []
        while true {
            let entries = try folder.next(most: 256)
            if entries.isEmpty { break }
            for entry in entries { names.append(entry.name) }
        }
        names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return names
    }

    /// Creates or replaces a file atomically, and waits until it is on the disk. A file that is not regular, such as a pipe, is written to.
    public static func replace(_ path: String, with bytes: [UInt8]) throws(PosixError) {
        let status = try? FileStatus(path: path)
        let isNew = status.map { $0.isRegularFile } ?? true
        let name = isNew ? path + ".part" : path
        do throws(PosixError) {
            let file = try FileDescriptor.open(name, isNew ? O_WRONLY | O_CREAT | O_TRUNC : O_WRONLY, mode: 0o666)
            try file.writeAll(bytes)
            if !isNew { return }
            if fsync(file.number) < 0 { throw .last("write \(name)") }
            try rename(name, to: path)
            try flush(path.pathFolder)
        } catch {
            if isNew { _ = name.withPath { unlink($0) } }
            throw error
        }
    }

    /// Waits until a file and its name are on the disk.
    public static func sync(_ path: String) throws(PosixError) {
        try flush(path)
        try flush(path.pathFolder)
    }

    /// Waits until a file, or the names in a folder, are on the disk. Ignores file systems that cannot sync a folder (`EINVAL`).
    private static func flush(_ path: String) throws(PosixError) {
        let file = try FileDescriptor.open(path, O_RDONLY)
        if fsync(file.number) < 0 && ns_errno() != EINVAL { throw .last("write \(path)") }
    }

    /// Makes a folder and its missing parents.
    public static func createFolder(_ path: String) throws(PosixError) {
        if let status = try? FileStatus(path: path), status.isDirectory { return }
        if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex {
            try createFolder(String(path[..<slash]))
        }
        if path.withPath({ mkdir($0, 0o755) }) < 0 && ns_errno() != EEXIST { throw .last("make folder \(path)") }
    }

    public static func rename(_ from: String, to: String) throws(PosixError) {
        if from.withPath({ from in to.withPath { CPosix.rename(from, $0) } }) < 0 { throw .last("rename \(from)") }
    }

    /// Gives a file a second name. On a file system without links it renames the file.
    public static func link(_ from: String, to: String) throws(PosixError) {
        if from.withPath({ from in to.withPath { CPosix.link(from, $0) } }) < 0 { try rename(from, to: to) }
    }

    /// Returns true if files at a path are lost with the power: in memory, or on an overlay, with its upper half mostly in memory.
    public static func isOnMemory(_ path: String) -> Bool {
        // TMPFS_MAGIC, RAMFS_MAGIC, OVERLAYFS_SUPER_MAGIC.
        [0x0102_1994, 0x8584_58F6, 0x794C_7630].contains(path.withPath { ns_file_system($0) })
    }

    /// Returns true if a folder has only hidden files; false if it cannot be read.
    public static func isEmptyFolder(_ path: String) -> Bool {
        guard let folder = try? FolderReader(path) else { return false }
        while true {
            guard let entries = try? folder.next(most: 16) else { return false }
            if entries.isEmpty { return true }
            if entries.contains(where: { $0.name.utf8.first != UInt8(ascii: ".") }) { return false }
        }
    }

    public static func exists(_ path: String) -> Bool { path.withPath { access($0, F_OK) } == 0 }

    /// Returns the path from the root, without links, "." and "..".
    public static func resolved(_ path: String) throws(PosixError) -> String {
        guard let resolved = path.withPath({ realpath($0, nil) }) else { throw .last("find \(path)") }
        defer { free(resolved) }
        return String(path: resolved)
    }
}

extension String {
    /// The last component of a path.
    public var pathName: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return self }
        return String(self[utf8.index(after: slash)...])
    }

    /// The folder part of a path, "." if it has none.
    public var pathFolder: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// The path without the last component's extension ("a.b/c.mp3" gives "a.b/c").
    public var pathStem: String {
        let nameStart = utf8.lastIndex(of: UInt8(ascii: "/")).map { utf8.index(after: $0) } ?? startIndex
        guard let dot = utf8[nameStart...].lastIndex(of: UInt8(ascii: ".")), dot > nameStart else { return self }
        return String(self[..<dot])
    }

    /// The last component's extension in lower case ASCII, without the dot; "" if there is none.
    public var pathExtension: String {
        let stem = pathStem
        guard stem.utf8.count < utf8.count else { return "" }
        let bytes = utf8.dropFirst(stem.utf8.count + 1).map { $0.lowerCase }
        return String(decoding: bytes, as: UTF8.self)
    }
}
