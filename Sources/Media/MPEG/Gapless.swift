// SPDX-License-Identifier: Apache-2.0
/// libmpg123's cuts of a stream with an Info tag, so that it begins and ends like the recording.
struct Gapless: Equatable {
    /// Samples by which any layer III decoder lags behind its input.
    private static let decoderDelay: Int64 = 529

    /// Frames that the tag announces; frames behind them play whole. 0: nothing is cut.
    var frameCount: Int
    var encoderDelay: Int
    var encoderPadding: Int

    init(frameCount: Int, encoderDelay: Int, encoderPadding: Int) {
        self.frameCount = frameCount
        self.encoderDelay = encoderDelay
        self.encoderPadding = encoderPadding
    }

    init(_ tag: InfoTag?) {
        guard let tag, tag.kind != .vbri else {
            self.init(frameCount: 0, encoderDelay: 0, encoderPadding: 0)
            return
        }
        self.init(
            frameCount: tag.frameCount ?? 0, encoderDelay: tag.encoderDelay ?? 0,
            encoderPadding: tag.encoderPadding ?? 0)
    }

    /// Samples heard of the frames that the tag announces; 0 where it announces none.
    func heardAnnounced(samplesPerFrame: Int) -> Int64 {
        heardSamples(
            frames: frameCount, samples: Int64(frameCount) * Int64(samplesPerFrame), samplesPerFrame: samplesPerFrame)
    }

    /// Samples heard of a stream of `frames` frames, `samples` in all.
    func heardSamples(frames: Int, samples: Int64, samplesPerFrame: Int) -> Int64 {
        guard frameCount > 0 else { return samples }
        let begin = Int64(encoderDelay) + Gapless.decoderDelay
        let announced = Int64(frameCount) * Int64(samplesPerFrame)
        let end = announced - Int64(encoderPadding) + Gapless.decoderDelay
        let extra = frames > frameCount ? samples - announced : 0
        return max(0, min(samples, announced, end > 0 ? end : announced) - begin) + max(0, extra)
    }
}
