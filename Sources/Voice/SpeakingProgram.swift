// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// A program that takes a sentence and writes sound. Started and read on the worker; its last owner ends it.
final class SpeakingProgram: @unchecked Sendable {
    /// The limit of a sentence: it fits into a pipe, so writing it never blocks.
    private static let mostTextBytes = 4000
    /// The limit of the sound: half a minute.
    private static let mostBytes = 6 << 20

    /// The program's output; never waited for.
    let output: FileDescriptor
    /// The output so far.
    private(set) var bytes: [UInt8] = []
    private let process: pid_t
    private var hasEnded = false

    /// - Parameter words: the program, found as a shell finds it, and its arguments.
    init(_ words: [String], text: String) throws(PosixError) {
        guard let name = words.first else { throw PosixError(code: EINVAL, operation: "start no program") }
        var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        if ns_pipe(&input) < 0 { throw .last("pipe") }
        let itsInput = FileDescriptor(owning: input[0])
        let sentence = FileDescriptor(owning: input[1])
        if ns_pipe(&output) < 0 { throw .last("pipe") }
        self.output = FileDescriptor(owning: output[0])
        let itsOutput = FileDescriptor(owning: output[1])
        try self.output.setNonBlocking()
        try sentence.writeAll(SpeakingProgram.line(text))
        let started = words.withCStrings { ns_start_between($0, itsInput.number, itsOutput.number) }
        if started < 0 { throw PosixError(code: -started, operation: "start \(name)") }
        process = started
        // If memory is short, the kernel should end it before the speaker, its parent.
        if let file = try? FileDescriptor.open("/proc/\(started)/oom_score_adj", O_WRONLY) {
            try? file.writeAll(Array("500".utf8))
        }
    }

    deinit { if !hasEnded { kill(-process, SIGKILL) } }

    /// Returns the text as one line: a program that reads line by line speaks all of it.
    private static func line(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8.prefix(mostTextBytes))
        // Not in the middle of a letter.
        if text.utf8.count > mostTextBytes {
            while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        }
        for place in bytes.indices where bytes[place] < 0x20 || bytes[place] == 0x7F { bytes[place] = 0x20 }
        return bytes + [0x0A]
    }

    /// Reads the available output. Returns true at its end.
    func read() throws(PosixError) -> Bool {
        while true {
            let piece: [UInt8]
            do throws(PosixError) { piece = try output.read(64 * 1024) } catch {
                if error.code == EAGAIN { return false }
                throw error
            }
            if piece.isEmpty || bytes.count >= SpeakingProgram.mostBytes {
                hasEnded = piece.isEmpty
                return true
            }
            bytes += piece
        }
    }
}
