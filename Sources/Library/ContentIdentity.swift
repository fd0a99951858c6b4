import CXXHash
import Core

/// Knows an item by its audio: how many bytes it has, tags left out, and a hash over samples of them. Renaming, moving and
/// retagging a file leave it as it is.
///
/// The samples are 8 pieces of 4 KiB, the first at the start of the audio, the last at its end, the others evenly between
/// (the whole audio where it is no longer than the 8 together); their bytes in order are hashed by XXH64 with the length as
/// seed (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md). So a file of 300 MB costs 32 KiB of reading. The
/// hash tells contents apart; it is no defence against someone who wants two files to look the same.
public struct ContentIdentity: Hashable, Sendable {
    public let hash: UInt64
    /// Length of the audio, tags left out.
    public let audioBytes: Int64

    static let sampleBytes: Int64 = 4096
    static let sampleCount: Int64 = 8

    public init(hash: UInt64, audioBytes: Int64) {
        self.hash = hash
        self.audioBytes = audioBytes
    }

    /// Reads the samples; on any thread, and blocking as `read` does.
    /// - Parameters:
    ///   - audioStart: offset of the first byte after the tags at the start.
    ///   - audioEnd: offset of the first byte of the tags at the end, or the file's length.
    ///   - read: fills the buffer from an offset of the file; returns how many bytes it could, below 0 for an error.
    /// - Returns: nil where there is no audio, or not all of a sample could be read.
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
        hash = xxHash64(samples, seed: UInt64(length))
        audioBytes = length
    }
}

/// XXH64.
func xxHash64(_ bytes: [UInt8], seed: UInt64) -> UInt64 {
    bytes.withUnsafeBytes { ns_xxh64($0.baseAddress, $0.count, seed) }
}
