// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// Reads the database through once, so that the kernel has its pages in memory: control, which reads them, then does not wait for a card
/// that tidies up. Worker.
public final class PagesInMemory {
    /// So that sound's reads come in between.
    private static let stepBytes = 128 * 1024
    /// More would drive out what is played.
    private static let mostBytes: Int64 = 64 << 20

    /// Never closed: with any descriptor of a file that a process closes it gives up its locks on that file, SQLite's among them; see
    /// fcntl(2).
    private let descriptor: Int32
    private var placeBytes: Int64 = 0
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: PagesInMemory.stepBytes, alignment: 16)

    /// Nil where there is no such file.
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
