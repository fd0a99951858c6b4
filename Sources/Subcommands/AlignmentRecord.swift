// SPDX-License-Identifier: Apache-2.0
import Alignment
import CPosix
import Core
import Posix

/// The finished steps of an alignment, in a file: an interrupted alignment continues from there. The features lie beside it.
final class AlignmentRecord {
    /// The version, counted up with each change of the features or of the record.
    private static let version: UInt64 = 1
    /// The limit of a record: a line for each sentence of three Bibles.
    private static let mostBytes = 8 << 20
    /// The frames of a recording that are heard again, so that no decoder has to start at the very end.
    private static let overlapFrames = 50

    private let path: String
    private let file: FileDescriptor
    private var pending = ""
    /// The recordings heard to their end: for each the number of frames up to there, and the highest tone of all until then in Hz.
    private(set) var heard: [(frames: Int, highest: Int)] = []
    /// The number of frames of each spoken sentence, including the silence behind it.
    private(set) var spoken: [Int] = []

    /// Opens the record of an alignment, or starts it anew if recordings, text or language have changed.
    /// - Parameter path: the record's; the features' paths begin with it, too.
    init(path: String, of subject: StableHash) throws(PosixError) {
        self.path = path
        var subject = subject
        subject.add(AlignmentRecord.version)
        let title = "alignment " + subject.value.hexadecimal
        var bytes = (try? Files.readToEnd(path, limit: AlignmentRecord.mostBytes)) ?? []
        // A line that a power cut interrupted has no end.
        while let last = bytes.last, last != 0x0A { bytes.removeLast() }
        let lines = String(decoding: bytes, as: UTF8.self).utf8.split(separator: 0x0A).map { String(Substring($0)) }
        let isKnown = lines.first.map { $0.utf8.elementsEqual(title.utf8) } ?? false
        if isKnown {
            for line in lines.dropFirst() {
                let numbers = AlignmentRecord.numbers(line)
                if numbers.count == 1 { spoken.append(numbers[0]) }
                if numbers.count == 2 { heard.append((numbers[0], numbers[1])) }
            }
        }
        let isWhole =
            AlignmentRecord.frames(path + ".audio") >= heard.last?.frames ?? 0
            && AlignmentRecord.frames(path + ".text") >= AlignmentRecord.sum(spoken)
        if !isKnown || !isWhole {
            AlignmentRecord.remove(path)
            (heard, spoken) = ([], [])
            bytes = []
            pending = title + "\n"
        }
        file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
        if ftruncate(file.number, off_t(bytes.count)) != 0 { throw PosixError.last("cut " + path) }
    }

    private static func sum(_ frames: [Int]) -> Int { frames.reduce(0) { $0.addingSaturated($1) } }

    private static func frames(_ path: String) -> Int {
        Int(clamping: (try? FileStatus(path: path).bytes) ?? 0) / SpeechFeatures.bytes
    }

    /// Removes the files of an alignment.
    static func remove(_ path: String) {
        for end in ["", ".audio", ".text"] { _ = (path + end).withPath { unlink($0) } }
    }

    private static func numbers(_ line: String) -> [Int] {
        line.utf8.split(separator: 0x20).map { Int(clamping: Int64(digits: $0, most: 12) ?? 0) }
    }

    /// Opens the features of the recordings.
    func openAudio() throws(PosixError) -> FeatureFile {
        let least = heard.last?.frames ?? 0
        return try FeatureFile(keptAt: path + ".audio") { max(least, $0 - AlignmentRecord.overlapFrames) }
    }

    /// Opens the features of the spoken text.
    func openText() throws(PosixError) -> FeatureFile {
        let frames = AlignmentRecord.sum(spoken)
        return try FeatureFile(keptAt: path + ".text") { _ in frames }
    }

    func addHeard(frames: Int, highest: Int) throws(PosixError) {
        heard.append((frames, highest))
        pending += "\(frames) \(highest)\n"
        try flush()
    }

    func addSpoken(frames: Int) {
        spoken.append(frames)
        pending += "\(frames)\n"
    }

    /// Writes the additions. The features must be on the disk.
    func flush() throws(PosixError) {
        try file.writeAll(Array(pending.utf8))
        pending = ""
        if fdatasync(file.number) != 0 { throw PosixError.last("write " + path) }
    }
}
