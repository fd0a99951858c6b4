// SPDX-License-Identifier: Apache-2.0
/// libmpg123's cuts for a stream with an Info tag, so that it begins and ends like the original.
struct Gapless: Equatable {
    /// The delay of any layer III decoder, in samples.
    private static let decoderDelay: Int64 = 529

    /// The number of frames announced by the tag; later frames play completely. 0 cuts nothing.
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

    /// Returns the audible samples of the announced frames; 0 if none are announced.
    func heardAnnounced(samplesPerFrame: Int) -> Int64 {
        heardSamples(
            frames: frameCount, samples: Int64(frameCount) * Int64(samplesPerFrame), samplesPerFrame: samplesPerFrame)
    }

    /// Returns the audible samples of a stream of `frames` frames with `samples` samples.
    func heardSamples(frames: Int, samples: Int64, samplesPerFrame: Int) -> Int64 {
        guard frameCount > 0 else { return samples }
        let begin = Int64(encoderDelay) + Gapless.decoderDelay
        let announced = Int64(frameCount) * Int64(samplesPerFrame)
        let end = announced - Int64(encoderPadding) + Gapless.decoderDelay
        let extra = frames > frameCount ? samples - announced : 0
        return max(0, min(samples, announced, end > 0 ? end : announced) - begin) + max(0, extra)
    }
}
