// SPDX-License-Identifier: Apache-2.0
import CPosix
import Testing

@testable import Posix

@Suite struct SharedOutputTests {
    @Test func whatNobodyReadsIsKeptAndGoesOutLater() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        _ = ns_set_nonblocking(ends[0])
        let output = SharedOutput(sharing: ends[1])
        let text = (0..<40_000).flatMap { Array("\($0)\n".utf8) }
        output.write(text)
        #expect(output.waitingBytes > 0)
        output.finish(withinMilliseconds: 20)
        #expect(output.waitingBytes > 0)
        // The pipe itself is as it was for others.
        #expect(flags(ends[1]) & O_NONBLOCK == 0)
        var got: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while got.count < text.count {
            let count = read(ends[0], &buffer, buffer.count)
            if count > 0 { got += buffer[..<count] }
            output.flush()
        }
        #expect(got == text)
        #expect(output.waitingBytes == 0 && !output.isClosed)
        output.finish(withinMilliseconds: 0)
    }

    @Test func aReaderThatIsGoneIsNoticed() {
        #expect(SharedOutput(sharing: -1).isClosed)
    }
}

/// fcntl(2) cannot be called from Swift: /proc says the same.
private func flags(_ number: Int32) -> Int32 {
    let bytes = (try? Files.readToEnd("/proc/self/fdinfo/\(number)", limit: 1 << 16)) ?? []
    let text = String(decoding: bytes, as: UTF8.self)
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("flags:") }) else { return -1 }
    return Int32(line.dropFirst(6).filter { $0.isNumber }, radix: 8) ?? -1
}
