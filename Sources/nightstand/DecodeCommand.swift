import CPosix
import Playback
import Posix

/// `nightstand decode FILE [-o OUT.wav]`: the decode path, unpaced.
enum DecodeCommand {
    /// Returns the exit code.
    static func run(file: String, output: String?) -> Int32 {
        do throws(PlaybackError) {
            let decode = try UnpacedDecode()
            guard let output else {
                try decode.run(path: file) { _, _ throws(PosixError) in
                } take: { _ throws(PosixError) in
                }
                return 0
            }
            let wave: WaveFile
            do throws(PosixError) {
                if isSameFile(file, output) {
                    throw PosixError(
                        code: EINVAL, operation: "write \(output)", explanation: "is the file to be decoded")
                }
                wave = try WaveFile(path: output)
            } catch { throw .file(error) }
            try decode.run(path: file) { rate, channels throws(PosixError) in
                try wave.begin(rate: rate, channels: channels)
            } take: { samples throws(PosixError) in
                try wave.write(UnsafeRawBufferPointer(samples))
            }
            do throws(PosixError) { try wave.finish() } catch { throw .file(error) }
            return 0
        } catch {
            Log.error(error.message)
            return 1
        }
    }

    /// Two names, or one, of a file: to write it would be to empty it first.
    private static func isSameFile(_ a: String, _ b: String) -> Bool {
        guard let first = try? FileStatus(path: a), let second = try? FileStatus(path: b) else { return false }
        return first.identity == second.identity
    }
}

/// A WAV file being written: RIFF header, 16-bit PCM, sizes filled in at the end (and left at their largest where the file cannot
/// be rewound, as pipes are).
private final class WaveFile {
    private let file: FileDescriptor
    private let path: String
    private var dataBytes: Int64 = 0
    private var rate = 0
    private var channels = 0
    private var pending: [UInt8] = []

    init(path: String) throws(PosixError) {
        self.path = path
        file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC)
        pending.reserveCapacity(WaveFile.pendingLimit)
    }

    private static let pendingLimit = 64 * 1024

    func begin(rate: Int, channels: Int) throws(PosixError) {
        self.rate = rate
        self.channels = channels
        pending = header()
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PosixError) {
        dataBytes += Int64(bytes.count)
        pending.append(contentsOf: bytes)
        if pending.count >= WaveFile.pendingLimit { try flush() }
    }

    func finish() throws(PosixError) {
        try flush()
        if lseek(file.number, 0, Int32(SEEK_SET)) == 0 {
            pending = header()
            try flush()
        }
    }

    private func flush() throws(PosixError) {
        var failure: PosixError?
        pending.withUnsafeBytes { bytes in
            do throws(PosixError) { try file.writeAll(bytes) } catch {
                failure = PosixError(code: error.code, operation: "write \(path)")
            }
        }
        if let failure { throw failure }
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
