// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// The folder of the stored playlists. Each call waits for the disk: worker threads.
///
/// It writes m3u8 under another name and then renames it, so that a power cut leaves the old file or the new one. It reads playlists in
/// other formats, and converts one into m3u8 with the first change.
public struct PlaylistFolder: Sendable {
    private static let mostPlaylists = 4096
    /// The limit of a name, which leaves room for the longest extension.
    private static let mostNameBytes = 250

    public let path: String

    public init(_ path: String) { self.path = path }

    /// A stored playlist.
    public struct Entry: Sendable {
        public let name: String
        /// The time of the last change in seconds since 1970.
        public let modifiedSeconds: Int64

        public init(name: String, modifiedSeconds: Int64) {
            self.name = name
            self.modifiedSeconds = modifiedSeconds
        }
    }

    /// A change of a playlist's entries.
    public enum Edit: Sendable {
        /// Inserts entries before that position, or at the end; makes the playlist if it is missing.
        case insert(PlaylistText, at: Int?)
        case remove(Range<Int>)
        case move(Int, to: Int)
        case clear
    }

    public static func check(_ name: String) throws(PlaylistError) {
        let bytes = name.pathBytes
        if bytes.isEmpty || bytes.count > mostNameBytes { throw .badName }
        for byte in bytes where byte == UInt8(ascii: "/") || byte == 0x0A || byte == 0x0D || byte == 0 {
            throw .badName
        }
    }

    /// Returns all stored playlists, ordered by name.
    public func list() throws(PlaylistError) -> [Entry] {
        var entries: [Entry] = []
        do throws(PosixError) {
            let names = try Files.names(inFolder: path)
            for name in names {
                guard PlaylistFolder.isStored(name) else { continue }
                let stem = name.pathStem
                guard (try? PlaylistFolder.check(stem)) != nil, entries.last?.name != stem,
                    let status = try? FileStatus(path: path + "/" + name), status.isRegularFile
                else { continue }
                if entries.count >= PlaylistFolder.mostPlaylists { break }
                entries.append(Entry(name: stem, modifiedSeconds: status.modifiedSeconds))
            }
        } catch {
            if error.code != ENOENT { throw .disk(error) }
        }
        return entries
    }

    func open(_ name: String) throws(PlaylistError) -> PlaylistReading {
        try PlaylistFolder.check(name)
        let file = try file(name)
        return try PlaylistReading(file, PlaylistFormat(fileName: file) ?? .m3u)
    }

    func read(_ name: String) throws(PlaylistError) -> PlaylistText {
        try PlaylistFolder.check(name)
        let file = try file(name)
        return try PlaylistReading.whole(file, PlaylistFormat(fileName: file) ?? .m3u)
    }

    public func change(_ name: String, _ edit: Edit) throws(PlaylistError) {
        try PlaylistFolder.check(name)
        var text = PlaylistText()
        let old: String?
        do throws(PlaylistError) {
            let file = try file(name)
            if case .clear = edit {
            } else {
                text = try PlaylistReading.whole(file, PlaylistFormat(fileName: file) ?? .m3u)
            }
            old = file
        } catch {
            // Inserting makes the playlist.
            guard case .noSuchPlaylist = error, case .insert = edit else { throw error }
            old = nil
        }
        switch edit {
        case .insert(let more, let position): try text.insert(more, at: position)
        case .remove(let range): try text.remove(range)
        case .move(let from, let to): try text.move(from, to: to)
        case .clear: break
        }
        try write(text, name, instead: old)
    }

    /// Replaces a playlist that was modified at that time; see `PlaylistStore.replace`.
    public func replace(
        _ name: String, _ text: PlaylistText?, modifiedSeconds: Int64
    ) throws(PlaylistError) -> Int64 {
        try PlaylistFolder.check(name)
        let old = try? file(name)
        if let old {
            let status: FileStatus
            do throws(PosixError) { status = try FileStatus(path: old) } catch { throw .disk(error) }
            if status.modifiedSeconds != modifiedSeconds { throw .exists }
        }
        guard let text else {
            if old != nil { try remove(name) }
            return 0
        }
        try write(text, name, instead: old)
        do throws(PosixError) { return try FileStatus(path: path + "/" + name + ".m3u8").modifiedSeconds } catch {
            throw .disk(error)
        }
    }

    /// Makes a playlist that does not exist.
    public func make(_ name: String, _ text: PlaylistText) throws(PlaylistError) {
        try PlaylistFolder.check(name)
        if (try? file(name)) != nil { throw .exists }
        try write(text, name, instead: nil)
    }

    public func remove(_ name: String) throws(PlaylistError) {
        try PlaylistFolder.check(name)
        // Remove all files of that name: otherwise another one would reappear from behind it.
        var file: String? = try file(name)
        while let found = file {
            if found.withPath({ unlink($0) }) < 0 { throw .disk(.last("remove \(found)")) }
            file = try? self.file(name)
        }
        try sync()
    }

    public func rename(_ name: String, to new: String) throws(PlaylistError) {
        try PlaylistFolder.check(name)
        try PlaylistFolder.check(new)
        if (try? file(new)) != nil { throw .exists }
        let from = try file(name)
        do throws(PosixError) { try Files.rename(from, to: path + "/" + new + "." + from.pathExtension) } catch {
            throw .disk(error)
        }
        try sync()
    }

    // MARK: Files

    private static func isStored(_ fileName: String) -> Bool {
        let suffix = fileName.pathExtension
        return PlaylistFormat.storedExtensions.contains { $0 == suffix }
    }

    /// Returns the file of an existing playlist.
    private func file(_ name: String) throws(PlaylistError) -> String {
        for suffix in PlaylistFormat.storedExtensions {
            let file = path + "/" + name + "." + suffix
            if Files.exists(file) { return file }
        }
        // The extension may be in capitals.
        let names = (try? Files.names(inFolder: path)) ?? []
        for other in names where other.pathStem == name && PlaylistFolder.isStored(other) { return path + "/" + other }
        throw .noSuchPlaylist
    }

    /// - Parameter old: the present file of the playlist.
    private func write(_ text: PlaylistText, _ name: String, instead old: String?) throws(PlaylistError) {
        let beside = path + "/.new"
        let file = path + "/" + name + ".m3u8"
        do throws(PosixError) {
            try Files.createFolder(path)
            _ = beside.withPath { unlink($0) }
            let descriptor = try FileDescriptor.open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
            try descriptor.writeAll(text.bytes)
            if fsync(descriptor.number) < 0 { throw .last("write \(file)") }
            try Files.rename(beside, to: file)
        } catch {
            _ = beside.withPath { unlink($0) }
            throw .disk(error)
        }
        if let old, !old.utf8.elementsEqual(file.utf8) { _ = old.withPath { unlink($0) } }
        try sync()
    }

    private func sync() throws(PlaylistError) {
        do throws(PosixError) {
            let folder = try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY)
            if fsync(folder.number) < 0 { throw .last("write \(path)") }
        } catch { throw .disk(error) }
    }
}
