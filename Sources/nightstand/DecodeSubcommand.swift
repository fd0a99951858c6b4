import CPosix
import Core
import Playback
import Posix

/// `nightstand decode FILE [--from MS] [--speed SPEED] [--silences WHICH] [-o OUT.wav]`: the decode path, unpaced.
enum DecodeSubcommand {
    /// Returns the exit code.
    /// - Parameter from: milliseconds into it.
    static func run(file: String, from: Int, speed: Speed, shortensSilences: Bool, output: String?) -> Int32 {
        do throws(PlaybackError) {
            let decode = try UnpacedDecode()
            guard let output else {
                try decode.run(
                    path: file, from: from, speed: 10 * speed.percent, shortensSilences: shortensSilences
                ) { _, _ throws(PosixError) in
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
            try decode.run(
                path: file, from: from, speed: 10 * speed.percent, shortensSilences: shortensSilences
            ) { rate, channels throws(PosixError) in
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
