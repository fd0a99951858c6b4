// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Invocation
import Playback
import Posix

/// `nightstand decode FILE [--from MS] [--speed SPEED] [--silences WHICH] [-o OUT.wav]`: runs the decode path, unpaced.
public enum DecodeSubcommand {
    /// Returns the exit code.
    /// - Parameter words: the command line after the subcommand's name.
    public static func run(_ words: [String]) -> Int32 {
        guard let arguments = Arguments(words, options: [.output, .from, .speed, .silences, .help]) else {
            return Usage.misused()
        }
        if arguments.has(.help) { return Usage.say(Usage.text) }
        guard arguments.operands.count == 1 else {
            Log.error("decode: expected one file")
            return Usage.misused()
        }
        guard let from = Int(arguments.value(.from) ?? "0"), from >= 0, from <= Int32.max else {
            Log.error("bad --from, expected milliseconds")
            return Usage.misused()
        }
        guard let speed = Speed(text: arguments.value(.speed) ?? "1") else {
            Log.error("bad --speed, expected 0.5 to 3")
            return Usage.misused()
        }
        let silences = arguments.value(.silences) ?? "own"
        guard silences == "own" || silences == "shorter" else {
            Log.error("bad --silences, expected own or shorter")
            return Usage.misused()
        }
        return decode(
            file: arguments.operands[0], from: from, speed: speed, shortensSilences: silences == "shorter",
            output: arguments.value(.output))
    }

    /// Returns the exit code.
    /// - Parameter from: the first millisecond to decode.
    private static func decode(file: String, from: Int, speed: Speed, shortensSilences: Bool, output: String?) -> Int32
    {
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

    /// Returns whether both paths name one file. Opening it for the output would empty it first.
    private static func isSameFile(_ a: String, _ b: String) -> Bool {
        guard let first = try? FileStatus(path: a), let second = try? FileStatus(path: b) else { return false }
        return first.identity == second.identity
    }
}
