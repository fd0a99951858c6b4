// SPDX-License-Identifier: Apache-2.0
import Posix

/// An hour of the alarm tone as a WAV file: three short beeps a second. It needs no file, so it plays even if every disk is missing.
final class ToneSource: ByteSource {
    private static let rate = 22_050
    private static let headBytes = 44
    private static let soundBytes = 3600 * secondBytes
    /// The bytes of a second, at 16 bits a sample.
    private static let secondBytes = rate * 2

    private let head: [UInt8]
    private let second: [UInt8]

    init() {
        head = ToneSource.head
        second = ToneSource.second
    }

    var byteCount: Int64? { Int64(ToneSource.headBytes + ToneSource.soundBytes) }
    var isSeekable: Bool { true }
    func readyBytes(at offset: Int64, most: Int) -> Int? { most }
    func available(at offset: Int64, most: Int) -> Int { most }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceError) -> Int {
        let end = ToneSource.headBytes + ToneSource.soundBytes
        guard offset >= 0, offset < Int64(end) else { return 0 }
        let start = Int(offset)
        let count = min(buffer.count, end - start)
        for index in 0..<count {
            let at = start + index - ToneSource.headBytes
            buffer[index] = at < 0 ? head[start + index] : second[at % ToneSource.secondBytes]
        }
        return count
    }

    private static var head: [UInt8] {
        var bytes = Array("RIFF".utf8)
        func append(_ number: Int, bytes count: Int) {
            for byte in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (byte * 8))) }
        }
        append(headBytes - 8 + soundBytes, bytes: 4)
        bytes += Array("WAVEfmt ".utf8)
        append(16, bytes: 4)
        // PCM, one channel.
        append(1, bytes: 2)
        append(1, bytes: 2)
        append(rate, bytes: 4)
        append(secondBytes, bytes: 4)
        append(2, bytes: 2)
        append(16, bytes: 2)
        bytes += Array("data".utf8)
        append(soundBytes, bytes: 4)
        return bytes
    }

    private static var second: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(secondBytes)
        for at in 0..<rate {
            // The times in thousandths of a second: beeps and pauses last an eighth, with edges of five.
            let millisecond = at * 1000 / rate
            let inBeep = millisecond % 200
            let isBeep = millisecond < 600 && inBeep < 125
            let level = isBeep ? min(5, inBeep, 125 - inBeep) * 6400 : 0
            // Parabolic arcs of 1000 Hz approximate a sine. Their overtones make the tone audible to more ears.
            let phase = Int(Int64(at) * 1000 * 512 / Int64(rate) % 512)
            let part = phase % 256
            let arc = part * (256 - part)
            let sample = Int(Int64(level) * Int64(phase < 256 ? arc : -arc) / 16_384)
            bytes.append(UInt8(truncatingIfNeeded: sample))
            bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
        }
        return bytes
    }
}
