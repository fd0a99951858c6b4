// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// Reads the database through once, so that the kernel has its pages in memory. Then the control thread does not wait for a busy card when
/// it reads them. Worker.
public final class PagesInMemory {
    /// The size of one read: small, so that reads of audio come in between.
    private static let stepBytes = 128 * 1024
    /// The limit of all reads: more would evict the audio that plays.
    private static let mostBytes: Int64 = 64 << 20

    /// The file, which is never closed: closing any descriptor of a file releases all locks of the process on it, SQLite's among them; see
    /// fcntl(2).
    private let descriptor: Int32
    private var placeBytes: Int64 = 0
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: PagesInMemory.stepBytes, alignment: 16)

    /// nil without such a file.
    public init?(path: String) {
        descriptor = path.withPath { ns_open($0, O_RDONLY | O_CLOEXEC, 0) }
        if descriptor < 0 { return nil }
    }

    deinit { buffer.deallocate() }

    /// - Returns: true if there is more.
    public func readMore() -> Bool {
        let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(placeBytes))
        if count <= 0 { return false }
        placeBytes += Int64(count)
        return placeBytes < PagesInMemory.mostBytes
    }
}
