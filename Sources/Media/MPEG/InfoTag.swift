// SPDX-License-Identifier: Apache-2.0
/// The encoder's facts about the stream in its first frame: a Xing, Info or VBRI tag, with LAME's extension.
public struct InfoTag: Equatable, Sendable {
    public enum Kind: Sendable {
        /// Variable bit rate, or average.
        case xing
        /// Constant bit rate.
        case info
        /// Fraunhofer's tag. libmpg123 plays its frame as silence, so the frame counts here, too.
        case vbri
    }

    public var kind: Kind
    /// The number of audio frames without this one; nil if not stated.
    public var frameCount: Int?
    /// The number of bytes from this frame to the end; nil if not stated.
    public var byteCount: Int64?
    /// The samples that the encoder put before the audio; nil without LAME's extension.
    public var encoderDelay: Int?
    /// The samples that the encoder put after the audio; nil without LAME's extension.
    public var encoderPadding: Int?

    /// Reads the tag from the bytes after a layer III header, exactly as libmpg123 does; nil without one. `body` may be longer than the
    /// frame, never shorter.
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
    /// Returns the four bytes at `offset` as one big-endian number. `offset + 4` must not lie past the end.
    @inline(__always)
    func number(at offset: Int) -> UInt32 {
        UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
