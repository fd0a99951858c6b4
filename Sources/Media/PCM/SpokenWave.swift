// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// The output of a speech program: a WAV from a pipe, or bare samples.
public struct SpokenWave {
    /// The longest sentence.
    private static let mostSeconds: Int64 = 30
    /// The level below which speech has not begun.
    private static let quiet: Int16 = 64

    /// The sample rate, in Hz.
    public let rate: Int
    public let channels: Int
    /// The interleaved samples, from the first audible one on.
    public let samples: [Int16]

    /// - Parameter bareRate: the rate of bare samples, in Hz: 16 bits, little-endian, one channel.
    /// - Throws: if it is empty, or in an unknown form.
    public init(_ bytes: [UInt8], bareRate: Int) throws(MediaError) {
        var layout = PCMLayout(
            start: 0, byteCount: Int64(bytes.count), rate: bareRate, channels: 1,
            encoding: SampleEncoding(.signed, bits: 16)!)
        if PCMFile.isWave(bytes) { layout = try PCMFile(MediaHead(BytesSource(bytes))).layout() }
        let frames = Int(min(layout.frameCount, SpokenWave.mostSeconds * Int64(layout.rate)))
        let count = frames * layout.channels
        var all = [Int16](repeating: 0, count: count)
        bytes.withUnsafeBytes { from in
            all.withUnsafeMutableBufferPointer { to in
                // The layout has limited start and length to the bytes.
                guard let base = from.baseAddress, let first = to.baseAddress else { return }
                layout.encoding.convert(base + Int(layout.start), to: first, count: count)
            }
        }
        guard let wave = SpokenWave(all, rate: layout.rate, channels: layout.channels) else { throw .noAudio }
        self = wave
    }

    /// Returns nil for silence.
    /// - Parameter all: the interleaved samples, with the silence before speech.
    public init?(_ all: [Int16], rate: Int, channels: Int) {
        guard channels > 0, let first = all.firstIndex(where: { abs(Int32($0)) > Int32(SpokenWave.quiet) }) else {
            return nil
        }
        self.rate = rate
        self.channels = channels
        samples = Array(all[(first - first % channels)...])
    }
}

/// Bytes in memory.
private final class BytesSource: ByteSource {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var byteCount: Int64? { Int64(bytes.count) }
    var isSeekable: Bool { true }

    func readyBytes(at offset: Int64, most: Int) -> Int? { available(at: offset, most: most) }

    func available(at offset: Int64, most: Int) -> Int {
        Int(max(0, min(Int64(most), Int64(bytes.count).subtractingSaturated(max(0, offset)))))
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceError) -> Int {
        let count = available(at: offset, most: buffer.count)
        if count > 0 { buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + count]) }
        return count
    }
}
