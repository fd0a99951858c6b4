// SPDX-License-Identifier: Apache-2.0
/// The content of a deck's ring.
public enum DeckInput: BitwiseCopyable, Sendable {
    /// Bytes of a stream that the audio thread decodes during playback: for decoders that neither wait nor allocate (MPEG).
    case compressed
    /// Frames that another thread decoded ahead, as a `FrameRing`.
    case frames(channels: Int)
}
