// SPDX-License-Identifier: Apache-2.0
import CPosix
import CXXHash
import Pixels
import Posix

/// A folder of reduced pictures: showing a picture again costs a read and no decoding. For threads that may wait for a disk.
///
/// A file is a header and the pixels. Writes are not synced: a file torn by a power cut fails its hash and is made anew. The least recently
/// used file is evicted first. The only state is the folder, so several threads may share the cache.
public struct PictureCache: Sendable {
    /// The identity of a picture: its length, and XXH64 over its first and last 4 KB. The library identifies covers in the same way.
    public struct Key: Equatable, Sendable {
        let hash: UInt64
        let bytes: Int

        public static let sampleBytes = 4096

        /// - Parameters:
        ///   - first: the first `sampleBytes` bytes, or all of them.
        ///   - last: the last `sampleBytes` bytes, or all of them.
        public init(bytes: Int, first: ArraySlice<UInt8>, last: ArraySlice<UInt8>) {
            let samples = Array(first) + Array(last)
            hash = samples.withUnsafeBytes { ns_xxh64($0.baseAddress, $0.count, UInt64(truncatingIfNeeded: bytes)) }
            self.bytes = bytes
        }

        /// Makes the key from all bytes of a picture.
        public init(_ all: [UInt8]) {
            self.init(bytes: all.count, first: all.prefix(Key.sampleBytes), last: all.suffix(Key.sampleBytes))
        }
    }

    private struct Header: BitwiseCopyable {
        var magic: UInt64 = 0x3154_4349_5053_4E01
        var width: UInt32 = 0
        var height: UInt32 = 0
        var hash: UInt64 = 0
    }

    private static let mostSide = 4096

    private let folder: String
    private let mostBytes: Int64

    /// - Parameter folder: made when the first picture is kept.
    public init(folder: String, mostBytes: Int64 = 16 << 20) {
        self.folder = folder
        self.mostBytes = mostBytes
    }

    /// Returns the picture of this size; nil if it is missing or damaged.
    public func picture(_ key: Key, side: Int) -> Surface? {
        let path = path(key, side)
        guard let file = try? FileDescriptor.open(path, O_RDONLY | O_NOFOLLOW) else { return nil }
        guard let surface = PictureCache.read(file) else {
            remove(path)
            return nil
        }
        // The access time marks the most recently used file.
        _ = path.withPath { utimensat(AT_FDCWD, $0, nil, 0) }
        return surface
    }

    private static func read(_ file: borrowing FileDescriptor) -> Surface? {
        var header = Header()
        let expected = header.magic
        let size = MemoryLayout<Header>.size
        let got = withUnsafeMutableBytes(of: &header) { try? file.read(into: $0, at: 0) }
        guard got == size, header.magic == expected, (1...UInt32(mostSide)).contains(header.width),
            (1...UInt32(mostSide)).contains(header.height), let status = try? file.status(), status.isRegularFile
        else { return nil }
        let surface = Surface(unfilledWidth: Int(header.width), height: Int(header.height))
        let pixels = bytes(of: surface)
        guard status.bytes == size + pixels.count, (try? file.read(into: pixels, at: Int64(size))) == pixels.count,
            hash(surface) == header.hash
        else { return nil }
        return surface
    }

    /// Stores a picture, and evicts others if there are too many. A failed write is ignored.
    public func keep(_ surface: Surface, _ key: Key, side: Int) {
        let size = Int64(MemoryLayout<Header>.size + surface.width * surface.height * 4)
        if size > mostBytes / 4 || max(surface.width, surface.height) > PictureCache.mostSide { return }
        makeRoom(for: size)
        let path = path(key, side)
        do throws(PosixError) {
            try Files.createFolder(folder)
            try write(surface, to: path + ".part")
            try Files.rename(path + ".part", to: path)
        } catch { remove(path + ".part") }
    }

    private func write(_ surface: Surface, to path: String) throws(PosixError) {
        let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o600)
        var header = Header()
        header.width = UInt32(surface.width)
        header.height = UInt32(surface.height)
        header.hash = PictureCache.hash(surface)
        var failure: PosixError?
        withUnsafeBytes(of: &header) { bytes in
            do throws(PosixError) {
                try file.writeAll(bytes)
                try file.writeAll(UnsafeRawBufferPointer(PictureCache.bytes(of: surface)))
            } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private func makeRoom(for bytes: Int64) {
        var files: [(path: String, bytes: Int64, used: Int64)] = []
        var sum: Int64 = 0
        for name in (try? Files.names(inFolder: folder)) ?? [] {
            let path = folder + "/" + name
            guard let status = try? FileStatus(path: path), status.isRegularFile else { continue }
            sum += status.bytes
            files.append((path, status.bytes, status.modifiedSeconds))
        }
        files.sort { $0.used < $1.used }
        for file in files where sum + bytes > mostBytes {
            remove(file.path)
            sum -= file.bytes
        }
    }

    private func path(_ key: Key, _ side: Int) -> String {
        folder + "/" + key.hash.hexadecimal + "-\(key.bytes)-\(side)"
    }

    private func remove(_ path: String) { _ = path.withPath { unlink($0) } }

    private static func bytes(of surface: Surface) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: surface.pixels, count: surface.width * surface.height * 4)
    }

    private static func hash(_ surface: Surface) -> UInt64 {
        let bytes = bytes(of: surface)
        return ns_xxh64(bytes.baseAddress, bytes.count, UInt64(surface.width) << 32 | UInt64(surface.height))
    }
}
