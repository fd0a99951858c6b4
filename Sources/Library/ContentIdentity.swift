// SPDX-License-Identifier: Apache-2.0
import CXXHash
import Core
import Model

extension ContentIdentity {
    static let sampleBytes: Int64 = 4096
    static let sampleCount: Int64 = 8

    /// Reads the samples; on any thread. It blocks as `read` does.
    /// - Parameters:
    ///   - audioStart: offset of the first byte after the tags at the start.
    ///   - audioEnd: offset of the first byte of the tags at the end, or the file's length.
    ///   - read: fills the buffer from an offset of the file; returns the number of bytes read, negative for an error.
    /// - Returns: nil without audio, or if a sample is incomplete.
    public init?(
        audioStart: Int64, audioEnd: Int64, read: (_ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) -> Int
    ) {
        guard audioStart >= 0, let length = audioEnd.subtractingExactly(audioStart), length > 0 else { return nil }
        let isShort = length <= ContentIdentity.sampleBytes * ContentIdentity.sampleCount
        let pieces = isShort ? 1 : ContentIdentity.sampleCount
        let pieceBytes = isShort ? length : ContentIdentity.sampleBytes
        var samples = [UInt8](repeating: 0, count: Int(pieces * pieceBytes))
        var isWhole = true
        samples.withUnsafeMutableBytes { buffer in
            for piece in 0..<pieces {
                // Divided first, so that no length can overflow; the last piece ends where the audio ends.
                let room = length - pieceBytes
                let offset = piece == pieces - 1 ? room : room / max(1, pieces - 1) * piece
                let part = UnsafeMutableRawBufferPointer(
                    rebasing: buffer[Int(piece * pieceBytes)..<Int((piece + 1) * pieceBytes)])
                if read(audioStart + offset, part) != part.count { isWhole = false }
            }
        }
        guard isWhole else { return nil }
        self.init(hash: xxHash64(samples, seed: UInt64(length)), audioBytes: length)
    }
}

/// XXH64.
func xxHash64(_ bytes: [UInt8], seed: UInt64) -> UInt64 {
    bytes.withUnsafeBytes { ns_xxh64($0.baseAddress, $0.count, seed) }
}
