// SPDX-License-Identifier: Apache-2.0
import CPosix

/// A whole file in memory, of which only what is looked at is read. The file must not get shorter meanwhile. Any thread.
public final class MappedFile: @unchecked Sendable {
    public let bytes: UnsafeRawBufferPointer

    /// Nil for an empty file and for one that cannot be read.
    public init?(path: String) {
        // MAP_FAILED, -1, is a macro with a cast.
        guard let file = try? FileDescriptor.openRegularFile(path), let size = try? file.status().bytes, size > 0,
            let start = mmap(nil, Int(size), PROT_READ, MAP_PRIVATE, file.number, 0), Int(bitPattern: start) != -1
        else { return nil }
        bytes = UnsafeRawBufferPointer(start: start, count: Int(size))
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

    /// Lets go of what was read. Later looks read it again, by the page.
    public func giveBack() {
        madvise(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, MADV_DONTNEED)
    }
}
