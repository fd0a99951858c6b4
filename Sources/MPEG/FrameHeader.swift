/// The four bytes before each frame (ISO/IEC 11172-3 §2.4.1.3, 13818-3 §2.4.2.3, and the unofficial MPEG 2.5).
public struct FrameHeader: Equatable, Sendable {
    public enum Version: Int, Sendable {
        case mpeg25 = 0
        case mpeg2 = 2
        case mpeg1 = 3
    }

    /// Big-endian, as in the stream.
    public let bits: UInt32

    /// Nil where the bits are no header.
    @inline(__always)
    public init?(_ bits: UInt32) {
        // Sync, version, layer, bitrate and rate each have a value that is none.
        if bits & 0xFFE0_0000 != 0xFFE0_0000 || bits & 0x0018_0000 == 0x0008_0000 || bits & 0x0006_0000 == 0
            || bits & 0x0000_F000 == 0x0000_F000 || bits & 0x0000_0C00 == 0x0000_0C00
        {
            return nil
        }
        self.bits = bits
    }

    public var version: Version { Version(rawValue: Int(bits >> 19 & 3)) ?? .mpeg1 }
    /// 1, 2 or 3.
    public var layer: Int { 4 - Int(bits >> 17 & 3) }
    public var hasCRC: Bool { bits & 0x0001_0000 == 0 }
    public var isPadded: Bool { bits & 0x0000_0200 != 0 }
    public var channels: Int { bits >> 6 & 3 == 3 ? 1 : 2 }
    public var isFreeFormat: Bool { bits & 0x0000_F000 == 0 }

    /// Hz.
    public var sampleRate: Int {
        let base: Int
        switch bits >> 10 & 3 {
        case 0: base = 44100
        case 1: base = 48000
        default: base = 32000
        }
        switch version {
        case .mpeg1: return base
        case .mpeg2: return base / 2
        case .mpeg25: return base / 4
        }
    }

    /// Per channel.
    public var samplesPerFrame: Int {
        switch layer {
        case 1: 384
        case 2: 1152
        default: version == .mpeg1 ? 1152 : 576
        }
    }

    /// Nil for free format.
    public var kilobitsPerSecond: Int? {
        let index = Int(bits >> 12 & 15)
        if index == 0 { return nil }
        let table =
            version == .mpeg1
            ? (layer == 1 ? Self.rates1 : layer == 2 ? Self.rates2 : Self.rates3)
            : (layer == 1 ? Self.rates4 : Self.rates5)
        return table[index]
    }

    private static let rates1: InlineArray<15, Int> = [
        0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448,
    ]
    private static let rates2: InlineArray<15, Int> = [
        0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384,
    ]
    private static let rates3: InlineArray<15, Int> = [
        0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
    ]
    private static let rates4: InlineArray<15, Int> = [
        0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256,
    ]
    private static let rates5: InlineArray<15, Int> = [
        0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160,
    ]

    /// From this header to the next; nil for free format, whose frames tell their length by where the next begins.
    public var frameBytes: Int? {
        guard let kilobits = kilobitsPerSecond else { return nil }
        if layer == 1 { return (12000 * kilobits / sampleRate + (isPadded ? 1 : 0)) * 4 }
        return samplesPerFrame / 8 * 1000 * kilobits / sampleRate + (isPadded ? 1 : 0)
    }

    /// Whether a stream may go on with `other`: the same version, layer, rate, and mono or stereo alike, as libmpg123 asks.
    @inline(__always)
    public func isCompatible(with other: FrameHeader) -> Bool {
        (bits ^ other.bits) & 0xFFFE_0C00 == 0 && (bits >> 6 & 3 == 3) == (other.bits >> 6 & 3 == 3)
            && isFreeFormat == other.isFreeFormat
    }
}
