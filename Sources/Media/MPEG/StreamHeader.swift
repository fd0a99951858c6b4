/// What the first bytes of a stream tell: its format, and how long it plays.
public struct StreamHeader: Sendable {
    /// The first frame's.
    public let header: FrameHeader
    public let infoTag: InfoTag?
    /// Offset of the first frame from the start of the audio.
    public let firstFrameOffset: Int64
    /// As long as it plays, or about that.
    public let durationMilliseconds: Int
    /// The duration is what the encoder counted, and no guess from lengths and rates.
    public let isDurationExact: Bool

    /// Bytes from the start of the audio that are enough for an ordinary file.
    public static let usualBytes = 16 * 1024

    /// - Parameters:
    ///   - bytes: the beginning of the audio, the more the better where there is no tag.
    ///   - audioBytes: length of the whole audio.
    /// - Returns: nil where no frame, confirmed by a following one, stands there.
    public init?(_ bytes: UnsafeRawBufferPointer, audioBytes: Int64) {
        var walker = FrameWalker()
        walker.consume(bytes)
        self.init(walker, audioBytes: audioBytes)
    }

    /// As above, with what a walk of the beginning has found.
    public init?(_ walker: FrameWalker, audioBytes: Int64) {
        guard let header = walker.firstHeader else { return nil }
        self.header = header
        infoTag = walker.infoTag
        firstFrameOffset = walker.firstFrameOffset
        let rate = Int64(header.sampleRate)
        let streamBytes = max(0, audioBytes - firstFrameOffset)

        if let infoTag, let frames = infoTag.frameCount, frames > 0 {
            let samples = Int64(frames) * Int64(header.samplesPerFrame)
            let heard = Gapless(infoTag).heardSamples(
                frames: frames, samples: samples, samplesPerFrame: header.samplesPerFrame)
            let milliseconds = (heard * 1000 + rate / 2) / rate
            // Cut short, or something was put after it: the tag tells of another length.
            let told = infoTag.byteCount ?? streamBytes
            let isWhole = abs(told - streamBytes) <= 256 + told / 1000
            let share = told > 0 && !isWhole ? Double(streamBytes) / Double(told) : 1
            durationMilliseconds = Int(clamping: Int64(min(Double(milliseconds) * share, 1e15)))
            isDurationExact = isWhole && infoTag.kind != .vbri && infoTag.byteCount != nil
            return
        }
        isDurationExact = false
        if walker.isConstantRate, let bitrate = header.bitrate {
            durationMilliseconds = Int(clamping: Int64(min(Double(streamBytes) * 8000 / Double(bitrate), 1e15)))
        } else {
            // The mean of the frames seen.
            let perFrame = walker.frames > 0 ? Double(walker.spanBytes) / Double(walker.frames) : 0
            let frames = perFrame > 0 ? Double(streamBytes) / perFrame : 0
            durationMilliseconds = Int(
                clamping: Int64(min(frames * Double(header.samplesPerFrame) * 1000 / Double(rate), 1e15)))
        }
    }
}
