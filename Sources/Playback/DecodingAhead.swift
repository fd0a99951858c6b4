// SPDX-License-Identifier: Apache-2.0
import Audio
import Media
import Posix

/// Decodes a recording into a deck's ring of frames, piece by piece. Feed thread only.
final class DecodingAhead {
    /// The length of the frames decoded ahead: a disk may stall for that long.
    static let ringMilliseconds = 3000
    /// The length for a deck that waits its turn.
    private static let waitingMilliseconds = 250
    /// The size of a piece, small enough not to delay other decks.
    private static let pieceFrames = 2048

    /// The delay before decoding ahead of the deck's turn. The listener waits for the card first (USB takes 300 ms to open), and for the
    /// first sound.
    static let restMilliseconds: Int64 = 500

    private let began = MonotonicTime.now
    private let decoder: any AudioDecoding
    private let ring: FrameRing
    /// The source if its bytes are still arriving; nil for files.
    private let coming: ComingSource?

    init(_ decoder: any AudioDecoding, _ ring: FrameRing, _ coming: ComingSource? = nil) {
        self.coming = coming
        self.decoder = decoder
        self.ring = ring
    }

    /// True if there is something to decode.
    var isReady: Bool { coming?.isReady ?? true }

    /// The part of the ring to fill before the deck's turn.
    var waitingBytes: Int {
        if MonotonicTime.now.milliseconds(since: began) < DecodingAhead.restMilliseconds { return 0 }
        return decoder.rate * DecodingAhead.waitingMilliseconds / 1000 * decoder.channels * 2
    }

    /// Decodes one piece into the ring if there is room. Returns false at the end of the recording.
    func fill() throws(MediaError) -> Bool {
        let room = ring.reserve()
        let frames = min(room.count / ring.channels, DecodingAhead.pieceFrames)
        guard frames > 0, let samples = room.baseAddress else { return true }
        let count = try decoder.decode(into: samples, frames: frames)
        ring.commit(count)
        return count > 0
    }
}
