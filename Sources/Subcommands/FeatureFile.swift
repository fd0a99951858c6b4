// SPDX-License-Identifier: Apache-2.0
import Alignment
import CPosix
import Posix

/// Features in a file, so that they take no memory. The kernel frees an unnamed file when the process ends, in any way; a kept file is
/// there for the next run.
final class FeatureFile: FeatureReading {
    private let file: FileDescriptor
    private let isKept: Bool
    private(set) var statistics = FeatureStatistics()
    private var pending: [UInt8] = []
    private var failure: PosixError?

    private static let flushBytes = 65_536

    /// Makes an unnamed file.
    /// - Parameter path: an unused name in the folder of the file.
    init(path: String) throws(PosixError) {
        file = try FileDescriptor.open(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
        isKept = false
        _ = path.withPath { unlink($0) }
    }

    /// Opens a kept file, or makes it.
    /// - Parameter frames: returns how many of the file's frames still count.
    init(keptAt path: String, frames: (Int) -> Int) throws(PosixError) {
        file = try FileDescriptor.open(path, O_RDWR | O_CREAT, mode: 0o600)
        isKept = true
        let bytes = SpeechFeatures.bytes
        let there = Int(clamping: try FileStatus(path: path).bytes) / bytes
        let count = max(0, min(there, frames(there)))
        if ftruncate(file.number, off_t(count * bytes)) != 0 { throw PosixError.last("cut " + path) }
        while frameCount < count {
            let part = self.bytes(ofFrames: frameCount..<min(count, frameCount + FeatureFile.flushBytes / bytes))
            if part.isEmpty { break }
            statistics.add(part[...])
        }
        try check()
        if lseek(file.number, 0, SEEK_END) < 0 { throw PosixError.last("go to the end of " + path) }
    }

    var frameCount: Int { statistics.frameCount }
    var stream: FeatureStream { FeatureStream(self, statistics) }

    /// Appends whole frames.
    func append(_ frames: ArraySlice<UInt8>) throws(PosixError) {
        statistics.add(frames)
        pending += frames
        if pending.count >= FeatureFile.flushBytes { try flush() }
    }

    /// Brings all frames into the file; those of a kept file to the disk.
    func flush() throws(PosixError) {
        try file.writeAll(pending)
        pending.removeAll(keepingCapacity: true)
        if isKept, fdatasync(file.number) != 0 { throw PosixError.last("write features") }
    }

    func bytes(ofFrames range: Range<Int>) -> [UInt8] {
        let width = SpeechFeatures.bytes
        do throws(PosixError) {
            return try file.read(range.count * width, at: Int64(range.lowerBound) * Int64(width))
        } catch {
            failure = error
            return []
        }
    }

    /// Throws the error of the last read, if there was one.
    func check() throws(PosixError) { if let failure { throw failure } }
}
