// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Posix

@Suite struct RegularFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

    private func message(_ path: String) -> String? {
        do throws(PosixError) {
            _ = try FileDescriptor.openRegularFile(path)
            return nil
        } catch { return error.message }
    }

    @Test func onlyAFileIsOpenedAndNothingWaits() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/a.mp3"
        #expect(FileManager.default.createFile(atPath: file, contents: Data([1, 2, 3])))
        #expect(message(file) == nil)
        let link = folder + "/link.mp3"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        #expect(message(link) == nil)

        let fifo = folder + "/b.mp3"
        #expect(mkfifo(fifo, 0o600) == 0)
        #expect(message(fifo) == "open \(fifo): is a FIFO, expected a file")
        #expect(message(folder) == "open \(folder): is a folder, expected a file")
        #expect(message("/dev/zero") == "open /dev/zero: is a device, expected a file")
        let socket = folder + "/c.mp3"
        let number = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(number) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if bound == 0 { #expect(message(socket) == "open \(socket): is a socket, expected a file") }
        #expect(message(folder + "/none") == "open \(folder)/none: No such file or directory")
    }
}
