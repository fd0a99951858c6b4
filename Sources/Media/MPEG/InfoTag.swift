// SPDX-License-Identifier: Apache-2.0
/// The encoder's facts about the whole stream in its first frame: a Xing, Info or VBRI tag, with LAME's addition.
public struct InfoTag: Equatable, Sendable {
    public enum Kind: Sendable {
        /// Variable bit rate, or average.
        case xing
        /// Constant bit rate.
        case info
        /// Fraunhofer's. libmpg123 does not know it and plays its frame as one frame of silence, so it is counted here.
        case vbri
    }

    public var kind: Kind
    /// Frames of audio, this one left out; nil where the tag does not say.
    public var frameCount: Int?
    /// Bytes from this frame's first on to the end; nil where the tag does not say.
    public var byteCount: Int64?
    /// Samples that the encoder put before the audio; nil without LAME's addition.
    public var encoderDelay: Int?
    /// Samples that the encoder put after the audio; nil without LAME's addition.
    public var encoderPadding: Int?

    /// Reads the tag from the bytes that follow a layer III frame's header, in the very way in which libmpg123 does; nil where
    /// there is none. `body` may be longer than the frame, never shorter.
    init?(_ header: FrameHeader, body: UnsafeRawBufferPointer, bodyBytes: Int) {
        guard header.layer == 3, bodyBytes <= body.count else { return nil }
        func number(_ offset: Int) -> UInt32 { body.number(at: offset) }
        var at = header.channels == 2 ? (header.isLowRate ? 17 : 32) : (header.isLowRate ? 9 : 17)
        guard bodyBytes >= at + 8 else { return nil }
        // The first two bytes may be a checksum.
        let isBlank = !body[2..<at].contains { $0 != 0 }
        switch number(at) {
        case 0x496E_666F where isBlank: kind = .info
        case 0x5869_6E67 where isBlank: kind = .xing
        default:
            guard bodyBytes >= 32 + 18, number(32) == 0x5642_5249 else { return nil }
            kind = .vbri
            byteCount = Int64(number(32 + 10))
            frameCount = Int(clamping: number(32 + 14))
            return
        }
        let flags = number(at + 4)
        at += 8
        if flags & 1 != 0 {
            guard bodyBytes >= at + 4 else { return }
            frameCount = Int(clamping: number(at))
            at += 4
        }
        if flags & 2 != 0 {
            guard bodyBytes >= at + 4 else { return }
            byteCount = Int64(number(at))
            at += 4
        }
        if flags & 4 != 0 {
            guard bodyBytes >= at + 100 else { return }
            at += 100
        }
        if flags & 8 != 0 {
            guard bodyBytes >= at + 4 else { return }
            at += 4
        }
        guard bodyBytes >= at + 24, body[at] != 0 else { return }
        encoderDelay = Int(body[at + 21]) << 4 | Int(body[at + 22]) >> 4
        encoderPadding = Int(body[at + 22] & 15) << 8 | Int(body[at + 23])
    }
}

extension UnsafeRawBufferPointer {
    /// The four bytes from `offset` as one number, the first on top. `offset + 4` must not lie past the end.
    @inline(__always)
    func number(at offset: Int) -> UInt32 {
        UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
