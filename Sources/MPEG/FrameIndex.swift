/// Where the frames of a stream lie, and how many there are: enough to jump to any sample and to know the true duration.
public struct FrameIndex: Equatable, Sendable {
    /// Frames from one offset to the next.
    public var step: Int
    /// Of frame 0, `step`, 2 · `step`…, in bytes from the start of the audio; never falling.
    public var offsets: [Int64]
    public var frameCount: Int
    public var samplesPerFrame: Int
    /// Hz.
    public var sampleRate: Int
    /// As the encoder told; nil where it did not.
    public var delaySamples: Int?
    public var paddingSamples: Int?
    public var taggedFrameCount: Int?

    /// libmpg123's decoder adds this delay to the encoder's, and takes it off the padding.
    private static let decoderDelaySamples = 529

    public init(
        step: Int, offsets: [Int64], frameCount: Int, samplesPerFrame: Int, sampleRate: Int, delaySamples: Int? = nil,
        paddingSamples: Int? = nil, taggedFrameCount: Int? = nil
    ) {
        self.step = step
        self.offsets = offsets
        self.frameCount = frameCount
        self.samplesPerFrame = samplesPerFrame
        self.sampleRate = sampleRate
        self.delaySamples = delaySamples
        self.paddingSamples = paddingSamples
        self.taggedFrameCount = taggedFrameCount
    }

    /// Per channel, as played: without what the encoder put around the audio, where it told.
    public var totalSamples: Int64 {
        let all = Int64(frameCount) * Int64(samplesPerFrame)
        guard let delaySamples, let paddingSamples, let taggedFrameCount else { return all }
        let begin = Int64(delaySamples + FrameIndex.decoderDelaySamples)
        let behind = Int64(max(0, paddingSamples - FrameIndex.decoderDelaySamples))
        let tagged = Int64(taggedFrameCount) * Int64(samplesPerFrame) - behind
        return max(0, min(all, tagged) - begin)
    }

    public var durationMilliseconds: Int { sampleRate == 0 ? 0 : Int(totalSamples * 1000 / Int64(sampleRate)) }

    // MARK: Storage

    private static let formatVersion: UInt8 = 1

    /// A version byte, the numbers and the differences of the offsets as LEB128, a checksum (FNV-1a, 32 bits).
    public func encoded() -> [UInt8] {
        var bytes: [UInt8] = [FrameIndex.formatVersion]
        func put(_ value: Int64) {
            var rest = UInt64(bitPattern: value)
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
        for value in [step, frameCount, samplesPerFrame, sampleRate] { put(Int64(value)) }
        for value in [delaySamples, paddingSamples, taggedFrameCount] { put(Int64((value ?? -1) + 1)) }
        put(Int64(offsets.count))
        var last: Int64 = 0
        for offset in offsets {
            put(offset - last)
            last = offset
        }
        let sum = FrameIndex.checksum(bytes)
        for i in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: sum >> (8 * i))) }
        return bytes
    }

    /// Nil for anything but what `encoded` gave.
    public init?(encoded bytes: [UInt8]) {
        guard bytes.count > 5, bytes[0] == FrameIndex.formatVersion else { return nil }
        let body = bytes.count - 4
        var sum: UInt32 = 0
        for i in 0..<4 { sum |= UInt32(bytes[body + i]) << (8 * i) }
        guard sum == FrameIndex.checksum(bytes[..<body]) else { return nil }
        var at = 1
        func next() -> Int64? {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while at < body, shift < 63 {
                let byte = bytes[at]
                at += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return Int64(bitPattern: value) }
                shift += 7
            }
            return nil
        }
        guard let step = next(), let frames = next(), let samples = next(), let rate = next(), let delay = next(),
            let padding = next(), let tagged = next(), let count = next(), step > 0, step < 1 << 20, frames > 0,
            frames < 1 << 40, samples > 0, samples <= 1152, rate > 0, rate <= 48000, delay < 1 << 20, padding < 1 << 20,
            tagged < 1 << 40, count >= 0, count <= Int64(body - at)
        else { return nil }
        var offsets: [Int64] = []
        offsets.reserveCapacity(Int(count))
        var last: Int64 = 0
        for _ in 0..<count {
            guard let difference = next(), difference >= 0, difference < 1 << 40 else { return nil }
            last += difference
            offsets.append(last)
        }
        self.init(
            step: Int(step), offsets: offsets, frameCount: Int(frames), samplesPerFrame: Int(samples),
            sampleRate: Int(rate), delaySamples: delay == 0 ? nil : Int(delay - 1),
            paddingSamples: padding == 0 ? nil : Int(padding - 1),
            taggedFrameCount: tagged == 0 ? nil : Int(tagged - 1))
    }

    private static func checksum<Bytes: Sequence>(_ bytes: Bytes) -> UInt32 where Bytes.Element == UInt8 {
        bytes.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}
