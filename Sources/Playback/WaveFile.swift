// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// Writes WAV files: RIFF header, 16-bit PCM, with the sizes filled in at the end. In files that cannot be rewound, such as pipes, they
/// keep their maximum.
public final class WaveFile {
    private let file: FileDescriptor
    private let path: String
    private var dataBytes: Int64 = 0
    private var rate = 0
    private var channels = 0
    private var pending: [UInt8] = []

    public init(path: String) throws(PosixError) {
        self.path = path
        file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC)
        pending.reserveCapacity(WaveFile.pendingLimit)
    }

    private static let pendingLimit = 64 * 1024

    public func begin(rate: Int, channels: Int) throws(PosixError) {
        self.rate = rate
        self.channels = channels
        pending = header()
    }

    public func write(_ bytes: UnsafeRawBufferPointer) throws(PosixError) {
        dataBytes += Int64(bytes.count)
        pending.append(contentsOf: bytes)
        if pending.count >= WaveFile.pendingLimit { try flush() }
    }

    public func finish() throws(PosixError) {
        try flush()
        if lseek(file.number, 0, Int32(SEEK_SET)) == 0 {
            pending = header()
            try flush()
        }
    }

    private func flush() throws(PosixError) {
        do throws(PosixError) { try file.writeAll(pending) } catch {
            throw PosixError(code: error.code, operation: "write \(path)")
        }
        pending.removeAll(keepingCapacity: true)
    }

    private func header() -> [UInt8] {
        var bytes: [UInt8] = []
        func text(_ characters: StaticString) {
            bytes.append(
                contentsOf: UnsafeBufferPointer(start: characters.utf8Start, count: characters.utf8CodeUnitCount))
        }
        func number(_ value: some FixedWidthInteger, bytes count: Int) {
            for i in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * i))) }
        }
        let size = UInt32(min(dataBytes, Int64(UInt32.max) - 36))
        text("RIFF")
        number(size + 36, bytes: 4)
        text("WAVEfmt ")
        number(16, bytes: 4)
        number(1, bytes: 2)
        number(channels, bytes: 2)
        number(rate, bytes: 4)
        number(rate * channels * 2, bytes: 4)
        number(channels * 2, bytes: 2)
        number(16, bytes: 2)
        text("data")
        number(size, bytes: 4)
        return bytes
    }
}
