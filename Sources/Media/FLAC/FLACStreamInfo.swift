// SPDX-License-Identifier: Apache-2.0
/// The first block of a FLAC stream.
struct FLACStreamInfo: Equatable {
    static let byteCount = 34

    let rate: Int
    let channels: Int
    let bits: Int
    /// The number of frames; nil if the writer did not know it.
    let frameCount: Int64?

    /// Returns nil for contradictory values.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= FLACStreamInfo.byteCount else { return nil }
        let word = UInt64(bytes.bigEndian32(at: 10)) << 32 | UInt64(bytes.bigEndian32(at: 14))
        rate = Int(word >> 44)
        channels = Int(word >> 41 & 7) + 1
        bits = Int(word >> 36 & 31) + 1
        let frames = Int64(word & 0xF_FFFF_FFFF)
        frameCount = frames > 0 ? frames : nil
        if rate == 0 || bits < 4 { return nil }
    }
}
