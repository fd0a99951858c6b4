/// What an encoder wrote into a first frame that holds no audio: the Xing or Info header, with LAME's extension ("mp3 Info Tag
/// revision 1", gabriel.mp3-tech.org).
public struct InfoTag: Equatable, Sendable {
    /// Frames that follow; nil where not told.
    public var frameCount: Int?
    /// Samples that the encoder put before and behind the audio; nil where not told.
    public var delaySamples: Int?
    public var paddingSamples: Int?

    /// - Parameter frame: the frame from its header on, as much of it as there is (200 bytes tell all).
    public init?(_ frame: UnsafeRawBufferPointer, header: FrameHeader) {
        guard header.layer == 3 else { return nil }
        let sideBytes = header.version == .mpeg1 ? (header.channels == 1 ? 17 : 32) : (header.channels == 1 ? 9 : 17)
        // libmpg123 looks here whether or not the frame has a checksum.
        var at = 4 + sideBytes
        func number(_ bytes: Int) -> Int? {
            guard at + bytes <= frame.count else { return nil }
            defer { at += bytes }
            return (0..<bytes).reduce(0) { $0 << 8 | Int(frame[at + $1]) }
        }
        guard let name = number(4), name == 0x5869_6E67 || name == 0x496E_666F, let flags = number(4) else { return nil }
        if flags & 1 != 0 { frameCount = number(4) }
        if flags & 2 != 0 { _ = number(4) }
        if flags & 4 != 0 { at += 100 }
        if flags & 8 != 0 { _ = number(4) }
        // Encoder name (9), revision, low pass, gains (8), flags, bitrate; all zero where there is no extension.
        guard at < frame.count, frame[at] != 0 else { return }
        at += 21
        if let both = number(3) {
            delaySamples = both >> 12
            paddingSamples = both & 0xFFF
        }
    }
}
