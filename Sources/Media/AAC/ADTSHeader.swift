// SPDX-License-Identifier: Apache-2.0
/// The header of an ADTS frame (ISO/IEC 13818-7, 6.2): seven bytes, or nine with a checksum, before each unit.
public struct ADTSHeader: Equatable, Sendable {
    public static let leastBytes = 7

    /// The audio object type: 2 is AAC-LC.
    public let objectType: Int
    public let rateIndex: Int
    /// The number of channels; 0 if the units tell it.
    public let channels: Int
    /// The length of the whole frame.
    public let frameBytes: Int
    let headerBytes: Int
    /// The number of units in the frame: one, with every known encoder.
    let units: Int

    /// Returns nil if there is no header at `offset`. `offset + leastBytes` must not lie past the end.
    public init?(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        guard bytes[offset] == 0xFF, bytes[offset + 1] & 0xF6 == 0xF0 else { return nil }
        let word = bytes.number(at: offset + 2)
        objectType = Int(word >> 30) + 1
        rateIndex = Int(word >> 26 & 15)
        channels = Int(word >> 22 & 7)
        headerBytes = bytes[offset + 1] & 1 != 0 ? 7 : 9
        frameBytes = Int(word >> 5 & 0x1FFF)
        units = Int(bytes[offset + 6] & 3) + 1
        guard rateIndex < AudioConfig.rates.count, frameBytes > headerBytes else { return nil }
    }

    /// Returns true if both headers belong to one stream.
    func isLike(_ other: ADTSHeader) -> Bool {
        objectType == other.objectType && rateIndex == other.rateIndex && channels == other.channels
    }

    /// The core's sample rate, in Hz; the output may have twice as many (SBR).
    public var rate: Int { AudioConfig.rates[rateIndex] }

    var config: AudioConfig { AudioConfig(objectType: objectType, rateIndex: rateIndex, channels: channels) }
}
