// SPDX-License-Identifier: Apache-2.0
import Alignment
import CPosix
import Posix

/// Lets espeak-ng speak sentences, and makes features from the sound.
struct SpeechProgram {
    private static let program = "espeak-ng"
    /// Words a minute, near the pace of most readers.
    private static let pace = "160"
    /// The energy of a half frame below which a sentence has not begun, or has ended.
    private static let silence: UInt8 = 40
    /// The longest sound of a sentence in bytes: two minutes.
    private static let mostBytes = 6 << 20
    private static let headBytes = 44
    /// The limit of a sentence in bytes.
    private static let mostTextBytes = 4000

    /// The voice's name in espeak-ng: "de", or "de+f3" for a woman's.
    let voice: String
    /// The highest tone that counts, in Hz.
    let highest: Int

    init(voice: String, highest: Int) {
        self.voice = voice
        self.highest = highest
        // The kernel then reaps ended programs by itself, so that there is nothing to wait for.
        signal(SIGCHLD, ns_ignore_signal())
        signal(SIGPIPE, ns_ignore_signal())
    }

    /// Returns the frames of a sentence, from its first sound to its last; none if nothing of it can be spoken.
    func speak(_ sentence: ArraySlice<UInt8>) throws(PosixError) -> [UInt8] {
        var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        if ns_pipe(&input) < 0 { throw .last("pipe") }
        let sound: FileDescriptor
        do {
            let itsInput = FileDescriptor(owning: input[0])
            let words = FileDescriptor(owning: input[1])
            if ns_pipe(&output) < 0 { throw PosixError.last("pipe") }
            sound = FileDescriptor(owning: output[0])
            let itsOutput = FileDescriptor(owning: output[1])
            // Any sentence fits into the pipe: the program reads it once it has started.
            try words.writeAll(Array(sentence.prefix(SpeechProgram.mostTextBytes)) + [0x0A])
            let started = [SpeechProgram.program, "-v", voice, "-s", SpeechProgram.pace, "--stdout"].withCStrings {
                ns_start_between($0, itsInput.number, itsOutput.number)
            }
            if started < 0 { throw PosixError(code: -started, operation: "start \(SpeechProgram.program)") }
        }
        var head: [UInt8] = []
        while head.count < SpeechProgram.headBytes {
            let piece = try sound.read(SpeechProgram.headBytes - head.count)
            if piece.isEmpty { return [] }
            head += piece
        }
        let rate = Int(head[24]) | Int(head[25]) << 8 | Int(head[26]) << 16
        var features = SpeechFeatures(rate: rate, channels: 1, highest: highest)
        var frames: [UInt8] = []
        var (odd, taken): ([UInt8], Int) = ([], 0)
        while taken < SpeechProgram.mostBytes {
            let piece = try sound.read(65_536)
            if piece.isEmpty { break }
            taken += piece.count
            let bytes = odd + piece
            odd = bytes.count % 2 == 0 ? [] : [bytes[bytes.count - 1]]
            var samples: [Int16] = []
            samples.reserveCapacity(bytes.count / 2)
            for index in 0..<bytes.count / 2 {
                samples.append(Int16(bitPattern: UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8))
            }
            samples.withUnsafeBufferPointer { features.put($0, into: &frames) }
        }
        features.finish(into: &frames)
        return SpeechProgram.trimmed(frames)
    }

    private static func trimmed(_ frames: [UInt8]) -> [UInt8] {
        let width = SpeechFeatures.bytes
        let count = frames.count / width
        func isLoud(_ frame: Int) -> Bool { max(frames[frame * width + 13], frames[frame * width + 14]) > silence }
        guard let first = (0..<count).first(where: isLoud), let last = (0..<count).last(where: isLoud) else {
            return []
        }
        return Array(frames[first * width..<(last + 1) * width])
    }
}
