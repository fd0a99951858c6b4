// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Testing

@testable import Posix

@Suite struct DeviceFolders {
    private static func hasNews(_ folder: DeviceFolder) -> Bool {
        var polled = pollfd(fd: folder.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) == 1
    }

    /// Like /dev/dri: it comes with the first card, and udev sets its permissions later.
    @Test func tellsOfAFolderThatComesWithItsFirstDevice() throws {
        let top = FileManager.default.temporaryDirectory.appendingPathComponent("devices-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: top, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: top) }
        let path = top.path + "/dri"
        let folder = try DeviceFolder(path, stem: "card")
        #expect(folder.nodes.isEmpty && !DeviceFolders.hasNews(folder))
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(DeviceFolders.hasNews(folder))
        folder.drain()
        #expect(!DeviceFolders.hasNews(folder))
        for name in ["card10", "card2", "renderD128", "card", "cards"] {
            #expect(FileManager.default.createFile(atPath: path + "/" + name, contents: nil))
        }
        #expect(DeviceFolders.hasNews(folder))
        folder.drain()
        // In the order of their numbers, and none of another kind.
        #expect(folder.nodes == ["card2", "card10"])
        #expect(chmod(path + "/card2", 0o600) == 0)
        #expect(DeviceFolders.hasNews(folder))
        folder.drain()
        // Reading and writing make no event.
        try Data([1]).write(to: URL(fileURLWithPath: path + "/card2"), options: [])
        #expect(!DeviceFolders.hasNews(folder))
    }
}
