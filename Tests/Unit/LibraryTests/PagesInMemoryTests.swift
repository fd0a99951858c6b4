// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Posix
import TestSupport
import Testing

@testable import Library

@Suite struct PagesInMemoryTests {
    /// Returns true if the kernel has all of a file's pages, without reading any from the disk.
    private func areInMemory(_ descriptor: Int32, _ bytes: Int) -> Bool {
        var page = [UInt8](repeating: 0, count: 4096)
        return stride(from: 0, to: bytes, by: 4096).allSatisfy {
            ns_read_from_memory(descriptor, &page, 4096, Int64($0)) > 0
        }
    }

    @Test func whatControlReadsIsInMemory() throws {
        // On a disk, even if other tests use memory.
        let path = "/var/tmp/pages-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        let bytes = 3 << 20
        try Data(count: bytes).write(to: URL(fileURLWithPath: path))
        let descriptor = open(path, O_RDWR)
        defer { close(descriptor) }
        #expect(fsync(descriptor) == 0)
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
        // A file system in memory has no other place for it.
        if areInMemory(descriptor, bytes) { return }
        let pages = try #require(PagesInMemory(path: path))
        var steps = 1
        while pages.readMore() { steps += 1 }
        #expect(areInMemory(descriptor, bytes) && steps == 25)
        #expect(PagesInMemory(path: path + "-not-there") == nil)
    }
}
