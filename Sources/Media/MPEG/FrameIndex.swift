// SPDX-License-Identifier: Apache-2.0
/// The places of a stream's frames, and its length, from a walk over all frame headers.
///
/// Numbers and offsets are those of libmpg123, so that `offsets` and `step` can be given to `mpg123_set_index`.
public struct FrameIndex: Equatable, Sendable {
    /// The step between recorded frames: `offsets[i]` belongs to frame `i * step`.
    public var step: Int
    /// The offsets from the first byte of the audio.
    public var offsets: [Int64]
    /// The number of complete frames, without a frame that is only a Xing or Info tag.
    public var frameCount: Int
    /// The samples of the first frame.
    public var samplesPerFrame: Int
    /// The sample rate of the first frame, in Hz.
    public var sampleRate: Int
    /// The samples per channel in all frames, before delay and padding are cut. If the sample rate changes, they are converted to that of
    /// the first frame.
    public var decodedSamples: Int64
    /// The number of bytes in the walk.
    public var audioBytes: Int64
    var gapless: Gapless

    init(
        step: Int, offsets: [Int64], frameCount: Int, samplesPerFrame: Int, sampleRate: Int, decodedSamples: Int64,
        audioBytes: Int64, gapless: Gapless
    ) {
        self.step = step
        self.offsets = offsets
        self.frameCount = frameCount
        self.samplesPerFrame = samplesPerFrame
        self.sampleRate = sampleRate
        self.decodedSamples = decodedSamples
        self.audioBytes = audioBytes
        self.gapless = gapless
    }

    /// Returns the samples to skip before `sample` after a jump of libmpg123. It jumps to the exact sample within the frames announced by
    /// the Info tag. After those, as in two joined MP3s, it jumps to the border of a frame.
    public func samplesLeftToSkip(to sample: Int64) -> Int64 {
        let behind = sample - gapless.heardAnnounced(samplesPerFrame: samplesPerFrame)
        return gapless.frameCount > 0 && behind > 0 ? behind % Int64(max(1, samplesPerFrame)) : 0
    }

    /// The audible samples per channel, without delay and padding: exactly libmpg123's output.
    public var totalSamples: Int64 {
        gapless.heardSamples(frames: frameCount, samples: decodedSamples, samplesPerFrame: samplesPerFrame)
    }

    /// The duration, rounded to the nearest.
    public var durationMilliseconds: Int {
        Int(clamping: (totalSamples * 1000 + Int64(sampleRate) / 2) / Int64(sampleRate))
    }

    // MARK: Storage

    private static let formatVersion: UInt8 = 1

    /// Returns the stored form: a version, variable-length numbers, the offsets as changes of their distance (about two bytes each), and a
    /// checksum.
    public func encoded() -> [UInt8] {
        var bytes: [UInt8] = [FrameIndex.formatVersion]
        bytes.reserveCapacity(64 + offsets.count * 3)
        for value in [
            Int64(step), Int64(frameCount), Int64(samplesPerFrame), Int64(sampleRate), decodedSamples, audioBytes,
            Int64(gapless.frameCount), Int64(gapless.encoderDelay), Int64(gapless.encoderPadding), Int64(offsets.count),
        ] {
            bytes.append(number: UInt64(bitPattern: value))
        }
        var last: Int64 = 0
        var lastDistance: Int64 = 0
        for offset in offsets {
            let distance = offset &- last
            let change = distance &- lastDistance
            bytes.append(number: UInt64(bitPattern: change &<< 1 ^ change &>> 63))
            last = offset
            lastDistance = distance
        }
        return bytes.sealed()
    }

    /// Returns nil if the bytes are damaged, truncated, of another version, or contradictory.
    public init?(encoded bytes: [UInt8]) {
        guard let end = bytes.unsealedCount(version: FrameIndex.formatVersion) else { return nil }
        let index = bytes.withUnsafeBytes { FrameIndex(numbers: StoredNumbers($0[1..<end])) }
        guard let index else { return nil }
        self = index
    }

    private init?(numbers: consuming StoredNumbers) {
        guard let step = numbers.next(1 << 30), step > 0, let frameCount = numbers.next(1 << 30), frameCount > 0,
            let samplesPerFrame = numbers.next(1152), samplesPerFrame > 0,
            let sampleRate = numbers.next(48_000), sampleRate > 0,
            let decodedSamples = numbers.next(1 << 48), let audioBytes = numbers.next(1 << 48),
            let gaplessFrames = numbers.next(Int64(UInt32.max)),
            let delay = numbers.next(4095), let padding = numbers.next(4095),
            let count = numbers.next(Int64(numbers.bytesLeft)), count == (frameCount + step - 1) / step
        else { return nil }
        var last: Int64 = 0
        var distance: Int64 = 0
        let offsets = [Int64](unsafeUninitializedCapacity: Int(count)) { room, filled in
            while filled < Int(count) {
                guard let raw = numbers.next() else { return }
                distance &+= Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1)
                guard distance >= (filled == 0 ? 0 : 1), distance <= audioBytes - last else { return }
                last += distance
                room[filled] = last
                filled += 1
            }
        }
        guard offsets.count == Int(count), numbers.bytesLeft == 0 else { return nil }
        self.init(
            step: Int(step), offsets: offsets, frameCount: Int(frameCount), samplesPerFrame: Int(samplesPerFrame),
            sampleRate: Int(sampleRate), decodedSamples: decodedSamples, audioBytes: audioBytes,
            gapless: Gapless(
                frameCount: Int(clamping: gaplessFrames), encoderDelay: Int(delay), encoderPadding: Int(padding)))
    }
}
