// SPDX-License-Identifier: Apache-2.0
/// The form of one sample of PCM.
struct SampleEncoding: Equatable {
    enum Kind {
        /// 8 bits are unsigned in WAV.
        case unsigned, signed, float
    }

    let kind: Kind
    /// The bytes of a sample, 1 to 4, or 8.
    let bytes: Int
    var isBigEndian = false

    /// Returns nil for an unsupported width.
    init?(_ kind: Kind, bits: Int, isBigEndian: Bool = false) {
        guard bits >= 1, bits <= 64 else { return nil }
        self.kind = kind
        self.isBigEndian = isBigEndian
        bytes = (bits + 7) / 8
        switch kind {
        case .unsigned: if bytes != 1 { return nil }
        case .signed: if bytes > 4 { return nil }
        case .float: if bits != 32 && bits != 64 { return nil }
        }
    }

    /// True if the samples need no conversion.
    var isNative: Bool { kind == .signed && bytes == 2 && !isBigEndian }

    /// Converts samples to 16 bits: wider ones are rounded to the nearest and clamped, narrower ones shifted up. NaN becomes silence.
    func convert(_ from: UnsafeRawPointer, to samples: UnsafeMutablePointer<Int16>, count: Int) {
        switch (kind, bytes) {
        case (.unsigned, _):
            for i in 0..<count { samples[i] = Int16(bitPattern: UInt16(byte(from, i) ^ 0x80) << 8) }
        case (.float, 8):
            for i in 0..<count { samples[i] = SampleEncoding.clamped(Double(bitPattern: word(from, i))) }
        case (.float, _):
            for i in 0..<count {
                let bits = UInt32(truncatingIfNeeded: word(from, i))
                samples[i] = SampleEncoding.clamped(Double(Float(bitPattern: bits)))
            }
        case (_, 1):
            for i in 0..<count { samples[i] = Int16(Int8(bitPattern: byte(from, i))) << 8 }
        case (_, 2):
            for i in 0..<count { samples[i] = Int16(truncatingIfNeeded: word(from, i)) }
        default:
            let shift = UInt64(64 - bytes * 8)
            for i in 0..<count {
                let wide = Int64(bitPattern: word(from, i) << shift) >> 32
                samples[i] = Int16(min(wide + 0x8000, Int64(Int32.max)) >> 16)
            }
        }
    }

    private func byte(_ from: UnsafeRawPointer, _ index: Int) -> UInt8 {
        from.load(fromByteOffset: index, as: UInt8.self)
    }

    /// Returns the bits of a sample at any alignment.
    private func word(_ from: UnsafeRawPointer, _ index: Int) -> UInt64 {
        let place = from + index * bytes
        var word: UInt64 = 0
        for i in 0..<bytes {
            let at = isBigEndian ? i : bytes - 1 - i
            word = word << 8 | UInt64(place.load(fromByteOffset: at, as: UInt8.self))
        }
        return word
    }

    static func clamped(_ value: Double) -> Int16 {
        let scaled = value * 32768
        // NaN fails both comparisons.
        guard scaled > -32768 else { return scaled <= -32768 ? .min : 0 }
        if scaled >= 32767 { return .max }
        // Round to the nearest: the shift makes the value positive, where truncation rounds down.
        return Int16(Int32(scaled + 32768.5) - 32768)
    }
}
