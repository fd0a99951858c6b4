// SPDX-License-Identifier: Apache-2.0
import Alignment
import CPosix
import Posix

/// Features in a file without a name: they take no memory, and the kernel frees the file when the process ends, however it ends.
final class FeatureFile: FeatureReading {
    private let file: FileDescriptor
    private(set) var statistics = FeatureStatistics()
    private var pending: [UInt8] = []
    private var failure: PosixError?

    /// - Parameter path: an unused name in the folder of the file.
    init(path: String) throws(PosixError) {
        file = try FileDescriptor.open(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
        _ = path.withPath { unlink($0) }
    }

    var frameCount: Int { statistics.frameCount }
    var stream: FeatureStream { FeatureStream(self, statistics) }

    /// Appends whole frames.
    func append(_ frames: ArraySlice<UInt8>) throws(PosixError) {
        statistics.add(frames)
        pending += frames
        if pending.count >= 65_536 { try flush() }
    }

    func flush() throws(PosixError) {
        try file.writeAll(pending)
        pending.removeAll(keepingCapacity: true)
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
