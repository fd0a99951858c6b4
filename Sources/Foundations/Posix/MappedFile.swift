// SPDX-License-Identifier: Apache-2.0
import CPosix

/// A mapped file, of which only the used pages are read. The file must not shrink meanwhile. Any thread.
public final class MappedFile: @unchecked Sendable {
    public let bytes: UnsafeRawBufferPointer

    /// Returns nil for an empty or unreadable file.
    public init?(path: String) {
        // MAP_FAILED, -1, is a macro with a cast.
        guard let file = try? FileDescriptor.openRegularFile(path), let size = try? file.status().bytes, size > 0,
            let start = mmap(nil, Int(size), PROT_READ, MAP_PRIVATE, file.number, 0), Int(bitPattern: start) != -1
        else { return nil }
        bytes = UnsafeRawBufferPointer(start: start, count: Int(size))
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

    /// Releases the pages read so far. Later uses read them again.
    public func giveBack() {
        madvise(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, MADV_DONTNEED)
    }
}
