// SPDX-License-Identifier: Apache-2.0
/// Counts the frames that a gate passes, and records the place of every n-th one.
///
/// Numbers and offsets match libmpg123's (`mpg123_scan`): a truncated last frame does not count, nor does a first frame with a Xing or Info
/// tag. Stores at most 12,288 offsets.
struct FrameTally {
    private static let offsetLimit = 12_288

    /// The first frame's header; nil until there is one.
    private(set) var first: FrameHeader?
    /// The encoder's facts about the stream, known with the first header.
    private(set) var infoTag: InfoTag?
    /// The offset of the first frame, including a frame with the tag.
    private var firstFrameOffset: Int64 = 0

    /// The distance of recorded frames; 0 records none.
    private var step: Int
    private(set) var offsets: [Int64] = []
    /// The number of frames until the next one to record.
    private(set) var framesToOffset: Int
    /// The number of frames; the last may be incomplete.
    private(set) var frameCount = 0
    /// The header bits that differed in some frame.
    private var headerChanges: UInt32 = 0
    /// The number of samples, by sample rate.
    private var samples = [Int64](repeating: 0, count: 9)
    /// The samples in a frame of the present kind, the index of its sample rate, and the number of its frames not yet in `samples`.
    private var kindSamples = 0
    private var kindRate = 0
    private var kindFrames = 0

    init(every step: Int = 0) {
        self.step = step
        framesToOffset = step > 0 ? 0 : .max
    }

    /// Begins frames of another kind, or after a gap, with this frame, which is not counted yet.
    mutating func begin(_ header: FrameHeader, at offset: Int64, _ body: UnsafeRawBufferPointer, _ bodyBytes: Int) {
        samples[kindRate] += Int64(kindFrames) * Int64(kindSamples)
        kindFrames = 0
        kindSamples = header.samplesPerFrame
        kindRate = header.sampleRateIndex
        if first != nil { return }
        first = header
        firstFrameOffset = offset
        infoTag = InfoTag(header, body: body, bodyBytes: bodyBytes)
        guard let infoTag, infoTag.kind != .vbri else { return }
        (frameCount, kindFrames) = (-1, -1)
        if step > 0 { framesToOffset = 1 }
    }

    /// Records the offset of a frame. Returns the number of frames to the next recorded one, including this one.
    mutating func note(_ offset: Int64) -> Int {
        if offsets.count == FrameTally.offsetLimit {
            for i in 0..<offsets.count / 2 { offsets[i] = offsets[i * 2] }
            offsets.removeLast(offsets.count - offsets.count / 2)
            step *= 2
        }
        // The limit is even, so the doubled step includes this frame, too.
        offsets.append(offset)
        return step
    }

    /// - Parameters:
    ///   - changes: the bits in which their headers differ from the first.
    ///   - framesToOffset: the number of frames after them until the next recorded one.
    mutating func count(_ frames: Int, changes: UInt32, framesToOffset: Int) {
        frameCount += frames
        kindFrames += frames
        headerChanges |= changes
        self.framesToOffset = framesToOffset
    }

    // MARK: What was found

    /// True if all headers so far have the same bit rate.
    var isConstantRate: Bool { headerChanges & 0xF000 == 0 }

    /// The number of decoded samples so far, including the delay, at the first frame's rate.
    var decodedSamples: Int64 {
        guard let rate = first?.sampleRate else { return 0 }
        var total: Int64 = 0
        for (index, count) in samples.enumerated() {
            let all = count + (index == kindRate ? Int64(kindFrames) * Int64(kindSamples) : 0)
            total += all * Int64(rate) / Int64(FrameHeader.sampleRate(at: index))
        }
        return total
    }

    /// Returns nil without a complete frame, or without recording.
    func index(audioBytes: Int64, isLastCut: Bool) -> FrameIndex? {
        var whole = self
        if isLastCut && frameCount > 0 {
            whole.frameCount -= 1
            whole.kindFrames -= 1
            if (offsets.count - 1) * step == whole.frameCount { whole.offsets.removeLast() }
        }
        guard let first, whole.frameCount > 0, step > 0 else { return nil }
        return FrameIndex(
            step: step, offsets: whole.offsets, frameCount: whole.frameCount,
            samplesPerFrame: first.samplesPerFrame, sampleRate: first.sampleRate,
            decodedSamples: whole.decodedSamples, audioBytes: audioBytes, gapless: Gapless(infoTag))
    }

    /// Returns the duration by the encoder's count; nil without one, or if the stream was changed later: truncated, or extended.
    /// - Parameter audioBytes: the length of the whole audio.
    func toldMilliseconds(audioBytes: Int64) -> Int? {
        guard let first, let infoTag, infoTag.kind != .vbri, let bytes = infoTag.byteCount,
            let frames = infoTag.frameCount, frames > 0,
            abs(bytes - max(0, audioBytes - firstFrameOffset)) <= 256 + bytes / 1000
        else { return nil }
        let samples = Int64(frames) * Int64(first.samplesPerFrame)
        let heard = Gapless(infoTag).heardSamples(
            frames: frames, samples: samples, samplesPerFrame: first.samplesPerFrame)
        let rate = Int64(first.sampleRate)
        return Int(clamping: (heard * 1000 + rate / 2) / rate)
    }
}
