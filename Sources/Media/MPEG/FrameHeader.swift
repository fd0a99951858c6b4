// SPDX-License-Identifier: Apache-2.0
/// The four bytes at the start of every MPEG audio frame (ISO 11172-3 2.4.1.3, ISO 13818-3, and the unofficial MPEG 2.5).
public struct FrameHeader: Equatable, Sendable {
    public enum Version: UInt8, Sendable {
        case mpeg25 = 0
        case mpeg2 = 2
        case mpeg1 = 3
    }

    public enum Mode: UInt8, Sendable {
        case stereo
        case jointStereo
        case dualChannel
        case mono
    }

    /// The bytes as one big-endian number.
    public let word: UInt32

    /// Returns nil if libmpg123 would not accept the header: no sync, or a reserved layer, bit rate or sample rate. The reserved version
    /// counts as MPEG 2.5, as in libmpg123.
    public init?(_ word: UInt32) {
        guard word & 0xFFE0_0000 == 0xFFE0_0000, word & 0x0006_0000 != 0, word & 0xF000 != 0xF000,
            word & 0x0C00 != 0x0C00
        else { return nil }
        self.word = word
    }

    /// Returns true if both frames use the same decoding and have the same number of samples (libmpg123's notion).
    func isCompatible(with other: UInt32) -> Bool {
        (word ^ other) & FrameGate.kindMask == 0 && (word & 0xC0 == 0xC0) == (other & 0xC0 == 0xC0)
    }

    public var version: Version {
        switch word >> 19 & 3 {
        case 3: .mpeg1
        case 2: .mpeg2
        default: .mpeg25
        }
    }

    /// The layer, 1, 2 or 3.
    public var layer: Int { 4 - Int(word >> 17 & 3) }

    /// True if a 16-bit checksum follows the header.
    public var hasCRC: Bool { word & 0x0001_0000 == 0 }

    public var isPadded: Bool { word & 0x0200 != 0 }

    public var mode: Mode { Mode(rawValue: UInt8(word >> 6 & 3)) ?? .stereo }

    public var channels: Int { mode == .mono ? 1 : 2 }

    /// The bit rate in bits a second; nil for free format, with frames of any length.
    public var bitrate: Int? {
        let row = isLowRate ? min(layer + 2, 4) : layer - 1
        let units = FrameHeader.bitrates[row * 15 + Int(word >> 12 & 15)]
        return units == 0 ? nil : Int(units) * 8000
    }

    /// The sample rate in Hz.
    public var sampleRate: Int { FrameHeader.sampleRate(at: sampleRateIndex) }

    public var samplesPerFrame: Int { layer == 1 ? 384 : layer == 3 && isLowRate ? 576 : 1152 }

    /// The length of the frame with its header; nil for free format.
    public var frameBytes: Int? {
        guard let bitrate else { return nil }
        let padding = isPadded ? 1 : 0
        switch layer {
        case 1: return (bitrate * 12 / sampleRate + padding) * 4
        case 3 where isLowRate: return bitrate * 72 / sampleRate + padding
        default: return bitrate * 144 / sampleRate + padding
        }
    }

    /// True for MPEG 2 and 2.5.
    var isLowRate: Bool { word & 0x0008_0000 == 0 || word & 0x0010_0000 == 0 }

    /// The index of the sample rate, 0..<9.
    var sampleRateIndex: Int { Int(word >> 10 & 3) + (version == .mpeg1 ? 0 : version == .mpeg2 ? 3 : 6) }

    static func sampleRate(at index: Int) -> Int {
        let base: Int
        switch index % 3 {
        case 0: base = 44_100
        case 1: base = 48_000
        default: base = 32_000
        }
        return base >> (index / 3)
    }

    /// The bytes of layer III side information with the checksum: the least length of a frame. 0 for the other layers.
    public var sideBytes: Int {
        guard layer == 3 else { return 0 }
        return (mode == .mono ? (isLowRate ? 9 : 17) : (isLowRate ? 17 : 32)) + (hasCRC ? 2 : 0)
    }

    /// Rows of 15 bit rates in units of 8 kbit/s: layers I to III of MPEG 1, then layer I, and layers II and III, of MPEG 2 and 2.5.
    private static let bitrates: InlineArray<75, UInt8> = [
        0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56,
        0, 4, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48,
        0, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40,
        0, 4, 6, 7, 8, 10, 12, 14, 16, 18, 20, 22, 24, 28, 32,
        0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20,
    ]
}
