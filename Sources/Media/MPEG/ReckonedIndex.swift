// SPDX-License-Identifier: Apache-2.0
/// Estimates about the missing rest of a stream, from its beginning.
extension FrameStream {
    /// The least number of frames for an estimate.
    private static let leastFrames = 50
    /// The most recorded places.
    private static let mostOffsets: Int64 = 4096

    /// The number of bytes for a second of playback; nil before a frame was found.
    public var secondBytes: Int? {
        guard let header else { return nil }
        let rate = Int64(header.sampleRate)
        let samples = Int64(header.samplesPerFrame)
        if let tag = infoTag, let frames = tag.frameCount, frames > 0, let bytes = tag.byteCount,
            bytes < 1 << 40
        {
            return Int(clamping: bytes * rate / (Int64(frames) * samples))
        }
        return seenFrames > 0 ? Int(clamping: seenBytes * rate / (seenFrames * samples)) : nil
    }

    /// Computes the places of the frames in a stream of constant bit rate. If all frames so far have that rate's length, later ones have
    /// it, too. Returns nil for other streams, which need a walk. Offsets lie slightly before their frames.
    /// - Parameter audioBytes: the length of the whole stream.
    public func reckonedIndex(audioBytes: Int64) -> FrameIndex? {
        guard let header, let seen = index(), let first = seen.offsets.first, let bitrate = header.bitrate,
            header.layer != 1, isConstantRate, seenFrames >= FrameStream.leastFrames,
            infoTag == nil || infoTag?.kind == .info, first < audioBytes, audioBytes < 1 << 40
        else { return nil }
        // A frame has `over / under` bytes. Some encoders add a byte to some frames so that the average is exact; others add none.
        var over = Int64(seen.samplesPerFrame) * Int64(bitrate)
        var under = 8 * Int64(seen.sampleRate)
        if abs(seenBytes - seenFrames * over / under) > 1 {
            over /= under
            under = 1
            if seenBytes != seenFrames * over { return nil }
        }
        let frameBytes = over / under
        guard frameBytes > 0 else { return nil }
        let all = (audioBytes - first) * under / over
        guard all > 0, all < 1 << 30 else { return nil }
        let step = all / FrameStream.mostOffsets + 1
        var offsets: [Int64] = []
        for frame in stride(from: 0, to: all, by: Int(step)) {
            offsets.append(first + (frame == 0 ? 0 : frame * over / under - frameBytes / 4))
        }
        return FrameIndex(
            step: Int(step), offsets: offsets, frameCount: Int(all), samplesPerFrame: seen.samplesPerFrame,
            sampleRate: seen.sampleRate, decodedSamples: all * Int64(seen.samplesPerFrame), audioBytes: audioBytes,
            gapless: seen.gapless)
    }
}
