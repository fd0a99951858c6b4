// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Posix
import Streams

/// The folder of cache files: for each recording its bytes (`KEY.audio`) and its facts (`KEY.map`). The fetching process alone uses it.
final class CacheFolder {
    /// The part of the disk that always stays free.
    private static let leastFreeBytes: Int64 = 64 << 20

    let path: String
    let mostBytes: Int64

    init(path: String, mostBytes: Int64) throws(PosixError) {
        self.path = path
        self.mostBytes = mostBytes
        try Files.createFolder(path)
    }

    /// An open file, and its map as last saved.
    final class Entry {
        let file: FileDescriptor
        let key: String
        var map: CacheMap

        init(_ file: consuming FileDescriptor, _ key: String, _ map: CacheMap) {
            self.file = file
            self.key = key
            self.map = map
        }
    }

    private func name(_ key: String, _ end: String) -> String { path + "/" + key + end }

    /// Opens the cached part of an address; an empty file if there is none.
    func open(_ address: String) throws(PosixError) -> Entry {
        let key = CacheFolder.key(address)
        let known = (try? Files.read(name(key, ".map"), limit: CacheMap.mostBytes)).flatMap { CacheMap($0) }
        if let map = known, map.address.utf8.elementsEqual(address.utf8),
            let file = try? FileDescriptor.open(name(key, ".audio"), O_RDWR | O_NOFOLLOW),
            let status = try? file.status(), status.isRegularFile, status.bytes >= map.spans.end
        {
            // The most recently used file stays longest.
            _ = name(key, ".map").withPath { utimensat(AT_FDCWD, $0, nil, 0) }
            return Entry(file, key, map)
        }
        return try begin(address)
    }

    /// Makes a new file. Readers of the old one keep it, until they close it.
    func begin(_ address: String) throws(PosixError) -> Entry {
        let key = CacheFolder.key(address)
        remove(key)
        let file = try FileDescriptor.open(name(key, ".audio"), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        return Entry(file, key, CacheMap(address: address))
    }

    /// Saves the present part to the disk: first the bytes, then their map.
    func save(_ entry: Entry) {
        guard entry.map.spans.end > 0, fdatasync(entry.file.number) == 0 else { return }
        do throws(PosixError) { try Files.replace(name(entry.key, ".map"), with: entry.map.bytes) } catch {
            Log.warning(error.message)
        }
    }

    /// Notes that the listener heard the file of this name: it is evicted first.
    func didHear(_ name: String) {
        var times = [timespec](repeating: timespec(), count: 2)
        times[1].tv_sec = 1
        _ = self.name(CacheFolder.key(name), ".map").withPath { utimensat(AT_FDCWD, $0, &times, 0) }
    }

    /// Removes a file. Its readers keep it open.
    func forget(_ entry: Entry) { remove(entry.key) }

    private func remove(_ key: String) {
        for end in [".map", ".audio"] { _ = name(key, end).withPath { unlink($0) } }
    }

    /// Makes room for a number of bytes: evicts the recording heard longest ago first.
    /// - Parameter kept: the keys of recordings being fetched or played.
    /// - Returns: the reason of a failure; nil if there is room.
    func makeRoom(_ bytes: Int64, keeping kept: [String]) -> String? {
        var files: [(key: String, bytes: Int64, used: Int64)] = []
        var used: Int64 = 0
        for file in (try? Files.names(inFolder: path)) ?? [] where file.pathExtension == "audio" {
            guard let status = try? FileStatus(path: path + "/" + file) else { continue }
            let map = try? FileStatus(path: path + "/" + file.pathStem + ".map")
            used += status.bytes
            files.append((file.pathStem, status.bytes, map?.modifiedSeconds ?? 0))
        }
        files.sort { $0.used < $1.used }
        let needed = bytes.addingSaturated(CacheFolder.leastFreeBytes)
        for file in files {
            if used.addingSaturated(bytes) <= mostBytes && freeBytes >= needed { return nil }
            if kept.contains(where: { $0.utf8.elementsEqual(file.key.utf8) }) { continue }
            remove(file.key)
            used -= file.bytes
        }
        if used.addingSaturated(bytes) > mostBytes {
            return "the cache is full of what is played now ([network] cache_mb)"
        }
        return freeBytes >= needed ? nil : "the disk of the cache is full"
    }

    var freeBytes: Int64 {
        var status = statvfs()
        guard path.withPath({ statvfs($0, &status) }) == 0 else { return 0 }
        return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    /// Returns the key of an address. Two addresses with one key only replace each other: the map has the full address.
    static func key(_ address: String) -> String { address.stableHash.hexadecimal }
}
