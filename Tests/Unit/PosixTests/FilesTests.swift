// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Testing

@testable import Posix

@Suite struct FilesTests {
    /// As `--config <(...)` gives it: no size, and its bytes come when they come.
    @Test func aPipeIsReadToItsEnd() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let text = [UInt8](repeating: 0x61, count: 30_000)
        let writing = ends[1]
        let writer = try Posix.Thread(name: "writer", stackBytes: 128 * 1024) {
            var done = 0
            while done < text.count {
                let count = text.withUnsafeBytes {
                    write(writing, $0.baseAddress! + done, min(7000, text.count - done))
                }
                if count <= 0 { break }
                done += count
            }
            close(writing)
        }
        let got = try Files.readToEnd("/dev/fd/\(ends[0])", limit: 100_000)
        writer.join()
        #expect(got == text)
    }

    @Test func tooMuchIsTooMuchEvenWithoutASize() {
        let error = #expect(throws: PosixError.self) { try Files.readToEnd("/dev/zero", limit: 100_000) }
        #expect(error?.code == EFBIG)
        #expect((try? Files.readToEnd("/dev/null", limit: 10)) == [])
    }

    @Test func aFolderIsEmptyWithNothingButHiddenFiles() throws {
        let folder = NSTemporaryDirectory() + "empty-folder-\(getpid())"
        try Files.createFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(Files.isEmptyFolder(folder))
        for index in 0..<40 { try Files.replace("\(folder)/.hidden\(index)", with: []) }
        #expect(Files.isEmptyFolder(folder))
        try Files.replace(folder + "/cover.jpg", with: [])
        #expect(!Files.isEmptyFolder(folder))
        #expect(!Files.isEmptyFolder(folder + "/cover.jpg") && !Files.isEmptyFolder(folder + "/none"))
    }
}
