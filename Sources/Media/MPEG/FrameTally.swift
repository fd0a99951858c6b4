// SPDX-License-Identifier: Apache-2.0
/// Counts the frames that a gate passes, and notes where every so many-th lies.
///
/// Frames, numbers and offsets are those that libmpg123 finds in what it is given (`mpg123_scan`): a frame that the end cuts short does not
/// count, and neither does the first where it carries a Xing or Info tag. Holds at most 12,288 offsets.
struct FrameTally {
    private static let offsetLimit = 12_288

    /// The first frame's header; nil until there is one.
    private(set) var first: FrameHeader?
    /// The encoder's facts about the stream, known with the first header.
    private(set) var infoTag: InfoTag?
    /// Offset of the first frame, that with the tag if there is one.
    private var firstFrameOffset: Int64 = 0

    /// 0: none is noted.
    private var step: Int
    private(set) var offsets: [Int64] = []
    /// Frames until the next that belongs into `offsets`.
    private(set) var framesToOffset: Int
    /// The last may not have come whole.
    private(set) var frameCount = 0
    /// Bits that were not the same in all headers.
    private var headerChanges: UInt32 = 0
    /// Samples found, by sample rate.
    private var samples = [Int64](repeating: 0, count: 9)
    /// Samples of one frame of the kind that comes now, its sample rate's index, and how many of it are not in `samples` yet.
    private var kindSamples = 0
    private var kindRate = 0
    private var kindFrames = 0

    init(every step: Int = 0) {
        self.step = step
        framesToOffset = step > 0 ? 0 : .max
    }

    /// Frames of another kind than before begin with this one, which is not counted yet; or some were passed over before it.
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

    /// Notes the offset of every n-th frame. Returns how many there are to the next, this one included.
    mutating func note(_ offset: Int64) -> Int {
        if offsets.count == FrameTally.offsetLimit {
            for i in 0..<offsets.count / 2 { offsets[i] = offsets[i * 2] }
            offsets.removeLast(offsets.count - offsets.count / 2)
            step *= 2
        }
        // With an even limit the frame in hand is one that the doubled step wants too.
        offsets.append(offset)
        return step
    }

    /// - Parameters:
    ///   - changes: bits in which their headers are other than the first.
    ///   - framesToOffset: behind them.
    mutating func count(_ frames: Int, changes: UInt32, framesToOffset: Int) {
        frameCount += frames
        kindFrames += frames
        headerChanges |= changes
        self.framesToOffset = framesToOffset
    }

    // MARK: What was found

    /// All headers so far have had one bit rate.
    var isConstantRate: Bool { headerChanges & 0xF000 == 0 }

    /// Samples that the frames found so far decode to, delay not yet cut, at the first frame's rate.
    var decodedSamples: Int64 {
        guard let rate = first?.sampleRate else { return 0 }
        var total: Int64 = 0
        for (index, count) in samples.enumerated() {
            let all = count + (index == kindRate ? Int64(kindFrames) * Int64(kindSamples) : 0)
            total += all * Int64(rate) / Int64(FrameHeader.sampleRate(at: index))
        }
        return total
    }

    /// Nil where there is no whole frame, or none was to be noted.
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

    /// The playing time by the encoder's count; nil where it did not, or where the stream is no longer as it wrote it: cut short, or with
    /// something put behind it.
    /// - Parameter audioBytes: length of the whole audio.
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
